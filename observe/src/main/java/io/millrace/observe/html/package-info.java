/** Pages for browsers: one file each, with headers that let nothing else in. */
@NullMarked
package io.millrace.observe.html;

import org.jspecify.annotations.NullMarked;
