/** The adapter between OpenSearch's plugin interfaces and the features. */
@NullMarked
package io.millrace.plugin;

import org.jspecify.annotations.NullMarked;
