/** Which action needs what, and whether somebody may. */
@NullMarked
package io.millrace.access.authorization;

import org.jspecify.annotations.NullMarked;
