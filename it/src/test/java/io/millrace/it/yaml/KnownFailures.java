package io.millrace.it.yaml;

import java.util.Map;
import java.util.TreeMap;

/** Tests of the suite that fail on stock 3.8.0 as well, with the reason. */
final class KnownFailures {
  private KnownFailures() {}

  /** Reason by test path, from lines {@code path | reason}. */
  static Map<String, String> read() {
    Map<String, String> known = new TreeMap<>();
    for (String line : SuiteSelection.lines("known-failures.txt")) {
      int bar = line.indexOf(" | ");
      if (bar < 0) {
        throw new IllegalStateException("no reason in yaml/known-failures.txt: " + line);
      }
      known.put(line.substring(0, bar), line.substring(bar + 3));
    }
    if (Boolean.getBoolean("millrace.yaml.optin")) {
      for (String line : SuiteSelection.lines("opt-in-differences.txt")) {
        int bar = line.indexOf(" | ");
        known.put(line.substring(0, bar), line.substring(bar + 3));
      }
    }
    return known;
  }
}
