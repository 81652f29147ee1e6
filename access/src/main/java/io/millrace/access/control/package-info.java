/** Nobody reads, writes or changes anything without being known and allowed to. */
@NullMarked
package io.millrace.access.control;

import org.jspecify.annotations.NullMarked;
