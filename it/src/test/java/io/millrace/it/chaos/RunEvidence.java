package io.millrace.it.chaos;

import java.util.ArrayList;
import java.util.List;

/**
 * What a run needs so that it proves something when it finds no violation: clients that lived to
 * its end, writes that were acknowledged, and faults that came about. Safe for several threads.
 */
final class RunEvidence {
  private final List<String> missing = new ArrayList<>();

  /** A client ended before its time: what it would have seen is not checked. */
  synchronized void clientFailed(Throwable failure) {
    missing.add("a client ended before its time: " + failure);
  }

  /**
   * How often something happened without which nothing is tested.
   *
   * @param what in words, for the message
   */
  synchronized void happened(String what, long count) {
    if (count == 0) {
      missing.add(what + ": 0");
    }
  }

  /** What is missing, in words; empty for a run that proves something. */
  synchronized List<String> missing() {
    return List.copyOf(missing);
  }
}
