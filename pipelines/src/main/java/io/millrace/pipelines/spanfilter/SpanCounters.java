package io.millrace.pipelines.spanfilter;

import io.millrace.kernel.metric.Metric;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/** What the processors of this node saw and took out. */
final class SpanCounters {
  private final LongAdder spans = new LongAdder();
  private final LongAdder dropped = new LongAdder();
  private final LongAdder saved = new LongAdder();
  private final LongAdder unread = new LongAdder();

  void add(SegmentFilter.Filtered filtered, int before) {
    spans.add(filtered.spans());
    dropped.add(filtered.dropped());
    saved.add(before - filtered.bytes().length);
  }

  void unread() {
    unread.increment();
  }

  List<Metric> metrics() {
    return List.of(
        Metric.counter("spans_seen", "spans", "Spans in the segments that passed", spans::sum),
        Metric.counter("spans_dropped", "spans", "Spans that were taken out", dropped::sum),
        Metric.counter("bytes_saved", "bytes", "Bytes of segments that this saved", saved::sum),
        Metric.counter(
            "segments_unread",
            "documents",
            "Documents without a segment that can be read; they passed as they were",
            unread::sum));
  }
}
