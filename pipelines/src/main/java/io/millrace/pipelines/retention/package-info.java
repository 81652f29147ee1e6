/**
 * How long indices stay. To read in this order: {@link
 * io.millrace.pipelines.retention.RetentionRule}, {@link
 * io.millrace.pipelines.retention.Candidate}, {@link io.millrace.pipelines.retention.Plan}, {@link
 * io.millrace.pipelines.retention.Retention}.
 */
@NullMarked
package io.millrace.pipelines.retention;

import org.jspecify.annotations.NullMarked;
