package io.millrace.observe.alarms;

import io.millrace.kernel.report.DiskRelief;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.opensearch.action.support.GroupedActionListener;
import org.opensearch.action.support.ListenerTimeouts;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.action.ActionListener;
import org.opensearch.threadpool.ThreadPool;

/**
 * What would free a full disk, asked of those who know while a disk is full: before the alarm
 * fires, so that its first message has it, and then once a minute. The alarm waits a few seconds
 * for it at most.
 */
final class DiskAdvice {
  private static final Logger LOG = LogManager.getLogger(DiskAdvice.class);
  private static final TimeValue PATIENCE = TimeValue.timeValueSeconds(4);
  private static final long MINUTE = 60_000_000_000L;

  private final Supplier<List<DiskRelief>> reliefs;
  private final LongSupplier nanos;
  private volatile String sentence = "";
  private volatile long asked = Long.MIN_VALUE;

  /**
   * Knows nothing yet.
   *
   * @param reliefs those who know
   * @param nanos as {@code System.nanoTime}
   */
  DiskAdvice(Supplier<List<DiskRelief>> reliefs, LongSupplier nanos) {
    this.reliefs = reliefs;
    this.nanos = nanos;
  }

  /** The last answers, as sentences; empty while no disk is full. */
  String sentence() {
    return sentence;
  }

  /**
   * Asks if it is time to, and goes on once there is an answer or none has come.
   *
   * @param full whether a disk of this node is past a watermark
   * @param node its id
   */
  void ask(boolean full, String node, ThreadPool pool, Runnable then) {
    List<DiskRelief> those = reliefs.get();
    long now = nanos.getAsLong();
    if (!full) {
      sentence = "";
      asked = Long.MIN_VALUE;
    }
    if (!full || those.isEmpty() || (asked != Long.MIN_VALUE && now - asked < MINUTE)) {
      then.run();
      return;
    }
    asked = now;
    GroupedActionListener<String> all =
        new GroupedActionListener<>(
            ListenerTimeouts.wrapWithTimeout(
                pool,
                ActionListener.runAfter(
                    ActionListener.wrap(
                        answers ->
                            sentence =
                                new ArrayList<>(answers)
                                    .stream().sorted().collect(Collectors.joining(". ")),
                        failure -> {
                          sentence = "";
                          LOG.debug("what would free the disk is not known now", failure);
                        }),
                    then),
                PATIENCE,
                ThreadPool.Names.GENERIC,
                "what would free the disk"),
            those.size());
    for (DiskRelief each : those) {
      try {
        each.next(node, all);
      } catch (RuntimeException closing) {
        all.onFailure(closing);
      }
    }
  }
}
