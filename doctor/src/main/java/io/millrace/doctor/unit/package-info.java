/** Sizes and times as servers write them and as people read them. */
@NullMarked
package io.millrace.doctor.unit;

import org.jspecify.annotations.NullMarked;
