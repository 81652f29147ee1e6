package io.millrace.kernel.metric;

/**
 * What a metric tells besides its figure, for readers that add up over features and know none of
 * them by name: a guard that saves the node in silence leaves somebody wondering why a client gets
 * 429, and no stock counter moves then.
 */
public enum Tag {
  /** Counts request bodies refused for lack of memory or cut off because they came too slowly. */
  REFUSED_UPLOADS,

  /** Counts clients disconnected because they did not read what they asked for. */
  CLOSED_READERS,

  /** Counts searches and bulks stopped or refused so that the heap does not fill. */
  STOPPED_REQUESTS,

  /** For how long the body waits now that has waited longest for memory; milliseconds. */
  UPLOAD_WAIT,

  /**
   * Documents of the last minute of which a value was left out of the index or cut. Its labels
   * {@code index}, {@code field} and {@code source} say which.
   */
  LOST_VALUES,

  /** How many nodes without the plugin are, or may be elected, cluster manager. */
  MANAGERS_WITHOUT_PLUGIN,

  /** How many certificates that the node uses end soon. */
  ENDING_CERTIFICATES,

  /** Counts requests whose credentials were wrong: somebody guesses, or a client was forgotten. */
  FAILED_LOGINS,

  /** How many shards do not read their stream though nobody paused them. */
  STOPPED_STREAMS,

  /** How many indices read a stream whose records wait too long. */
  LATE_STREAMS
}
