package io.millrace.kernel.slot;

import org.apache.lucene.store.AlreadyClosedException;

/** What only the engine itself can do for the hooks in it: separate the past from what comes. */
public interface WriteBarrier {

  /**
   * Waits until every operation that the engine had begun has ended, then makes the internal reader
   * show them all; what searches see does not change. New operations wait with it, for as long as
   * the longest operation in flight takes. Not to be called from within an operation.
   *
   * @param reason appears in the statistics and logs of the refresh
   * @throws AlreadyClosedException if the engine is closed
   */
  void settle(String reason);

  /** Whether the engine is closed or failed: who holds one of its readers should let go of it. */
  boolean closed();
}
