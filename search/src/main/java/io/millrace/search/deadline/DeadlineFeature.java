package io.millrace.search.deadline;

import io.millrace.kernel.Feature;
import io.millrace.kernel.NodeServices;
import io.millrace.kernel.hooks.Hooks;
import io.millrace.kernel.metric.Metric;
import io.millrace.kernel.settings.Checked;
import io.millrace.kernel.settings.Knob;
import io.millrace.kernel.settings.Switch;
import io.millrace.kernel.slot.SearchOrder;
import io.millrace.kernel.slot.TransportOrder;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Setting.Property;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.threadpool.ThreadPool;

/**
 * The {@code timeout} of a search ends the search for its documents and the reading of its hits,
 * too, with what was found.
 *
 * <p>Why: stock catches the end of the time while it collects documents. A wildcard over a field of
 * ids or a range of numbers spends its time before: the exception then fails the whole request
 * (ContextIndexSearcher#searchLeaf at 3.8.0 asks for the scorer outside of its catch). The hits are
 * read afterwards without any time (FetchPhase#execute), with all their scripts and highlights.
 * Promise: {@code deadlines}.
 */
public final class DeadlineFeature implements Feature {
  static final String ID = "search.deadline";

  private final Switch enabled = Feature.switchFor(ID, true);
  private final Knob<TimeValue> grace =
      new Knob<>(
          time("grace", 500),
          "How long after its `timeout` a search is stopped that has not answered. Longer for"
              + " searches whose aggregations take long to reduce, which has no partial answer;"
              + " shorter where work after the end of the time hurts others.");
  private final Knob<TimeValue> fetchTime =
      new Knob<>(
          time("fetch_time", 100),
          "How long the hits that were found are read when the `timeout` is over before that, so"
              + " that a query which used up the time still answers hits. `0` reads none then.");
  private final FetchTime readTime = new FetchTime(fetchTime);
  private final Deadlines deadlines = new Deadlines(readTime, this::threads);
  private final TimedAggregations aggregations = new TimedAggregations(readTime);
  private final DeadlineListener listener = new DeadlineListener(enabled, deadlines, aggregations);
  private final FetchClock clock = new FetchClock();
  private final TimedFetch fetches = new TimedFetch(enabled, deadlines, clock, readTime);
  private final TimedSearches searches = new TimedSearches(enabled, deadlines, grace);
  private volatile @Nullable ThreadPool pool;

  private static Setting<TimeValue> time(String name, long millis) {
    return Checked.time(
        Feature.prefix(ID) + "." + name,
        TimeValue.timeValueMillis(millis),
        TimeValue.ZERO,
        Property.NodeScope,
        Property.Dynamic);
  }

  private @Nullable ThreadContext threads() {
    ThreadPool ready = pool;
    return ready == null ? null : ready.getThreadContext();
  }

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String summary() {
    return "A search whose `timeout` ends while it looks for documents or reads hits answers what "
        + "it has, and is stopped where it does not";
  }

  @Override
  public List<String> sources() {
    return List.of("deadlines");
  }

  @Override
  public Switch enabled() {
    return enabled;
  }

  @Override
  public List<Knob<?>> knobs() {
    return List.of(grace, fetchTime);
  }

  @Override
  public List<Metric> metrics() {
    return List.of(
        Metric.gauge(
            "searches",
            "requests",
            "Searches with a `timeout` that this node coordinates",
            deadlines::size),
        Metric.counter(
            "cut",
            "requests",
            "Searches that were answered without some of the hits that they found, for want of"
                + " time to read them",
            searches.cut::sum),
        Metric.counter(
            "unread",
            "hits",
            "Hits of this node's shards that were found and not read, for want of time",
            () -> fetches.unread.sum() + aggregations.unread.sum()),
        Metric.counter(
            "stopped",
            "requests",
            "Searches that were stopped because they ran on after their time and the grace",
            searches.stopped::sum),
        Metric.counter(
            "saved",
            "segments",
            "Segments of searches whose time ended before the first document, and that were left "
                + "out instead of failing the search",
            listener.saved::sum),
        Metric.counter(
            "skipped",
            "shards",
            "Shards that searched no documents, because the time of the search was over when a"
                + " thread was free for them",
            listener.skipped::sum),
        Metric.counter(
            "repeated",
            "shards",
            "Shards that were searched again for no documents, because their time ended where the"
                + " end would have been a failure",
            deadlines.second::sum));
  }

  @Override
  public void declare(Hooks hooks) {
    hooks.searchListener(SearchOrder.ACCOUNT, listener);
    hooks.searchListener(SearchOrder.WORK, fetches);
    hooks.fetchSubPhase(context -> clock);
    hooks.transport(TransportOrder.LIMIT, deadlines);
    hooks.actionFilter(searches);
    // by which stock looks at the time of a search: at most this much late, and not 200 ms
    hooks.nodeSettings(
        Settings.builder()
            .put(ThreadPool.ESTIMATED_TIME_INTERVAL_SETTING.getKey(), "20ms")
            .build());
  }

  @Override
  public void start(NodeServices services) {
    pool = services.threadPool();
    aggregations.start(services.namedWriteableRegistry());
    searches.start(new Coordination(services));
  }
}
