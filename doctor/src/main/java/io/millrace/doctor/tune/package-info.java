/**
 * {@code millrace tune}: what suits logs, traces or search, as a diff against a cluster; applied
 * with a journal, and undone from it. To read in this order: {@link io.millrace.doctor.tune.Use},
 * {@link io.millrace.doctor.tune.Tunings}, {@link io.millrace.doctor.tune.Planner}, {@link
 * io.millrace.doctor.tune.Tuner}.
 */
@NullMarked
package io.millrace.doctor.tune;

import org.jspecify.annotations.NullMarked;
