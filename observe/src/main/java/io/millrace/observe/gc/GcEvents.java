package io.millrace.observe.gc;

import io.millrace.kernel.metric.Durations;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingStream;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;

/**
 * What only the flight recorder knows: every allocation stall of ZGC with its duration, every pause
 * with more than millisecond resolution, failed evacuations of G1, and how long threads take to
 * reach a safepoint.
 *
 * <p>Five rare events (a few per collection) are enabled, without stacks; the recording keeps no
 * more than a minute or 16 MiB on disk. Figures trail the JVM by up to a second, the recorder's
 * flush interval. Events that the recorder itself lost are counted in {@link #lostBytes}.
 *
 * <p>The recorder starts on a thread of its own: it writes below {@code java.io.tmpdir}, and the
 * node's agent judges every class on the stack. Where it cannot start, one log line says so and the
 * beans remain.
 */
final class GcEvents {
  private static final Logger LOG = LogManager.getLogger(GcEvents.class);
  private static final long MOST_BYTES = 16L << 20;

  final Durations pauses = new Durations();
  final Durations stalls = new Durations();
  final Durations timeToSafepoint = new Durations();
  final LongAdder evacuationFailures = new LongAdder();
  final LongAdder lostBytes = new LongAdder();

  private final AtomicBoolean wanted = new AtomicBoolean();
  private @Nullable RecordingStream stream;
  private volatile boolean running;
  private volatile boolean counted;
  private volatile String failure = "";

  /** Starts recording in the background; without effect while it runs. */
  void start() {
    if (wanted.compareAndSet(false, true)) {
      Thread starter = new Thread(this::open, "millrace-gc-events");
      starter.setDaemon(true);
      starter.start();
    }
  }

  /** Stops recording; what was counted stays. */
  void stop() {
    wanted.set(false);
    close();
  }

  private synchronized void open() {
    if (!wanted.get() || stream != null) {
      return;
    }
    RecordingStream opened = null;
    try {
      opened = new RecordingStream();
      opened.setMaxSize(MOST_BYTES);
      opened.setMaxAge(Duration.ofMinutes(1));
      // handlers keep nothing of an event
      opened.setReuse(true);
      opened.setOrdered(false);
      // an event that is not named here has its own default, and some are on by default
      for (EventType type : FlightRecorder.getFlightRecorder().getEventTypes()) {
        opened.disable(type.getName());
      }
      opened.enable("jdk.ZAllocationStall").withoutThreshold().withoutStackTrace();
      opened.enable("jdk.GCPhasePause").withoutThreshold().withoutStackTrace();
      opened.enable("jdk.EvacuationFailed").withoutThreshold().withoutStackTrace();
      opened.enable("jdk.SafepointBegin").withoutThreshold().withoutStackTrace();
      opened.enable("jdk.DataLoss").withoutThreshold().withoutStackTrace();
      opened.onEvent("jdk.ZAllocationStall", event -> stalls.record(nanos(event)));
      opened.onEvent("jdk.GCPhasePause", event -> pauses.record(nanos(event)));
      opened.onEvent("jdk.EvacuationFailed", event -> evacuationFailures.increment());
      opened.onEvent("jdk.SafepointBegin", event -> timeToSafepoint.record(nanos(event)));
      opened.onEvent("jdk.DataLoss", event -> lostBytes.add(event.getLong("amount")));
      opened.onError(e -> LOG.debug("an event was not counted", e));
      opened.startAsync();
      stream = opened;
      failure = "";
      counted = true;
      running = true;
    } catch (Exception | LinkageError | InternalError e) {
      // IllegalStateException: built without jdk.jfr or switched off; SecurityException: the agent
      failure = e.toString();
      counted = false;
      if (opened != null) {
        opened.close();
      }
      LOG.warn(
          "the flight recorder did not start [{}]: pauses come from the collectors' beans in whole"
              + " milliseconds, and of ZGC's allocation stalls only the cycles are counted; check"
              + " that java.io.tmpdir can be written",
          failure,
          e);
    }
  }

  private static long nanos(RecordedEvent event) {
    return event.getDuration().toNanos();
  }

  private synchronized void close() {
    running = false;
    RecordingStream closing = stream;
    stream = null;
    if (closing != null) {
      closing.close();
    }
  }

  /** Whether events are being counted now. */
  boolean running() {
    return running;
  }

  /**
   * Whether the counts are those of events: also while recording is switched off, so that a count
   * stands still then and goes on later, and never changes its source.
   */
  boolean counted() {
    return counted;
  }

  /** Why recording did not start; empty where it did or was not tried. */
  String failure() {
    return failure;
  }
}
