/** Letters and digits of a text, found eight bytes at a time. */
@NullMarked
package io.millrace.kernel.text;

import org.jspecify.annotations.NullMarked;
