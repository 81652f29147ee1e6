package io.millrace.write.bulkrouting;

import io.millrace.kernel.metric.Metric;
import io.millrace.kernel.metric.Metric.Kind;
import io.millrace.kernel.metric.Metric.Merge;
import io.millrace.kernel.metric.Metric.Sample;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/** What was routed, and what was left alone and why. A bulk counts once per index it writes to. */
final class BulkRoutingCounters {

  /** Why the part of a bulk that goes to an opted-in index was left as it came. */
  enum Untouched {
    /** An item brings its own id, or is an update or delete. */
    OWN_ID,
    /** An item brings its own routing. */
    OWN_ROUTING,
    /** The alias that was written to sets the routing. */
    ALIAS_ROUTING,
    /** Only one item for the index: there is nothing to gather. */
    SINGLE_ITEM
  }

  final LongAdder bulks = new LongAdder();
  final LongAdder items = new LongAdder();
  final LongAdder everyShard = new LongAdder();
  private final LongAdder[] untouched =
      Stream.generate(LongAdder::new).limit(Untouched.values().length).toArray(LongAdder[]::new);

  void untouched(Untouched reason) {
    untouched[reason.ordinal()].increment();
  }

  long untouchedSum(Untouched reason) {
    return untouched[reason.ordinal()].sum();
  }

  List<Metric> metrics() {
    return List.of(
        Metric.counter(
            "bulks_routed",
            "bulks",
            "Bulks whose documents for one opted-in index went to one shard",
            bulks::sum),
        Metric.counter(
            "items_routed", "items", "Documents that were given a routing this way", items::sum),
        Metric.counter(
            "ids_asked_everywhere",
            "documents",
            "Documents named by id alone that every shard of their index was asked for",
            everyShard::sum),
        new Metric(
            "bulks_untouched",
            Kind.COUNTER,
            "bulks",
            "Bulks for an opted-in index that were not routed, by reason",
            Merge.SUM,
            () ->
                Arrays.stream(Untouched.values())
                    .map(reason ->
                        new Sample(
                            Map.of("reason", reason.name().toLowerCase(Locale.ROOT)),
                            untouchedSum(reason)))
                    .toList()));
  }
}
