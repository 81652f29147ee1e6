/**
 * The contract between features and the plugin: what a feature is, and which hooks it may ask for.
 */
@NullMarked
package io.millrace.kernel;

import org.jspecify.annotations.NullMarked;
