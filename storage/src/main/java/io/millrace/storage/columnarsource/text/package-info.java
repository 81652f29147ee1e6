/**
 * Texts taken apart so that they come back byte for byte: a JSON text into shape and values, a
 * message into template and variables, a value into a number, an instant or the bytes of an id.
 */
@NullMarked
package io.millrace.storage.columnarsource.text;

import org.jspecify.annotations.NullMarked;
