package io.millrace.kernel.report;

import java.util.Map;

/** What a node says about itself on one subject. */
@FunctionalInterface
public interface NodeReportSource {
  /**
   * The report now: names to numbers, words, booleans, lists and maps of the same. Must be cheap
   * and must not throw.
   */
  Map<String, Object> report();
}
