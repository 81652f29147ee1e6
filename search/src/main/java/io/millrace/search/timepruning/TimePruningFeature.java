package io.millrace.search.timepruning;

import io.millrace.kernel.Feature;
import io.millrace.kernel.NodeServices;
import io.millrace.kernel.hooks.Hooks;
import io.millrace.kernel.metric.Metric;
import io.millrace.kernel.settings.Checked;
import io.millrace.kernel.settings.Knob;
import io.millrace.kernel.settings.Switch;
import io.millrace.kernel.slot.SearchOrder;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.opensearch.common.settings.ClusterSettings;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Setting.Property;
import org.opensearch.indices.IndicesRequestCache;

/**
 * The newest hits of a search are found without a look at the older ones; and, where it is switched
 * on, a range beside another condition steps over the blocks of documents outside of it.
 *
 * <p>Why: lines of logs arrive in the order of their time, so the skip list of the doc values knows
 * for nearly every block of documents when it was. Stock goes through a segment from its oldest
 * document on, and collects every document of a wide range into a bit set. Promise: {@code
 * time-pruning}.
 *
 * <p>Ranges are left to stock until a gain has been measured.
 */
public final class TimePruningFeature implements Feature {
  static final String ID = "search.time-pruning";

  private static final long LEAST_MATCHES = 16_384;

  private static final Setting<Integer> KEPT =
      IndicesRequestCache.INDICES_REQUEST_CACHE_MAX_SIZE_ALLOWED_IN_CACHE_SETTING;

  private final Switch enabled = Feature.switchFor(ID, true);
  private final Knob<Boolean> ranges =
      new Knob<>(
          Checked.flag(Feature.prefix(ID) + ".ranges", false, Property.NodeScope, Property.Dynamic),
          "`true` also steps over blocks outside of a range. `false`, as no gain was measured.");
  private final LongAdder pruned = new LongAdder();
  private final LongAdder declined = new LongAdder();
  private final LongAdder bounded = new LongAdder();
  private final long leastMatches;

  /** Up to how many hits of a shard the request cache keeps of a search that does not ask it to. */
  private volatile int kept;

  public TimePruningFeature() {
    this(LEAST_MATCHES);
  }

  /**
   * @param leastMatches a search for the newest of fewer documents keeps stock's plan
   */
  TimePruningFeature(long leastMatches) {
    this.leastMatches = leastMatches;
  }

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String summary() {
    return "The newest hits of frequent terms are found without visiting the older ones; ranges of "
        + "time can step over blocks outside of them";
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
  public List<Knob<?>> knobs() {
    return List.of(ranges);
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
            declined::sum),
        Metric.counter(
            "bounded",
            "searches",
            "Searches of a shard for the newest hits that were given a time before which none lies",
            bounded::sum));
  }

  @Override
  public void declare(Hooks hooks) {
    hooks.searchListener(
        SearchOrder.PLAN,
        new TimePruningListener(
            enabled, ranges, new NewestFirst(leastMatches, () -> kept), pruned, declined, bounded));
  }

  @Override
  public void start(NodeServices services) {
    ClusterSettings node = services.clusterService().getClusterSettings();
    node.addSettingsUpdateConsumer(KEPT, hits -> kept = hits);
    kept = node.get(KEPT);
  }
}
