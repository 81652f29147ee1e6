package io.millrace.it.chaos;

/** Something that goes wrong for a while. */
interface Fault {
  /** What goes wrong, and where, in words for the time line. */
  String describe();

  /** Makes it go wrong. */
  void begin();

  /**
   * Looks whether it came about, before it ends.
   *
   * @throws AssertionError when nothing is wrong
   */
  default void verify() {}

  /** Ends it; the cluster may need time to heal. Called once, also when {@link #begin} failed. */
  void end();

  /** Whether it goes on until {@link #end}; else it is over when {@link #begin} returns. */
  default boolean lasts() {
    return true;
  }

  /**
   * Whether a node may live on without knowing what the others decide, and answer reads from what
   * it has.
   */
  boolean isolates();
}
