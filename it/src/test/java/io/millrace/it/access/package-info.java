/** Secured nodes as {@code up --secure} starts them. */
@NullMarked
package io.millrace.it.access;

import org.jspecify.annotations.NullMarked;
