package io.millrace.guard.inbound;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.function.LongSupplier;

/**
 * Bytes that requests may hold at once; who does not fit waits in line.
 *
 * <p>The line is start-time fair queueing (Goyal, Vin, Cheng: "Start-time Fair Queueing", SIGCOMM
 * 1996): every connection has a {@link Flow}, a ticket's place is the later of the line's virtual
 * time and the end of its connection's last ticket. Connections that wait therefore get equal
 * shares of bytes, however large their bodies are, and one that asked for little goes before one
 * that has just been served much. Within a connection the order is that of asking. The first in
 * line is never passed by a smaller one behind it, so nobody starves.
 *
 * <p>A ticket larger than the whole budget is granted when nothing else is: at most budget plus one
 * body are held.
 *
 * <p>What is granted leaves this line for the node's own queue of writes, where first come is first
 * served and nobody's share is kept. So the line also holds back while that queue is long enough to
 * keep the node busy ({@link #pace}): the waiting is done where it is fair, and what the node holds
 * is little more than what it works on.
 *
 * <p>Thread-safe; what waits is told outside of the lock.
 */
public final class ByteBudget {
  private static final long SECOND = 1_000_000_000L;

  /**
   * How many a returned ticket may let go while the line is paced: one in its place and one more,
   * since what was granted before may not have come to the queue yet.
   */
  private static final int STEP = 2;

  private final LongSupplier nanoTime;
  private final TreeSet<Ticket> line =
      new TreeSet<>(
          Comparator.<Ticket>comparingLong(ticket -> ticket.place)
              .thenComparingLong(ticket -> ticket.number));
  private long limit;
  private long used;
  private long peak;
  private long waitingBytes;
  private long virtualTime;
  private long tickets;
  private long drainedSince;
  private long drained;
  private double drainRate;
  private Pace pace = Pace.NONE;
  private int holders;
  private long paced;

  /**
   * An empty budget.
   *
   * @param limit bytes that may be held at once
   * @param nanoTime the clock, {@link System#nanoTime} outside of tests
   */
  public ByteBudget(long limit, LongSupplier nanoTime) {
    this.limit = limit;
    this.nanoTime = nanoTime;
    this.drainedSince = nanoTime.getAsLong();
  }

  /** What one connection got from one budget so far, in virtual time. */
  public static final class Flow {
    private long end;
  }

  /** Bytes that were asked for: waiting, then granted, then closed. */
  public final class Ticket {
    private final long bytes;
    private final long place;
    private final long number;
    private final boolean grows;
    private final Runnable onGrant;
    private final long asked = nanoTime.getAsLong();
    private boolean granted;
    private boolean closed;

    private Ticket(long bytes, long place, long number, boolean grows, Runnable onGrant) {
      this.bytes = bytes;
      this.place = place;
      this.number = number;
      this.grows = grows;
      this.onGrant = onGrant;
    }

    /** How many bytes were asked for. */
    public long bytes() {
      return bytes;
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
          used -= bytes;
          if (!grows) {
            holders--;
          }
          count(bytes);
        } else {
          line.remove(this);
          waitingBytes -= bytes;
        }
        next = grantable();
      }
      tell(next);
    }
  }

  /**
   * Asks for bytes.
   *
   * @param flow the connection's
   * @param onGrant called at most once, on any thread, and only when the ticket had to wait
   * @param first whether to go to the head of the line: a body that has begun to arrive and grows
   * @return the ticket, granted or waiting
   */
  public Ticket ask(Flow flow, long bytes, boolean first, Runnable onGrant) {
    synchronized (this) {
      long start = first ? Long.MIN_VALUE : Math.max(virtualTime, flow.end);
      if (!first) {
        flow.end = start + bytes;
      }
      Ticket ticket = new Ticket(bytes, start, tickets++, first, onGrant);
      boolean turn = (line.isEmpty() || first) && fits(bytes);
      if (turn && (first || !full(pace.most()))) {
        grant(ticket);
      } else {
        if (turn) {
          paced++;
        }
        line.add(ticket);
        waitingBytes += bytes;
      }
      return ticket;
    }
  }

  /** Sets the bytes that may be held at once; whoever fits now is told. */
  public void limit(long bytes) {
    List<Ticket> next;
    synchronized (this) {
      limit = bytes;
      next = grantable();
    }
    tell(next);
  }

  /** Sets what the line waits for besides bytes; whoever may go now is told. */
  public void pace(Pace by) {
    List<Ticket> next;
    synchronized (this) {
      pace = by;
      next = grantable();
    }
    tell(next);
  }

  /** Whether what is held keeps the node busy. */
  private boolean full(int most) {
    return holders >= most && pace.queued() >= most;
  }

  private boolean fits(long bytes) {
    return used == 0 || used + bytes <= limit;
  }

  private void grant(Ticket ticket) {
    ticket.granted = true;
    if (!ticket.grows) {
      holders++;
    }
    used += ticket.bytes;
    peak = Math.max(peak, used);
    virtualTime = Math.max(virtualTime, ticket.place);
  }

  private List<Ticket> grantable() {
    if (line.isEmpty()) {
      return List.of();
    }
    List<Ticket> next = new ArrayList<>();
    int most = pace.most();
    int beyond = 0;
    while (!line.isEmpty() && fits(line.first().bytes)) {
      if (!line.first().grows && holders >= most && (beyond++ == STEP || full(most))) {
        break;
      }
      Ticket ticket = line.removeFirst();
      waitingBytes -= ticket.bytes;
      grant(ticket);
      next.add(ticket);
    }
    return next;
  }

  private static void tell(List<Ticket> granted) {
    for (Ticket ticket : granted) {
      ticket.onGrant.run();
    }
  }

  private void count(long bytes) {
    drained += bytes;
    long now = nanoTime.getAsLong();
    long elapsed = now - drainedSince;
    if (elapsed >= SECOND) {
      double rate = drained * (double) SECOND / elapsed;
      drainRate = drainRate == 0 ? rate : 0.7 * drainRate + 0.3 * rate;
      drained = 0;
      drainedSince = now;
    }
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

  /**
   * How long the one that has waited longest waits by now, in nanoseconds; 0 with an empty line.
   */
  public synchronized long longestWaitNanos() {
    long now = nanoTime.getAsLong();
    long longest = 0;
    for (Ticket ticket : line) {
      longest = Math.max(longest, now - ticket.asked);
    }
    return longest;
  }

  /** How many writes wait for a thread where they keep the line waiting, else 0. */
  public synchronized int queueInFront() {
    return full(pace.most()) ? pace.queued() : 0;
  }

  /** Tickets that had to wait for the queue of writes, though their bytes would have fit. */
  public synchronized long paced() {
    return paced;
  }

  /** Bytes given back per second, smoothed; 0 until the first second has passed. */
  public synchronized double drainRate() {
    return drainRate;
  }

  /**
   * In how many seconds what waits now will have been served at the measured rate: what a refused
   * client is told.
   *
   * @return 1 to 30
   */
  public synchronized int secondsToDrain() {
    if (drainRate < 1) {
      return 5;
    }
    return (int) Math.clamp(Math.ceil((used + waitingBytes) / drainRate), 1, 30);
  }
}
