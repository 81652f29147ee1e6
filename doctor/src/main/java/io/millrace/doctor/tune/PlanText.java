package io.millrace.doctor.tune;

import io.millrace.doctor.unit.Units;
import java.util.List;

/** The diff as people read it. */
public final class PlanText {
  private static final int MOST_NAMES = 5;

  private PlanText() {}

  /**
   * Every change with its reason, and what is left alone.
   *
   * @param at the cluster's address
   */
  public static String of(TunePlan plan, String at) {
    StringBuilder text = new StringBuilder();
    text.append("What suits ")
        .append(plan.use().text())
        .append(" on ")
        .append(at)
        .append(" (")
        .append(Units.counted(plan.looked(), "index", "indices"))
        .append(" looked at)\n");
    for (Step step : plan.steps()) {
      text.append('\n').append(subject(step)).append(how(step)).append('\n');
      for (SettingDiff change : step.changes()) {
        text.append("  ")
            .append(change.key())
            .append(": ")
            .append(change.shown(change.from()))
            .append(" -> ")
            .append(change.shown(change.to()))
            .append("\n    ")
            .append(change.reason())
            .append('\n');
      }
    }
    if (plan.steps().isEmpty()) {
      text.append("\nNothing to change.\n");
    }
    if (!plan.notes().isEmpty()) {
      text.append("\nLeft alone\n");
      plan.notes().forEach(note -> text.append("  ").append(note).append('\n'));
    }
    return text.toString();
  }

  private static String how(Step step) {
    return switch (step.kind()) {
      case INDICES -> ", open as it is";
      case CLOSED_INDEX -> ": closed, set, opened again";
      case TEMPLATE, LEGACY_TEMPLATE ->
          step.before() == null
              ? ", new, for " + names(Globs.of(orEmpty(step)))
              : ", changed; the next index has it";
    };
  }

  private static com.fasterxml.jackson.databind.JsonNode orEmpty(Step step) {
    return java.util.Objects.requireNonNull(step.after());
  }

  /** What a step is about. */
  static String subject(Step step) {
    return switch (step.kind()) {
      case INDICES, CLOSED_INDEX ->
          (step.names().size() == 1 ? "index " : step.names().size() + " indices ")
              + names(step.names());
      case TEMPLATE -> "template " + step.names().getFirst();
      case LEGACY_TEMPLATE -> "template (of the older kind) " + step.names().getFirst();
    };
  }

  private static String names(List<String> names) {
    return String.join(", ", names.subList(0, Math.min(MOST_NAMES, names.size())))
        + (names.size() > MOST_NAMES ? " and " + (names.size() - MOST_NAMES) + " more" : "");
  }
}
