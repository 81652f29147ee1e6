package io.millrace.guard.bodythreads;

import io.millrace.kernel.Feature;
import io.millrace.kernel.hooks.Hooks;
import io.millrace.kernel.metric.Metric;
import io.millrace.kernel.settings.Knob;
import io.millrace.kernel.settings.Switch;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadPoolExecutor;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Setting.Property;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.util.concurrent.OpenSearchExecutors;
import org.opensearch.core.common.unit.ByteSizeUnit;
import org.opensearch.core.common.unit.ByteSizeValue;
import org.opensearch.http.HttpServerTransport;
import org.opensearch.monitor.jvm.JvmInfo;
import org.opensearch.threadpool.FixedExecutorBuilder;
import org.opensearch.threadpool.ThreadPool;

/**
 * Requests with large bodies are read by threads of their own, so that whoever asks little does not
 * wait for them.
 *
 * <p>Why: a node with two processors reads all its connections with two threads, and stock parses
 * bodies on them. Four clients with five megabytes of ids each let {@code _cluster/health} wait for
 * seconds, and so did 20,000 aliases, which are resolved on the same threads.
 */
public final class BodyThreadsFeature implements Feature {
  static final String ID = "guard.body-threads";

  /** The name of the pool, in {@code _cat/thread_pool} and in the settings of its size. */
  public static final String POOL = "millrace_bodies";

  /** Requests that may wait. */
  private static final int WAITING = 1_000;

  /** The share of the heap that the bodies of requests that wait may have together. */
  private static final double SHARE = 0.1;

  private static final String PREFIX = Feature.prefix(ID);

  private final Switch enabled = Feature.switchFor(ID, true);
  private final Knob<ByteSizeValue> from =
      new Knob<>(
          Setting.byteSizeSetting(
              PREFIX + ".from",
              new ByteSizeValue(64, ByteSizeUnit.KB),
              new ByteSizeValue(1 << 10),
              new ByteSizeValue(Integer.MAX_VALUE),
              Property.NodeScope,
              Property.Dynamic),
          "The smallest body that is handed to a thread of its own, in bytes. Below it the time"
              + " to read a body is too short to hold up others.");
  private volatile @Nullable HandingDispatcher dispatcher;
  private volatile @Nullable ThreadPoolExecutor pool;

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String summary() {
    return "Requests with large bodies are read by threads of their own, so that others do not"
        + " wait for them";
  }

  @Override
  public List<String> sources() {
    return List.of("body-threads");
  }

  @Override
  public Switch enabled() {
    return enabled;
  }

  @Override
  public List<Knob<?>> knobs() {
    return List.of(from);
  }

  @Override
  public List<Metric> metrics() {
    return List.of(
        Metric.gauge(
            "waiting",
            "requests",
            "Requests with large bodies that wait for a thread",
            this::waiting),
        Metric.counter(
            "handed",
            "requests",
            "Requests whose bodies were read by threads of their own",
            () -> {
              HandingDispatcher known = dispatcher;
              return known == null ? 0 : known.handed.sum();
            }),
        Metric.counter(
            "kept",
            "requests",
            "Requests with large bodies that were read on the thread of their connection, because"
                + " too many waited",
            () -> {
              HandingDispatcher known = dispatcher;
              return known == null ? 0 : known.kept.sum();
            }));
  }

  private int waiting() {
    ThreadPoolExecutor known = pool;
    return known == null ? 0 : known.getQueue().size();
  }

  /** Bulks that wait for one of the threads, in front of the queue of writes. */
  public int waitingBulks() {
    HandingDispatcher known = dispatcher;
    return known == null ? 0 : known.bulks.get();
  }

  @Override
  public void declare(Hooks hooks) {
    hooks.threadPool(POOL, BodyThreadsFeature::pool);
  }

  /** As many threads as read connections, so that as many bodies are read at a time as in stock. */
  private static FixedExecutorBuilder pool(Settings settings) {
    return new FixedExecutorBuilder(
        settings,
        POOL,
        OpenSearchExecutors.allocatedProcessors(settings),
        WAITING,
        "thread_pool." + POOL);
  }

  /**
   * The dispatcher of an HTTP server, which hands on what is large.
   *
   * @param threads those of the node
   */
  public HttpServerTransport.Dispatcher handing(
      HttpServerTransport.Dispatcher in, ThreadPool threads) {
    Executor executor = threads.executor(POOL);
    pool = executor instanceof ThreadPoolExecutor known ? known : null;
    HandingDispatcher handing =
        new HandingDispatcher(
            in,
            enabled::on,
            () -> from.value().getBytes(),
            (long) (SHARE * JvmInfo.jvmInfo().getMem().getHeapMax().getBytes()),
            executor);
    dispatcher = handing;
    return handing;
  }
}
