package io.millrace.it.yaml;

import java.util.Map;
import java.util.TreeMap;

/** Tests of the suite that fail on stock 3.8.0 as well, with the reason. */
final class KnownFailures {
  private KnownFailures() {}

  /** Reason by test path, from lines {@code path | reason}. */
  static Map<String, String> read() {
    Map<String, String> known = new TreeMap<>();
    add(known, "known-failures.txt");
    if (Boolean.getBoolean("millrace.yaml.optin")) {
      add(known, "opt-in-differences.txt");
      if (Integer.getInteger("millrace.yaml.shards", 1) > 1) {
        add(known, "opt-in-differences-shards.txt");
      }
    }
    return known;
  }

  private static void add(Map<String, String> known, String file) {
    for (String line : SuiteSelection.lines(file)) {
      int bar = line.indexOf(" | ");
      if (bar < 0) {
        throw new IllegalStateException("no reason in yaml/" + file + ": " + line);
      }
      known.put(line.substring(0, bar), line.substring(bar + 3));
    }
  }
}
