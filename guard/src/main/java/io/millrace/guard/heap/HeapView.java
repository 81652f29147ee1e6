package io.millrace.guard.heap;

/** What is asked of a heap: how much of it outlived a collection, and what collecting took. */
public interface HeapView {
  /** Begins to watch; before it, figures of some collectors are 0. */
  default void start() {}

  /** Ends watching. */
  default void stop() {}

  /** Bytes that outlived a collection. */
  long bytes();

  /** The heap's upper limit, bytes. */
  long max();

  /** Time spent collecting so far, milliseconds. */
  long collectingMillis();
}
