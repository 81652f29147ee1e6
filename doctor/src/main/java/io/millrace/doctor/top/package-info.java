/** {@code millrace top}: what a cluster does now, from two samples of its counters. */
@NullMarked
package io.millrace.doctor.top;

import org.jspecify.annotations.NullMarked;
