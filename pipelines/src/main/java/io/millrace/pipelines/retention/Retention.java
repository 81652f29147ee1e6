package io.millrace.pipelines.retention;

import io.millrace.kernel.NodeServices;
import io.millrace.kernel.metric.Metric;
import io.millrace.kernel.report.DiskRelief;
import io.millrace.kernel.report.NodeReportSource;
import io.millrace.kernel.settings.Knob;
import io.millrace.kernel.settings.Switch;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.admin.indices.delete.DeleteIndexRequest;
import org.opensearch.action.admin.indices.rollover.RolloverRequest;
import org.opensearch.action.support.IndicesOptions;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.metadata.IndexAbstraction;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.action.ActionListener;
import org.opensearch.threadpool.Scheduler;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.client.IndicesAdminClient;

/**
 * Looks at the indices again and again on the elected cluster manager, and does what the rules ask
 * for, one step after the other.
 */
final class Retention implements NodeReportSource {
  private static final Logger LOG = LogManager.getLogger(Retention.class);

  private final Switch enabled;
  private final Knob<Boolean> dryRun;
  private final Knob<List<RetentionRule>> rules;
  private final Knob<TimeValue> interval;
  private final Knob<Integer> most;
  private final LongSupplier clock;
  private final Journal journal;
  private final Relief relief;
  private final AtomicBoolean busy = new AtomicBoolean();
  private final LongAdder deleted = new LongAdder();
  private final LongAdder freed = new LongAdder();
  private final LongAdder rolled = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private volatile List<Plan.Step> plan = List.of();
  private volatile long looked = -1;
  private volatile @Nullable NodeServices services;
  private volatile Scheduler.@Nullable ScheduledCancellable next;
  private volatile boolean stopped;

  /**
   * @param clock milliseconds since the epoch
   * @param kept entries that the index of the journal keeps
   */
  Retention(
      Switch enabled,
      Knob<Boolean> dryRun,
      Knob<List<RetentionRule>> rules,
      Knob<TimeValue> interval,
      Knob<Integer> most,
      LongSupplier clock,
      int kept) {
    this.enabled = enabled;
    this.dryRun = dryRun;
    this.rules = rules;
    this.interval = interval;
    this.most = most;
    this.clock = clock;
    journal = new Journal(kept);
    relief = new Relief(enabled, dryRun, rules, clock, () -> services);
  }

  void start(NodeServices node) {
    services = node;
    journal.start(node);
    interval.follow(pause -> later(pause));
  }

  void stop() {
    stopped = true;
    Scheduler.ScheduledCancellable waiting = next;
    if (waiting != null) {
      waiting.cancel();
    }
  }

  private synchronized void later(TimeValue pause) {
    Scheduler.ScheduledCancellable waiting = next;
    if (waiting != null) {
      waiting.cancel();
    }
    if (stopped) {
      return;
    }
    try {
      next =
          node()
              .threadPool()
              .schedule(
                  () -> {
                    try {
                      look(() -> {});
                    } finally {
                      later(interval.value());
                    }
                  },
                  pause,
                  ThreadPool.Names.GENERIC);
    } catch (RuntimeException closing) {
      LOG.debug("no further look", closing);
    }
  }

  private NodeServices node() {
    return Objects.requireNonNull(services);
  }

  /**
   * One look: makes the plan, and does it unless told not to.
   *
   * @param done called once everything is done; at once where nothing is
   */
  void look(Runnable done) {
    ClusterState state = node().clusterService().state();
    if (rules.value().isEmpty() || !state.nodes().isLocalNodeElectedClusterManager()) {
      plan = List.of();
      done.run();
      return;
    }
    if (!busy.compareAndSet(false, true)) {
      done.run(); // the last look is not through: it deletes as fast as the cluster can
      return;
    }
    Runnable end =
        () -> {
          busy.set(false);
          done.run();
        };
    SystemRequests.sizes(
        node(),
        ActionListener.wrap(
            answer -> {
              ClusterState now = node().clusterService().state();
              plan = Plan.of(rules.value(), Candidate.all(now, answer), clock.getAsLong());
              looked = clock.getAsLong();
              work(new ArrayDeque<>(plan), most.value(), () -> journal.settle(end));
            },
            failure -> {
              LOG.warn("retention: the sizes of the indices are unknown", failure);
              end.run();
            }));
  }

  private void work(Deque<Plan.Step> steps, int left, Runnable end) {
    Plan.Step step = steps.poll();
    if (step == null || left == 0 || !enabled.on() || dryRun.value()) {
      end.run();
      return;
    }
    ActionListener<Object> after =
        ActionListener.wrap(
            answer -> {
              count(step);
              journal.add(step, "done", clock.getAsLong(), () -> work(steps, left - 1, end));
            },
            failure -> {
              failed.increment();
              journal.add(
                  step,
                  "failed: " + failure.getMessage(),
                  clock.getAsLong(),
                  () -> work(steps, left - 1, end));
            });
    if (!stillSo(step)) {
      work(steps, left, end);
    } else if (step.action() == Plan.Action.DELETE) {
      DeleteIndexRequest delete =
          new DeleteIndexRequest(step.target())
              .indicesOptions(IndicesOptions.strictSingleIndexNoExpandForbidClosed());
      node()
          .runAsNode(() ->
              indices().delete(delete, ActionListener.wrap(after::onResponse, after::onFailure)));
    } else {
      RolloverRequest rollover = new RolloverRequest(step.target(), null);
      node()
          .runAsNode(() ->
              indices()
                  .rolloverIndex(
                      rollover, ActionListener.wrap(after::onResponse, after::onFailure)));
    }
  }

  private IndicesAdminClient indices() {
    return node().client().admin().indices();
  }

  /** Whether the index is the one that was looked at, and still takes no writes. */
  private boolean stillSo(Plan.Step step) {
    ClusterState state = node().clusterService().state();
    if (!state.nodes().isLocalNodeElectedClusterManager()) {
      return false;
    }
    if (step.action() == Plan.Action.ROLLOVER) {
      IndexAbstraction stream = state.metadata().getIndicesLookup().get(step.target());
      return stream != null
          && stream.getWriteIndex() != null
          && stream.getWriteIndex().getIndexUUID().equals(step.uuid());
    }
    IndexMetadata index = state.metadata().index(step.target());
    if (index == null || !index.getIndexUUID().equals(step.uuid())) {
      return false;
    }
    return !RetentionFeature.HOLD.get(index.getSettings()) && !Candidate.writing(state, index);
  }

  private void count(Plan.Step step) {
    if (step.action() == Plan.Action.DELETE) {
      deleted.increment();
      freed.add(step.bytes());
    } else {
      rolled.increment();
    }
  }

  /** What would go next, for alarms of full disks. */
  DiskRelief relief() {
    return relief;
  }

  @Override
  public Map<String, Object> report() {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("enabled", enabled.on());
    out.put("dry_run", dryRun.value());
    out.put("rules", rules.value().stream().map(RetentionRule::text).toList());
    if (looked >= 0) {
      out.put("looked", Instant.ofEpochMilli(looked).toString());
    }
    out.put("plan", plan.stream().map(Plan.Step::report).toList());
    if (!journal.complete()
        && node().clusterService().state().nodes().isLocalNodeElectedClusterManager()) {
      out.put("journal_incomplete", "[" + JournalIndex.NAME + "] cannot be read yet");
    }
    out.put("journal", journal.report());
    return out;
  }

  List<Metric> metrics() {
    return List.of(
        Metric.counter("indices_deleted", "indices", "Indices that a rule deleted", deleted::sum),
        Metric.counter("bytes_freed", "bytes", "Bytes of those indices, all copies", freed::sum),
        Metric.counter(
            "rollovers", "rollovers", "New write indices that a rule asked for", rolled::sum),
        Metric.counter("failures", "steps", "Steps that failed; see the journal", failed::sum),
        Metric.gauge("planned", "steps", "Steps that the last look found", () -> plan.size()));
  }
}
