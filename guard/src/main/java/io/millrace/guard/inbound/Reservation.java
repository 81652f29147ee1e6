package io.millrace.guard.inbound;

import io.millrace.guard.inbound.ByteBudget.Flow;
import io.millrace.guard.inbound.ByteBudget.Ticket;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The bytes that one request holds, from its header to its response.
 *
 * <p>A declared length is reserved whole before the first byte of the body is buffered. A body
 * without one (chunked, compressed, HTTP/2 without a length) reserves as it grows: twice as much
 * each time, at most {@link #LARGEST_STEP} more than it needs. Growth goes to the head of the line,
 * because what has arrived is in memory already. What grows beyond a small body charges the rest to
 * the large budget.
 *
 * <p>Used by one event loop; only {@code onGrant} comes from elsewhere.
 */
public final class Reservation {
  private static final long FIRST_STEP = 64 << 10;
  private static final long LARGEST_STEP = 1 << 20;

  /** A connection's place in both lines. */
  public static final class Flows {
    private final Flow small = new Flow();
    private final Flow large = new Flow();
  }

  private final InboundBudget budget;
  private final Flows flows;
  private final boolean declared;
  private final List<Ticket> tickets = new ArrayList<>(1);
  private @Nullable Ticket asked;
  private ByteBudget askedOf;
  private long held;
  private boolean closed;

  /**
   * Holds nothing yet.
   *
   * @param declared whether the length is known before the body comes
   */
  public Reservation(InboundBudget budget, Flows flows, boolean declared) {
    this.budget = budget;
    this.flows = flows;
    this.declared = declared;
    this.askedOf = budget.small();
  }

  /**
   * Makes sure that so many bytes are held.
   *
   * @param total bytes of the body, all of it when declared, else what has come so far
   * @param onGrant called on any thread when the answer was false and may now be true: ask again
   * @return whether they are held now; false means to wait
   */
  public boolean reserve(long total, Runnable onGrant) {
    if (asked != null) {
      if (!asked.granted()) {
        return false;
      }
      held += asked.bytes();
      asked = null;
    }
    if (closed || total <= held || total <= InboundBudget.FREE || !budget.on()) {
      return true;
    }
    long more = total - held;
    if (!declared) {
      more = Math.max(more, Math.clamp(held, FIRST_STEP, LARGEST_STEP));
    }
    boolean small = total <= budget.smallBody();
    askedOf = small ? budget.small() : budget.large();
    Ticket ticket =
        askedOf.ask(small ? flows.small : flows.large, more, !tickets.isEmpty(), onGrant);
    tickets.add(ticket);
    if (ticket.granted()) {
      held += more;
      return true;
    }
    asked = ticket;
    return false;
  }

  /** Bytes held now. */
  public long held() {
    return held;
  }

  /** Bytes that are waited for, 0 when none are. */
  public long wanted() {
    return asked == null ? 0 : asked.bytes();
  }

  /** The budget that was asked last. */
  public ByteBudget askedOf() {
    return askedOf;
  }

  /** Gives everything back; a second call does nothing. */
  public void close() {
    closed = true;
    tickets.forEach(Ticket::close);
    tickets.clear();
    asked = null;
    held = 0;
  }
}
