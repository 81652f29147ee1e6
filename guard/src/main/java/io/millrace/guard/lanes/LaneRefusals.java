package io.millrace.guard.lanes;

import io.millrace.guard.lanes.History.Use;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.opensearch.core.concurrency.OpenSearchRejectedExecutionException;

/** Why a search does not begin, in words for its client. */
final class LaneRefusals {
  private final LaneLimits limits;

  LaneRefusals(LaneLimits limits) {
    this.limits = limits;
  }

  /**
   * Another one of its shape does not end.
   *
   * @param other was cancelled and still runs
   */
  OpenSearchRejectedExecutionException deaf(Turn other) {
    return refusal(
        "a search of the same shape, task ["
            + other.work().task().getId()
            + "], was cancelled and has not reacted for "
            + TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - other.cancelledSince)
            + " s: its script loops without end within one document; bound the loops of the"
            + " script");
  }

  /** Too many wait. */
  OpenSearchRejectedExecutionException full() {
    return refusal(
        "["
            + limits.queue.value()
            + "] searches of shards already wait for their turn on this node ["
            + limits.queue.key()
            + "]; try again later, or send fewer heavy searches at once");
  }

  /**
   * It waited for too long.
   *
   * @param millis for which it waited
   * @param own whether its own timeout allows no more
   * @param before what one like it used
   */
  OpenSearchRejectedExecutionException late(long millis, boolean own, @Nullable Use before) {
    return refusal(
        "waited ["
            + millis
            + " ms] for its turn"
            + (before == null
                ? ""
                : " (one like it used "
                    + TimeUnit.NANOSECONDS.toMillis(before.cpuNanos())
                    + " ms of CPU time and allocated "
                    + (before.bytes() >> 20)
                    + " MB)")
            + ", as long as "
            + (own ? "its timeout" : "[" + limits.maxWait.key() + "]")
            + " allows; ask for less, try again later, or raise the limit");
  }

  private static OpenSearchRejectedExecutionException refusal(String why) {
    return new OpenSearchRejectedExecutionException("[search-lanes] the search " + why);
  }
}
