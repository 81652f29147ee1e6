/** The generated pages say what the code says. */
@NullMarked
package io.millrace.plugin.docs;

import org.jspecify.annotations.NullMarked;
