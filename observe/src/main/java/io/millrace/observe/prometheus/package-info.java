/**
 * {@code GET /_prometheus/metrics}: what this node counts, in Prometheus' and OpenMetrics' text.
 */
@NullMarked
package io.millrace.observe.prometheus;

import org.jspecify.annotations.NullMarked;
