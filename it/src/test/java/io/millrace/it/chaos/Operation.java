package io.millrace.it.chaos;

import java.util.Locale;

/**
 * One operation on one document, as its client saw it.
 *
 * @param kind what it does to the document
 * @param value what it writes, or what it read; {@link #ABSENT} for none. No two writes of a run
 *     have the same value
 * @param expected the value that {@link Kind#REPLACE} read before it wrote
 * @param start {@link System#nanoTime} before the request was sent
 * @param end the same after its answer; {@link #NEVER} while the outcome is unknown: it may have
 *     taken effect at any time since {@code start}, or may yet, or never
 * @param stamp what the node said about the version that was written or read
 * @param by who asked whom, for messages
 */
record Operation(
    Kind kind, long value, long expected, long start, long end, Stamp stamp, String by) {

  /** The value of a document that is not there. */
  static final long ABSENT = 0;

  /** The end of an operation whose outcome is unknown. */
  static final long NEVER = Long.MAX_VALUE;

  /** What an operation does to a document. */
  enum Kind {
    /** Writes whatever was there. */
    WRITE,
    /** Writes where nothing was: {@code op_type=create}. */
    CREATE,
    /** Removes whatever was there. */
    DELETE,
    /** Writes where a certain value is: {@code if_seq_no} and {@code if_primary_term}. */
    REPLACE,
    /** Reads by id. */
    READ
  }

  /** A write of any kind whose answer said that it was done. */
  static Operation acknowledged(Attempt attempt, long end, Stamp stamp) {
    return new Operation(
        attempt.kind(),
        attempt.value(),
        attempt.expected(),
        attempt.start(),
        end,
        stamp,
        attempt.by());
  }

  /** A write of any kind that failed or had no answer. */
  static Operation unknown(Attempt attempt) {
    return acknowledged(attempt, NEVER, Stamp.NONE);
  }

  /** A read that had an answer. */
  static Operation read(long value, long start, long end, Stamp stamp, String by) {
    return new Operation(Kind.READ, value, ABSENT, start, end, stamp, by);
  }

  /**
   * A write that is about to be sent.
   *
   * @param kind any but {@link Kind#READ}
   */
  record Attempt(Kind kind, long value, long expected, long start, String by) {}

  boolean isRead() {
    return kind == Kind.READ;
  }

  /** Whether it is a write that an answer said was done. */
  boolean isAcknowledged() {
    return !isRead() && end != NEVER;
  }

  /** Whether it is a write of which nobody knows whether it was done. */
  boolean isUnknown() {
    return end == NEVER;
  }

  /** The state of the document after it, or {@link Register#REFUSED}. */
  long appliedTo(long state) {
    return Register.apply(state, this);
  }

  /** The operation in words, with its times in milliseconds since {@code origin}. */
  String told(long origin) {
    String until = isUnknown() ? "?" : String.format(Locale.ROOT, "%.1f", (end - origin) / 1e6);
    String what = kind == Kind.DELETE ? "" : value == ABSENT ? " absent" : " " + value;
    String condition = kind == Kind.REPLACE ? " after " + expected : "";
    return String.format(
        Locale.ROOT,
        "%10.1f to %10s ms  %-7s%s%s  %s  %s",
        (start - origin) / 1e6,
        until,
        kind,
        what,
        condition,
        stamp,
        by);
  }
}
