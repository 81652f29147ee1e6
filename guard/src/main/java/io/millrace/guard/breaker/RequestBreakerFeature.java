package io.millrace.guard.breaker;

import io.millrace.guard.bodies.BodyDispatcher;
import io.millrace.guard.bodies.BulkForms;
import io.millrace.guard.bodies.ParsedBodies;
import io.millrace.guard.bodies.PathPatterns;
import io.millrace.guard.heap.LiveHeap;
import io.millrace.kernel.Feature;
import io.millrace.kernel.NodeServices;
import io.millrace.kernel.hooks.Hooks;
import io.millrace.kernel.metric.Metric;
import io.millrace.kernel.metric.Tag;
import io.millrace.kernel.settings.Knob;
import io.millrace.kernel.settings.Switch;
import io.millrace.kernel.slot.SearchOrder;
import io.millrace.kernel.slot.TransportOrder;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.bulk.BulkRequest;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.settings.ClusterSettings;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.http.HttpServerTransport;
import org.opensearch.search.aggregations.MultiBucketConsumerService;

/**
 * One search or one bulk may hold at most a share of the heap; the one that holds more is stopped
 * before the node is, with an error that names limit, figure and remedy.
 *
 * <p>Why: one scripted_metric search took a stock node with 512 MB down for 85 s and longer, and so
 * did terms with top_hits. Stock's request breaker is asked only where code asks: not in top_hits,
 * not in scripts' own collections (ScriptedMetricAggregator#BUCKET_COST_ESTIMATE at 3.8.0 says so
 * itself).
 */
public final class RequestBreakerFeature implements Feature {
  static final String ID = "guard.request-breaker";

  private final Switch enabled = Feature.switchFor(ID, true);
  private final RequestLimits limits = new RequestLimits();
  private final LiveHeap heap = new LiveHeap();
  private final Allocations allocations = new Allocations();
  private final AfterRefusal afterRefusal = new AfterRefusal(limits, heap.max());
  private final SearchLedger ledger = new SearchLedger(limits, heap, allocations, afterRefusal);
  private final GuardedSearches searches = new GuardedSearches(enabled, ledger);
  private final HeapFactor factor = new HeapFactor(allocations);
  private final ReduceWatch reduces = new ReduceWatch(enabled, ledger, factor, this::maxBuckets);
  private final SiblingAnswers siblings = new SiblingAnswers(limits, factor, heap);
  private final BulkLimit bulks = new BulkLimit(enabled, limits, heap.max(), this::failing);
  private final ParsedBodies bodies =
      new ParsedBodies(
          new ParsedBodies.Limits(
              limits::request, limits.requestKey(), limits::shed, limits.shedKey()),
          heap);
  private final PathPatterns paths =
      new PathPatterns(this::names, limits::comparisons, limits.comparisonsKey());
  private final ListLimit lists = new ListLimit(enabled, limits, this::queries);
  private final ChangeLimit changes = new ChangeLimit(enabled, limits, this::metadata);
  private volatile NamedXContentRegistry queries = NamedXContentRegistry.EMPTY;
  private volatile @Nullable ClusterService cluster;
  private volatile @Nullable IndexNameExpressionResolver resolver;
  private volatile int maxBuckets = MultiBucketConsumerService.DEFAULT_MAX_BUCKETS;
  private final LedgerWatch watch = new LedgerWatch(ledger, afterRefusal);

  private int maxBuckets() {
    return maxBuckets;
  }

  private NamedXContentRegistry queries() {
    return queries;
  }

  private @Nullable Metadata metadata() {
    ClusterService known = cluster;
    return known == null ? null : known.state().metadata();
  }

  private int failing(BulkRequest bulk) {
    ClusterService known = cluster;
    IndexNameExpressionResolver names = resolver;
    return known == null || names == null ? 0 : FailingItems.of(bulk, known.state(), names);
  }

  /** How many names of indices, aliases and data streams a pattern is compared with. */
  private int names() {
    Metadata known = metadata();
    return known == null ? 0 : known.getIndicesLookup().size();
  }

  /**
   * The dispatcher of an HTTP server, which looks at each body before it is parsed.
   *
   * @param inFlight the breaker in which stock counts bodies until they are answered
   */
  public HttpServerTransport.Dispatcher judging(
      HttpServerTransport.Dispatcher dispatcher, CircuitBreaker inFlight) {
    return new BodyDispatcher(dispatcher, enabled::on, bodies, paths, inFlight);
  }

  private String nodeId() {
    return cluster == null ? "" : cluster.localNode().getId();
  }

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String summary() {
    return "One search or bulk that holds more than its share of the heap is stopped, with "
        + "an error that says why";
  }

  @Override
  public List<String> sources() {
    return List.of("request-breaker", "result-checks", "query-memory");
  }

  @Override
  public Switch enabled() {
    return enabled;
  }

  @Override
  public List<Knob<?>> knobs() {
    return limits.knobs();
  }

  @Override
  public List<Metric> metrics() {
    return List.of(
        Metric.gauge(
            "searches", "requests", "Phases of searches that run on this node", ledger::size),
        Metric.gauge(
            "held",
            "bytes",
            "Memory that the running phases of searches are estimated to hold",
            ledger::held),
        Metric.gauge(
            "coordinating",
            "requests",
            "Searches that this node coordinates",
            reduces::coordinating),
        Metric.gauge(
            "gathered",
            "bytes",
            "Answers of shards that wait to be reduced, and the results of partial reduces",
            reduces::gathered),
        Metric.gauge(
            "sibling_answers",
            "bytes",
            "Answers of searches that wait for others of the same request",
            siblings::held),
        Metric.counter(
                "siblings_over_limit",
                "requests",
                "Searches of requests with several that were refused, because the answers of the"
                    + " others took too much memory",
                siblings.refused::sum)
            .tagged(Tag.STOPPED_REQUESTS),
        Metric.peak("outlived", "bytes", "Heap that survived the last collection", heap::bytes),
        Metric.counter(
                "searches_over_limit",
                "requests",
                "Searches stopped because they held more than one request may",
                ledger.refusedForLimit::sum)
            .tagged(Tag.STOPPED_REQUESTS),
        Metric.counter(
                "searches_shed",
                "requests",
                "Searches stopped because the heap was full and they held most",
                ledger.refusedForHeap::sum)
            .tagged(Tag.STOPPED_REQUESTS),
        Metric.counter(
                "reduces_over_limit",
                "requests",
                "Searches stopped because the answers of their shards took too much memory",
                reduces.refused::sum)
            .tagged(Tag.STOPPED_REQUESTS),
        Metric.counter(
                "bulks_over_limit",
                "requests",
                "Bulks refused because of their size",
                bulks.refused::sum)
            .tagged(Tag.STOPPED_REQUESTS),
        Metric.gauge(
            "parsed",
            "bytes",
            "Memory that the bodies of requests are estimated to take as maps and lists",
            bodies::held),
        Metric.counter(
                "bodies_over_limit",
                "requests",
                "Requests refused because their bodies would take too much memory as maps and"
                    + " lists or are nested deeper than a stack, or because their paths have too"
                    + " many patterns",
                bodies::refused)
            .tagged(Tag.STOPPED_REQUESTS),
        Metric.counter(
                "lists_over_limit",
                "requests",
                "Requests refused because their lists had too many values",
                lists.refused::sum)
            .tagged(Tag.STOPPED_REQUESTS),
        Metric.counter(
                "changes_over_limit",
                "requests",
                "Requests refused because they made too many changes to the state of the cluster",
                changes.refused::sum)
            .tagged(Tag.STOPPED_REQUESTS),
        Metric.counter(
            "collections",
            "collections",
            "Garbage collections asked for after a large search was stopped",
            afterRefusal.collections::sum),
        Metric.peak(
            "heap_factor_percent",
            "percent",
            "Bytes of objects for each serialized byte of aggregations, as learned from "
                + "answers, times 100",
            () -> Math.round(factor.value() * 100)));
  }

  @Override
  public void declare(Hooks hooks) {
    hooks.searchListener(SearchOrder.LIMIT, searches);
    hooks.actionFilter(bulks);
    hooks.actionFilter(lists);
    hooks.actionFilter(changes);
    hooks.actionFilter(new BulkForms(enabled::on, bodies, this::metadata));
    hooks.actionFilter(new CoordinatedSearches(enabled, reduces, siblings, this::nodeId));
    hooks.fetchSubPhase(context -> new FetchedHits(ledger));
    hooks.transport(TransportOrder.LIMIT, reduces);
  }

  @Override
  public void start(NodeServices services) {
    cluster = services.clusterService();
    resolver = services.indexNameExpressionResolver();
    queries = services.xContentRegistry();
    ClusterSettings settings = services.clusterService().getClusterSettings();
    settings.addSettingsUpdateConsumer(
        MultiBucketConsumerService.MAX_BUCKET_SETTING, most -> maxBuckets = most);
    maxBuckets = settings.get(MultiBucketConsumerService.MAX_BUCKET_SETTING);
    heap.start();
    watch.start();
  }

  @Override
  public void stop() {
    watch.stop();
    heap.stop();
  }
}
