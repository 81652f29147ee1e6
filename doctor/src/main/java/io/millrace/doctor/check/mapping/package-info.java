/** Fields of the largest and busiest indices. */
@NullMarked
package io.millrace.doctor.check.mapping;

import org.jspecify.annotations.NullMarked;
