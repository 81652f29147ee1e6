/** OpenSearch's java agent, spared the classes that it looks at in vain. */
@NullMarked
package io.millrace.agent;

import org.jspecify.annotations.NullMarked;
