package io.millrace.it.chaos;

/**
 * Something that a client was told and that is not so.
 *
 * @param kind which promise is broken
 * @param where index and document
 * @param text what was seen
 */
record Violation(Kind kind, String where, String text) {

  /** Promises that can be broken. */
  enum Kind {
    /** An acknowledged write is gone. */
    LOST,
    /** A document is there whose delete was acknowledged. */
    RESURRECTED,
    /** A read by id gave a version that an acknowledged write had replaced before. */
    STALE,
    /** A value that nobody wrote there, or not yet. */
    INVENTED,
    /** A document is there twice. */
    DOUBLED,
    /** The numbers of acknowledged writes do not rise, or two writes have the same. */
    NUMBERS,
    /** Copies of a shard differ after everything has healed. */
    DIVERGED,
    /** No order of the operations explains all answers. */
    NOT_LINEARIZABLE,
    /** The search for such an order was given up. */
    UNDECIDED,
    /** The cluster did not come back by itself. */
    NOT_HEALED
  }

  @Override
  public String toString() {
    return kind + " " + where + ": " + text;
  }
}
