/** The settings of features: declared with their doc, bound once, then asked for their value. */
@NullMarked
package io.millrace.kernel.settings;

import org.jspecify.annotations.NullMarked;
