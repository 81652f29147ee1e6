package io.millrace.it.guard;

import java.util.Map;

/** Clients of one kind that stay with a node until they are closed. */
public interface Visitors extends AutoCloseable {
  /** Answers by status, or how connections ended, and how often. */
  Map<String, Integer> answers();

  /** All of them leave. */
  @Override
  void close() throws InterruptedException;
}
