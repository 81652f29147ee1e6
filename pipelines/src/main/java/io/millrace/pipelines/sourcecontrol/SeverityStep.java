package io.millrace.pipelines.sourcecontrol;

import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** How much a line matters, in the four steps that budgets know. */
enum SeverityStep {
  DEBUG,
  INFO,
  WARN_AND_ABOVE,
  NONE;

  private static final Pattern DEBUGS = Pattern.compile("(trace|debug|verbose|fine|dbg).*");
  private static final Pattern INFOS = Pattern.compile("(info|notice|config|log$).*");
  private static final Pattern WARNINGS =
      Pattern.compile("(warn|err|fatal|crit|alert|emerg|severe|panic).*");

  /** The step of a level of any naming; NONE where there is none that is known. */
  static SeverityStep of(@Nullable String text) {
    if (text == null || text.isEmpty()) {
      return NONE;
    }
    String lower = text.toLowerCase(Locale.ROOT);
    if (DEBUGS.matcher(lower).matches()) {
      return DEBUG;
    }
    if (INFOS.matcher(lower).matches()) {
      return INFO;
    }
    return WARNINGS.matcher(lower).matches() ? WARN_AND_ABOVE : NONE;
  }

  String key() {
    return name().toLowerCase(Locale.ROOT);
  }
}
