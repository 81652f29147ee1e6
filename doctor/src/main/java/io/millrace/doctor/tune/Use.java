package io.millrace.doctor.tune;

import io.millrace.doctor.snapshot.Index;
import java.util.Locale;

/** What indices are for. */
public enum Use {
  /** Log lines: many writes, few searches, found within 30 s. */
  LOGS,
  /** Spans of traces: many writes, few searches, found within minutes. */
  TRACES,
  /** Documents that people search: few writes, many searches, nothing may be lost. */
  SEARCH;

  private static final String TRACES_NAMES =
      "(?i)(.*[._-])?(traces?|spans?|skywalking|sw|segment|jaeger|zipkin)([._-].*)?";

  /** As users write it. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Whether the name of an index says that it is for this. No name says that an index is for
   * search: those have to be named.
   */
  public boolean claims(Index index) {
    boolean traces = index.name().matches(TRACES_NAMES);
    return switch (this) {
      case LOGS -> index.logs() && !traces;
      case TRACES -> traces;
      case SEARCH -> false;
    };
  }
}
