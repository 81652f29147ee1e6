/** One rule per class. A rule sees a snapshot and says what is wrong with it, or nothing. */
@NullMarked
package io.millrace.doctor.check;

import org.jspecify.annotations.NullMarked;
