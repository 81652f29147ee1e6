package io.millrace.guard.threads;

import io.millrace.guard.bodythreads.BodyThreadsFeature;
import io.millrace.kernel.Feature;
import io.millrace.kernel.NodeServices;
import io.millrace.kernel.metric.Metric;
import io.millrace.kernel.settings.Checked;
import io.millrace.kernel.settings.Knob;
import io.millrace.kernel.settings.Switch;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.LongAdder;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Setting.Property;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.threadpool.Scheduler;
import org.opensearch.threadpool.ThreadPool;

/**
 * A pool whose threads are all held by requests that do not end gets further ones, so that others
 * of its requests are answered.
 *
 * <p>Why: two updates whose scripts loop hold every write of a node with two processors, two
 * explanations every get, five painless executions all of {@code _cat}, {@code _stats} and the
 * cancelling of tasks. Painless counts the loops of each function by itself, so a script can take
 * hours; nothing can stop it, and its client has long gone.
 */
public final class HeldThreadsFeature implements Feature {
  static final String ID = "guard.held-threads";

  private static final Logger LOG = LogManager.getLogger(HeldThreadsFeature.class);
  private static final TimeValue LOOK = TimeValue.timeValueMillis(100);

  /** The pools in which requests of clients do their work, beside that of searches. */
  private static final List<String> POOLS =
      List.of(
          ThreadPool.Names.WRITE,
          ThreadPool.Names.GET,
          ThreadPool.Names.ANALYZE,
          ThreadPool.Names.MANAGEMENT,
          BodyThreadsFeature.POOL);

  private static final String PREFIX = Feature.prefix(ID);

  private final Switch enabled = Feature.switchFor(ID, true);
  private final Knob<TimeValue> after =
      new Knob<>(
          Checked.time(
              PREFIX + ".after",
              TimeValue.timeValueSeconds(1),
              TimeValue.timeValueMillis(10),
              Property.NodeScope,
              Property.Dynamic),
          "A pool gets further threads when none of its threads has got anything done for so long"
              + " while work waits.");
  private final Knob<Integer> most =
      new Knob<>(
          Setting.intSetting(PREFIX + ".most", 32, 0, 1_000, Property.NodeScope, Property.Dynamic),
          "Threads that one of the pools `write`, `get`, `analyze`, `management` and"
              + " `millrace_bodies` may have in this way.");
  private final Map<String, HeldPool> pools = new LinkedHashMap<>();
  private final LongAdder widened = new LongAdder();
  private volatile Scheduler.@Nullable Cancellable looking;

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String summary() {
    return "A pool whose threads are all held by requests that do not end gets further ones";
  }

  @Override
  public List<String> sources() {
    return List.of("held-threads");
  }

  @Override
  public Switch enabled() {
    return enabled;
  }

  @Override
  public List<Knob<?>> knobs() {
    return List.of(after, most);
  }

  @Override
  public List<Metric> metrics() {
    return List.of(
        Metric.gauge(
            "further",
            "threads",
            "Threads that pools have now beyond their own",
            () -> pools.values().stream().mapToInt(HeldPool::further).sum()),
        Metric.counter("widened", "times", "Times that a pool got further threads", widened::sum));
  }

  @Override
  public void start(NodeServices services) {
    ThreadPool threads = services.threadPool();
    for (String name : POOLS) {
      // a pool of another feature is there where that feature is
      if (threads.info(name) != null && threads.executor(name) instanceof ThreadPoolExecutor pool) {
        boolean scales =
            threads.info(name).getThreadPoolType() == ThreadPool.ThreadPoolType.SCALING;
        String key = name + (scales ? ".max" : ".size");
        pools.put(
            name,
            new HeldPool(
                pool, size -> threads.setThreadPool(Settings.builder().put(key, size).build())));
      }
    }
    Knob.follow(
        () -> {
          if (!enabled.on()) {
            pools.values().forEach(HeldPool::restore);
          }
        },
        enabled.knob());
    looking = threads.scheduleWithFixedDelay(this::look, LOOK, ThreadPool.Names.SAME);
  }

  /** Looks at all pools; called ten times a second. */
  void look() {
    if (!enabled.on()) {
      return;
    }
    long now = System.nanoTime();
    pools.forEach((name, pool) -> {
      int size = pool.look(now, after.value().nanos(), most.value());
      if (size > 0) {
        widened.increment();
        LOG.warn(
            "all threads of the pool [{}] have been held for [{}] while work waits; it has [{}]"
                + " now. GET /_tasks?detailed tells by what, GET /_nodes/hot_threads at which"
                + " place",
            name,
            after.value(),
            size);
      }
    });
  }

  @Override
  public void stop() {
    Scheduler.Cancellable running = looking;
    if (running != null) {
      running.cancel();
    }
  }
}
