/** Bytes of texts, looked at eight at a time. */
@NullMarked
package io.millrace.kernel.text;

import org.jspecify.annotations.NullMarked;
