package io.millrace.kernel.slot;

/**
 * The places of the features' transport interceptors, from the outermost, which sees a request
 * first and its answer last, to the one next to the handler.
 */
public enum TransportOrder {
  /** Counts what requests and answers hold, and may stop them. */
  LIMIT,
  /** Keeps a request until it is its turn. */
  TURN,
  /** Does work that a request needs before it is handled. */
  PREPARE
}
