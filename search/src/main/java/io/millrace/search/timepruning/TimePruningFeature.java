package io.millrace.search.timepruning;

import io.millrace.kernel.Feature;
import io.millrace.kernel.hooks.Hooks;
import io.millrace.kernel.metric.Metric;
import io.millrace.kernel.settings.Switch;
import io.millrace.kernel.slot.SearchOrder;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * A range beside another condition steps over the blocks of documents outside of it.
 *
 * <p>Why: on an index that is not sorted, stock collects every document of a wide range into a bit
 * set before it looks at the other condition. Lines of logs arrive in the order of their time, so
 * the skip list of the doc values knows for nearly every block whether it lies in the range.
 * Promise: {@code time-pruning}.
 *
 * <p>Off until it has been measured beside stock on every class of searches.
 */
public final class TimePruningFeature implements Feature {
  static final String ID = "search.time-pruning";

  private final Switch enabled = Feature.switchFor(ID, false);
  private final LongAdder pruned = new LongAdder();
  private final LongAdder declined = new LongAdder();

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String summary() {
    return "A range of time beside other conditions steps over blocks outside of it, on indices "
        + "that are not sorted too";
  }

  @Override
  public List<String> sources() {
    return List.of("time-pruning");
  }

  @Override
  public Switch enabled() {
    return enabled;
  }

  @Override
  public List<Metric> metrics() {
    return List.of(
        Metric.counter(
            "pruned",
            "segments",
            "Segments whose blocks told which of them lie in the range",
            pruned::sum),
        Metric.counter(
            "declined",
            "segments",
            "Segments that were left to stock's plan, as their blocks do not tell or are too few",
            declined::sum));
  }

  @Override
  public void declare(Hooks hooks) {
    hooks.searchListener(SearchOrder.PLAN, new TimePruningListener(enabled, pruned, declined));
  }
}
