package io.millrace.guard.http;

/**
 * What a {@link RequestGate} does with the next message of its connection, and what it may do after
 * that.
 *
 * <pre>
 *              not admitted          its wait is over          its turn to answer
 *   PASSING ----------------&gt; WAITING --------------&gt; REFUSED -----+-----------&gt; DISCARDING
 *      ^                        |                                  |                |
 *      |  bytes or room came    |                                  +-----&gt; ENDING   |
 *      +------------------------+                                                   |
 *      +----------------------------------------------------------------------------+
 *                                  the body has ended
 * </pre>
 *
 * <p>From each of them to {@link #CLOSED}: the peer hung up, its body came too slowly, or what was
 * to be thrown away before the end has come.
 */
enum GateState {
  /** Between requests, or in a body whose bytes are reserved: what comes is passed on. */
  PASSING,

  /** For bytes or for room in the pipeline: nothing is read, and what was read is held. */
  WAITING,

  /** It waited too long; its answer has to wait for the answers to earlier requests. */
  REFUSED,

  /** Answered; the rest of its body is thrown away, then the connection serves on. */
  DISCARDING,

  /** Answered; the rest of its body is thrown away for a while, then the connection is closed. */
  ENDING,

  /** Nothing is passed on, held or owed any more. */
  CLOSED;

  /** Whether the connection is not read, and what was read is kept in order. */
  boolean holds() {
    return this == WAITING || this == REFUSED;
  }

  /** Whether what comes is thrown away. */
  boolean discards() {
    return this == DISCARDING || this == ENDING;
  }

  /** Whether a gate may go from here to there. */
  boolean leadsTo(GateState next) {
    return next == CLOSED
        ? this != CLOSED
        : switch (this) {
          case PASSING -> next == WAITING;
          case WAITING -> next == PASSING || next == REFUSED;
          case REFUSED -> next == DISCARDING || next == ENDING;
          case DISCARDING -> next == PASSING;
          case ENDING, CLOSED -> false;
        };
  }
}
