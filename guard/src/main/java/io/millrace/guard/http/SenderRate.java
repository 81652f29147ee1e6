package io.millrace.guard.http;

import io.millrace.guard.inbound.InboundBudget;
import io.millrace.guard.inbound.Reservation;

/** At which rate the body of a request comes, in windows of {@code floor_window}. */
final class SenderRate {
  private final InboundBudget budget;
  private final Reservation.Flows flows;
  private long received;
  private long start;
  private long before;

  /**
   * How long a waiting sibling stream has excused this one, since it last came fast enough;
   * nanoseconds.
   */
  private long excused;

  SenderRate(InboundBudget budget, Reservation.Flows flows) {
    this.budget = budget;
    this.flows = flows;
  }

  /** Another body. */
  void begin() {
    received = 0;
    excused = 0;
  }

  /** So many bytes of it came. */
  void receive(int bytes) {
    received += bytes;
  }

  /** Bytes of the body that came last. */
  long received() {
    return received;
  }

  /** A window begins, nanoseconds. */
  void restart(long now) {
    start = now;
    before = received;
  }

  /**
   * Bytes per second when a window has passed and they are below the floor, else -1.
   *
   * @param waiting whether it is the node that keeps the body waiting
   */
  double tooSlow(long now, boolean waiting) {
    long elapsed = now - start;
    if (waiting || received < before || excused(elapsed)) {
      restart(now);
    } else if (elapsed >= budget.floorWindow().nanos()) {
      double rate = (received - before) * 1e9 / elapsed;
      if (rate < budget.floorRate()) {
        return rate;
      }
      restart(now);
      excused = 0;
    }
    return -1;
  }

  /**
   * Whether a sibling stream waits, whose unread body may fill the window of their connection. One
   * may wait for {@code max_wait}; for longer no sender is excused that sends nothing.
   */
  private boolean excused(long nanos) {
    if (!flows.someWait() || excused >= budget.maxWait().nanos()) {
      return false;
    }
    excused += nanos;
    return true;
  }
}
