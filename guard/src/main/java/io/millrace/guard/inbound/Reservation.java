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
 * because what has arrived is in memory already. What grows beyond a small body is charged whole to
 * the large budget, and what it held of the small one is free for small bodies again.
 *
 * <p>Used by one event loop; only {@code onGrant} comes from elsewhere.
 */
public final class Reservation {
  private static final long FIRST_STEP = 64 << 10;
  private static final long LARGEST_STEP = 1 << 20;

  /** A connection's place in both lines, and how many of its requests wait: for its loop alone. */
  public static final class Flows {
    private final Flow small = new Flow();
    private final Flow large = new Flow();
    private int waiting;

    /** A request that came by this connection begins to wait, or waits no longer. */
    public void waits(boolean now) {
      waiting += now ? 1 : -1;
    }

    /** Whether one waits. */
    public boolean someWait() {
      return waiting > 0;
    }
  }

  private final InboundBudget budget;
  private final Flows flows;
  private final boolean declared;

  /** What is charged to {@link #askedOf}, the first one first. */
  private final List<Ticket> tickets = new ArrayList<>(1);

  /** The first ticket of a body that was charged to the small budget before; it holds nothing. */
  private @Nullable Ticket cameBy;

  private @Nullable Ticket asked;

  /**
   * Whether the large budget was asked for the whole body, in place of what the small one is
   * charged.
   */
  private boolean moves;

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
      take(asked);
    }
    if (closed || total <= held || total <= InboundBudget.FREE || !budget.on()) {
      return true;
    }
    long more = total - held;
    if (!declared) {
      more = Math.max(more, Math.clamp(held, FIRST_STEP, LARGEST_STEP));
    }
    asked = ask(total > budget.smallBody(), more, onGrant);
    if (asked.granted()) {
      take(asked);
      return true;
    }
    return false;
  }

  private Ticket ask(boolean isLarge, long more, Runnable onGrant) {
    if (tickets.isEmpty()) {
      askedOf = isLarge ? budget.large() : budget.small();
      return askedOf.ask(isLarge ? flows.large : flows.small, more, onGrant);
    }
    if (isLarge && askedOf == budget.small()) {
      askedOf = budget.large();
      moves = true;
      budget.outgrown(held);
      return askedOf.grow(null, held + more, onGrant);
    }
    return askedOf.grow(tickets.getFirst(), more, onGrant);
  }

  private void take(Ticket granted) {
    asked = null;
    if (moves) {
      stay();
      cameBy = tickets.removeFirst();
      giveBack();
      cameBy.empty();
    }
    tickets.add(granted);
    held += granted.bytes();
  }

  private void stay() {
    if (moves) {
      moves = false;
      budget.outgrown(-held);
    }
  }

  /** The first ticket comes back last: with it another body may exceed the limit. */
  private void giveBack() {
    while (!tickets.isEmpty()) {
      tickets.removeLast().close();
    }
    held = 0;
  }

  /** Bytes held now. */
  public long held() {
    return held;
  }

  /** Bytes that are waited for, 0 when none are. */
  public long wanted() {
    if (asked == null || asked.granted()) {
      return 0;
    }
    return moves ? asked.bytes() - held : asked.bytes();
  }

  /** Whether what was waited for is there, and was not taken by {@link #reserve} yet. */
  public boolean granted() {
    return asked != null && asked.granted();
  }

  /**
   * Whether it waits for the large budget with bytes of the small one that others wait for, and
   * such bodies hold more than half of that: a few large ones must not keep the small ones waiting.
   */
  public boolean inTheWay() {
    return moves && wanted() > 0 && budget.outgrownAreInTheWay();
  }

  /** The budget that was asked last. */
  public ByteBudget askedOf() {
    return askedOf;
  }

  /** Gives everything back; a second call does nothing. */
  public void close() {
    closed = true;
    if (asked != null) {
      asked.close();
      asked = null;
    }
    stay();
    giveBack();
    if (cameBy != null) {
      cameBy.close();
      cameBy = null;
    }
  }
}
