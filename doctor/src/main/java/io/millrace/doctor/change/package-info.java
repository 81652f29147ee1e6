/** Changes of settings with what undoes them, to the byte. */
@NullMarked
package io.millrace.doctor.change;

import org.jspecify.annotations.NullMarked;
