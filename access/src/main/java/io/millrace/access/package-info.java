/** Who may do what on this cluster, and who says so. */
@NullMarked
package io.millrace.access;

import org.jspecify.annotations.NullMarked;
