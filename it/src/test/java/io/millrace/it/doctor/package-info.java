/** The doctor, tune and top on real nodes. */
@NullMarked
package io.millrace.it.doctor;

import org.jspecify.annotations.NullMarked;
