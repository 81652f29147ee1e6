package io.millrace.guard.inbound;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that requests may hold at once; who does not fit waits in line.
 *
 * <p>The line is start-time fair queueing (Goyal, Vin, Cheng: "Start-time Fair Queueing", SIGCOMM
 * 1996): every connection has a {@link Flow}, a ticket's place is the later of the line's virtual
 * time and the end of its connection's last ticket. Connections that wait therefore get equal
 * shares of bytes, however large their bodies are, and one that asked for little goes before one
 * that has just been served much. Who leaves the line without bytes is charged nothing. Within a
 * connection the order is that of asking. The first in line is never passed by a smaller one behind
 * it, so nobody starves.
 *
 * <p>A ticket larger than the whole budget is granted when nothing else is. What grows goes to the
 * head of the line and, if it does not fit there, exceeds the limit until it is whole and served;
 * one body at a time. Bodies that all hold a part, and none of which fits with the next, are
 * therefore served one after another instead of waiting for each other. Either way at most budget
 * plus one body are held.
 *
 * <p>What is granted leaves this line for the node's own queue of writes, where first come is first
 * served and nobody's share is kept. So the line also holds back while that queue is long enough to
 * keep the node busy ({@link #pace}): the waiting is done where it is fair, and what the node holds
 * is little more than what it works on. That queue tells nobody when it becomes short: while it
 * alone holds the line back, every new ticket and a timer of the pace look at it again.
 *
 * <p>Thread-safe; what waits is told outside of the lock.
 */
public final class ByteBudget {
  /**
   * How many tickets one look at the paced line may grant, beyond one for each that came back.
   * Tickets granted before may not have reached the queue yet.
   */
  private static final int STEP = 2;

  private final LongSupplier nanoTime;
  private final TreeSet<Ticket> line =
      new TreeSet<>(
          Comparator.<Ticket>comparingLong(ticket -> ticket.place)
              .thenComparingLong(ticket -> ticket.number));
  private final DrainRate drain;
  private long limit;
  private long used;
  private long peak;
  private long waitingBytes;
  private long virtualTime;
  private long tickets;
  private Pace pace = Pace.NONE;
  private int holders;
  private int newOnes;
  private long paced;
  private boolean looking;

  /** First ticket of the one body that exceeds the limit; null while none does. */
  private @Nullable Ticket beyond;

  /**
   * An empty budget.
   *
   * @param limit bytes that may be held at once
   * @param nanoTime the clock, {@link System#nanoTime} outside of tests
   */
  public ByteBudget(long limit, LongSupplier nanoTime) {
    this.limit = limit;
    this.nanoTime = nanoTime;
    this.drain = new DrainRate(nanoTime);
  }

  /** What one connection got from one budget so far, in virtual time. */
  public static final class Flow {
    private long end;
    private long last;
    private int waiting;

    /** The place of its next ticket: not before one that waits, whatever was taken back since. */
    private long next(long virtualTime, long bytes) {
      long start = Math.max(virtualTime, end);
      end = start + bytes;
      last = waiting > 0 ? Math.max(start, last) : start;
      return last;
    }
  }

  /** Bytes that were asked for: waiting, then granted, then closed. */
  public final class Ticket {
    private final @Nullable Flow flow;
    private final Ticket first;
    private final long place;
    private final long number = tickets++;
    private final Runnable onGrant;
    private final long asked = nanoTime.getAsLong();
    private long bytes;
    private boolean granted;
    private boolean closed;

    private Ticket(
        @Nullable Flow flow, @Nullable Ticket of, long bytes, long place, Runnable onGrant) {
      this.flow = flow;
      this.first = of == null ? this : of.first;
      this.bytes = bytes;
      this.place = place;
      this.onGrant = onGrant;
    }

    /** How many bytes were asked for, or are held. */
    public long bytes() {
      synchronized (ByteBudget.this) {
        return bytes;
      }
    }

    /** Whether the bytes are held. */
    public boolean granted() {
      synchronized (ByteBudget.this) {
        return granted && !closed;
      }
    }

    /** Gives the bytes back, or leaves the line; a second call does nothing. */
    public void close() {
      List<Ticket> next;
      synchronized (ByteBudget.this) {
        if (closed) {
          return;
        }
        closed = true;
        if (granted) {
          drain.count(bytes);
          giveBack(this);
          holders -= flow == null ? 0 : 1;
        } else {
          remove(this);
          if (flow != null) {
            flow.end -= bytes;
          }
        }
        next = grantable(STEP);
      }
      settle(next);
    }

    /**
     * Gives the bytes of a granted ticket back, while its body goes on with bytes of another
     * budget: until the ticket is closed it still counts as one that came by this line.
     */
    public void empty() {
      List<Ticket> next;
      synchronized (ByteBudget.this) {
        if (closed || !granted) {
          throw new IllegalStateException("holds nothing");
        }
        giveBack(this);
        next = grantable(STEP);
      }
      settle(next);
    }
  }

  /**
   * Asks for the bytes of a new body, or for its first ones.
   *
   * @param flow the connection's
   * @param onGrant called at most once, on any thread, and only when the ticket had to wait
   * @return the ticket, granted or waiting
   */
  public Ticket ask(Flow flow, long bytes, Runnable onGrant) {
    Ticket ticket;
    List<Ticket> next;
    synchronized (this) {
      ticket = new Ticket(flow, null, bytes, flow.next(virtualTime, bytes), onGrant);
      add(ticket);
      // one comes back, one goes: as many as without the pace, but the first in line goes
      next = grantable(1);
      if (!next.remove(ticket) && line.first() == ticket && heldBack()) {
        paced++;
      }
    }
    settle(next);
    return ticket;
  }

  /**
   * Asks for more bytes of a body that has begun to arrive, at the head of the line.
   *
   * @param of the body's first ticket, which must come back last; null when it has none here yet
   * @param onGrant called at most once, on any thread, and only when the ticket had to wait
   * @return the ticket, granted or waiting
   */
  public Ticket grow(@Nullable Ticket of, long bytes, Runnable onGrant) {
    synchronized (this) {
      Ticket ticket = new Ticket(null, of, bytes, Long.MIN_VALUE, onGrant);
      if (fits(ticket)) {
        grant(ticket);
      } else {
        add(ticket);
      }
      return ticket;
    }
  }

  /** Sets the bytes that may be held at once; whoever fits now is told. */
  public void limit(long bytes) {
    List<Ticket> next;
    synchronized (this) {
      limit = bytes;
      beyond = used <= limit ? null : beyond;
      next = grantable(STEP);
    }
    settle(next);
  }

  /** Sets what the line waits for besides bytes; whoever may go now is told. */
  public void pace(Pace by) {
    List<Ticket> next;
    synchronized (this) {
      pace = by;
      next = grantable(STEP);
    }
    settle(next);
  }

  private void look() {
    List<Ticket> next;
    synchronized (this) {
      looking = false;
      next = grantable(STEP);
    }
    settle(next);
  }

  /** Tells who may go and, while only the pace holds the rest back, has it looked at again. */
  private void settle(List<Ticket> granted) {
    for (Ticket ticket : granted) {
      ticket.onGrant.run();
    }
    Pace by;
    synchronized (this) {
      if (looking || !heldBack()) {
        return;
      }
      looking = true;
      by = pace;
    }
    by.later(this::look);
  }

  /**
   * Whether there are bytes for a ticket. What grows may exceed the limit: the one body that does,
   * or the next one while none does.
   */
  private boolean fits(Ticket ticket) {
    return used == 0
        || used + ticket.bytes <= limit
        || (ticket.flow == null && (beyond == null || beyond == ticket.first));
  }

  private void add(Ticket ticket) {
    line.add(ticket);
    waitingBytes += ticket.bytes;
    if (ticket.flow != null) {
      ticket.flow.waiting++;
      newOnes++;
    }
  }

  private void remove(Ticket ticket) {
    line.remove(ticket);
    waitingBytes -= ticket.bytes;
    if (ticket.flow != null) {
      ticket.flow.waiting--;
      newOnes--;
    }
  }

  private void grant(Ticket ticket) {
    ticket.granted = true;
    holders += ticket.flow == null ? 0 : 1;
    used += ticket.bytes;
    peak = Math.max(peak, used);
    virtualTime = Math.max(virtualTime, ticket.place);
    if (used > limit) {
      beyond = ticket.first;
    }
  }

  private void giveBack(Ticket ticket) {
    used -= ticket.bytes;
    ticket.bytes = 0;
    if (used <= limit || beyond == ticket) {
      beyond = null;
    }
  }

  /** Grants what may go, and of what only the pace holds back so many where the queue is short. */
  private List<Ticket> grantable(int step) {
    List<Ticket> next = new ArrayList<>(1);
    int most = pace.most();
    int more = 0;
    while (!line.isEmpty() && fits(line.first())) {
      Ticket ticket = line.first();
      if (ticket.flow != null && holders >= most && (more++ == step || pace.queued() >= most)) {
        break;
      }
      remove(ticket);
      grant(ticket);
      next.add(ticket);
    }
    return next;
  }

  /** Bytes held now. */
  public synchronized long used() {
    return used;
  }

  /** The most bytes that were held at once since the start. */
  public synchronized long peak() {
    return peak;
  }

  /** Bytes that may be held at once. */
  public synchronized long limit() {
    return limit;
  }

  /** How many wait in line. */
  public synchronized int waiting() {
    return line.size();
  }

  /** How long the ticket that waits longest has waited, in nanoseconds; 0 with an empty line. */
  public synchronized long longestWaitNanos() {
    long now = nanoTime.getAsLong();
    long longest = 0;
    for (Ticket ticket : line) {
      longest = Math.max(longest, now - ticket.asked);
    }
    return longest;
  }

  /** Whether the line waits for the queue of writes: there are bytes for the first in it. */
  public synchronized boolean heldBack() {
    return !line.isEmpty() && fits(line.first());
  }

  /** Whether bodies of which nothing is held yet wait for bytes to come back. */
  public synchronized boolean newOnesWaitForBytes() {
    return newOnes > 0 && !fits(line.first());
  }

  /** How many writes wait for a thread now. */
  public synchronized int queued() {
    return pace.queued();
  }

  /** Tickets that had to wait for the queue of writes, though their bytes would have fit. */
  public synchronized long paced() {
    return paced;
  }

  /** Bytes given back per second, smoothed; 0 until the first second has passed. */
  public synchronized double drainRate() {
    return drain.perSecond();
  }

  /**
   * In how many seconds what waits now will have been served at the measured rate: what a refused
   * client is told.
   *
   * @return 1 to 30
   */
  public synchronized int secondsToDrain() {
    return drain.secondsFor(used + waitingBytes);
  }
}
