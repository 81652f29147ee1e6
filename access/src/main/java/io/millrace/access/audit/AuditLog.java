package io.millrace.access.audit;

import java.io.IOException;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.xcontent.XContentFactory;
import org.opensearch.core.xcontent.XContentBuilder;

/**
 * One JSON object a line: who, what, from where, and what came of it. Never a password, a key, a
 * header or a body.
 *
 * <p>The lines go to the logger {@link #LOGGER_NAME}, and the node's log4j2.properties says where
 * that writes. An attacker must not be able to fill the disk: beyond the rate a line is dropped and
 * counted, and the next line says how many were.
 */
public final class AuditLog {
  /** The logger that the configuration of log4j names. */
  public static final String LOGGER_NAME = "millrace.audit";

  private static final Logger LOGGER = LogManager.getLogger(LOGGER_NAME);
  private static final long SECOND = 1_000_000_000L;
  private static final int LONGEST = 512;

  private final BooleanSupplier on;
  private final IntSupplier perSecond;
  private final LongSupplier nanos;
  private final AtomicLong window = new AtomicLong();
  private final AtomicLong inWindow = new AtomicLong();
  private final LongAdder written = new LongAdder();
  private final LongAdder dropped = new LongAdder();
  private final AtomicLong unsaid = new AtomicLong();

  /**
   * @param perSecond lines at most
   * @param nanos the clock
   */
  public AuditLog(BooleanSupplier on, IntSupplier perSecond, LongSupplier nanos) {
    this.on = on;
    this.perSecond = perSecond;
    this.nanos = nanos;
    window.set(nanos.getAsLong());
  }

  /**
   * Writes a line unless too many were.
   *
   * @param event {@code login_failed}, {@code refused}, {@code changed}, ...
   * @param who somebody known, or the name that somebody gave; null where there is none
   * @param what the action, the path or the thing that was changed
   * @param from the address that the request came from; null where it is not known
   * @param reason why, in a few words
   */
  public void write(
      String event, @Nullable String who, String what, @Nullable String from, String reason) {
    if (!on.getAsBoolean()) {
      return;
    }
    if (!room()) {
      dropped.increment();
      unsaid.incrementAndGet();
      return;
    }
    written.increment();
    LOGGER.info("{}", line(event, who, what, from, reason, unsaid.getAndSet(0)));
  }

  private boolean room() {
    long now = nanos.getAsLong();
    long since = window.get();
    if (now - since >= SECOND && window.compareAndSet(since, now)) {
      inWindow.set(0);
    }
    return inWindow.incrementAndGet() <= perSecond.getAsInt();
  }

  static String line(
      String event,
      @Nullable String who,
      String what,
      @Nullable String from,
      String reason,
      long unsaid) {
    try (XContentBuilder json = XContentFactory.jsonBuilder()) {
      json.startObject().field("@timestamp", Instant.now().toString()).field("event", event);
      if (who != null) {
        json.field("who", cut(who));
      }
      json.field("what", cut(what));
      if (from != null) {
        json.field("from", from);
      }
      json.field("reason", cut(reason));
      if (unsaid > 0) {
        json.field("lines_dropped_before", unsaid);
      }
      return json.endObject().toString();
    } catch (IOException e) {
      throw new IllegalStateException("JSON of strings", e);
    }
  }

  private static String cut(String text) {
    return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "...";
  }

  /** Lines that were written. */
  public long written() {
    return written.sum();
  }

  /** Lines that were too many. */
  public long dropped() {
    return dropped.sum();
  }
}
