package io.millrace.search.deadline;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.core.rest.RestStatus;

/**
 * When the time of one search is over, on the clock of this node.
 *
 * @param end in the time of {@link System#nanoTime}
 * @param timeout what the client asked for, milliseconds
 * @param search the task of the search on its coordinating node
 * @param unread what that node takes in the place of hits that could not be read in time
 */
record Deadline(long end, long timeout, long search, Unread unread) {
  /** The request header from the coordinating node to the shards; other nodes pass it over. */
  static final String HEADER = "millrace.search.deadline";

  /** What the coordinating node takes in the place of hits that could not be read in time. */
  enum Unread {
    /** Marked hits, which it leaves out of its answer. */
    LEFT_OUT,
    /** An error: partial results are forbidden. */
    REFUSED,
    /** Nothing: every hit has to be read, however long that takes. */
    AWAITED
  }

  static Deadline of(long timeout, long search, Unread unread) {
    return new Deadline(
        System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeout), timeout, search, unread);
  }

  /** Milliseconds until the end; below zero after it. */
  long left() {
    return TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
  }

  /** The same search, whose time is over. */
  Deadline over() {
    return new Deadline(System.nanoTime(), timeout, search, unread);
  }

  /** The same search, whose time lasts at least until then. */
  Deadline atLeast(long other) {
    return other - end > 0 ? new Deadline(other, timeout, search, unread) : this;
  }

  /**
   * Why a search has no answer that must not be partial.
   *
   * @param what was not read in time
   */
  OpenSearchStatusException refusal(String what) {
    return new OpenSearchStatusException(
        "[timeout] of [{}ms] was over when {} had not been read, and [allow_partial_search_results]"
            + " is false; ask for fewer hits or highlights, allow partial results, or raise the"
            + " timeout",
        RestStatus.GATEWAY_TIMEOUT,
        timeout,
        what);
  }

  /** For another node, whose clock is another one: what is left now. */
  String header() {
    return left() + " " + timeout + " " + search + " " + unread;
  }

  /**
   * The deadline of a header, which counts from now.
   *
   * @return {@code null} for a header that this version does not know
   */
  static @Nullable Deadline received(@Nullable String header) {
    String[] parts = header == null ? new String[0] : header.split(" ", -1);
    if (parts.length != 4) {
      return null;
    }
    Unread unread =
        Arrays.stream(Unread.values())
            .filter(each -> each.name().equals(parts[3]))
            .findFirst()
            .orElse(null);
    try {
      return unread == null
          ? null
          : new Deadline(
              System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(Long.parseLong(parts[0])),
              Long.parseLong(parts[1]),
              Long.parseLong(parts[2]),
              unread);
    } catch (NumberFormatException e) {
      return null;
    }
  }
}
