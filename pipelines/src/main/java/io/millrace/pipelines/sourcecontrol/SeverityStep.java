package io.millrace.pipelines.sourcecontrol;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How much a line matters, in the four steps that budgets know. */
enum SeverityStep {
  DEBUG,
  INFO,
  WARN_AND_ABOVE,
  NONE;

  /** The step of a level of any naming; NONE where there is none that is known. */
  static SeverityStep of(@Nullable String text) {
    if (text == null || text.isEmpty()) {
      return NONE;
    }
    String lower = text.toLowerCase(Locale.ROOT);
    if (lower.matches("(trace|debug|verbose|fine|dbg).*")) {
      return DEBUG;
    }
    if (lower.matches("(info|notice|config|log$).*")) {
      return INFO;
    }
    return lower.matches("(warn|err|fatal|crit|alert|emerg|severe|panic).*")
        ? WARN_AND_ABOVE
        : NONE;
  }

  String key() {
    return name().toLowerCase(Locale.ROOT);
  }
}
