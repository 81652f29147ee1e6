package io.millrace.bench.report;

import io.millrace.bench.answers.Comparison;
import io.millrace.bench.run.BenchResult;
import io.millrace.bench.run.BenchResult.GoalResult;
import io.millrace.bench.run.BenchResult.ScenarioResult;
import io.millrace.bench.run.BenchResult.SideResult;
import io.millrace.bench.run.BenchResult.Verdict;
import io.millrace.bench.scenario.Measure;
import io.millrace.bench.stats.Series;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The result in a few lines for the terminal: medians per side, then each goal and its figure. */
public final class BenchSummary {
  private static final List<Measure> SHOWN =
      List.of(
          Measure.CPU_PER_DOC,
          Measure.COMPILER_CPU_PER_DOC,
          Measure.DOCS_PER_SECOND,
          Measure.INDEX_BYTES_PER_DOC,
          Measure.CPU_PER_QUERY);

  private static final Set<Measure> PAUSES =
      EnumSet.of(Measure.P99_PAUSE, Measure.P99_AT_SAFEPOINT);

  private BenchSummary() {}

  public static String of(BenchResult result) {
    StringBuilder out = new StringBuilder();
    for (ScenarioResult scenario : result.scenarios()) {
      scenario(out, scenario);
    }
    return out.toString();
  }

  private static void scenario(StringBuilder out, ScenarioResult scenario) {
    out.append(
        String.format(
            Locale.ROOT,
            "%n%s: %s%n%,d documents per side and round, %d rounds%n",
            scenario.name(),
            scenario.title(),
            scenario.documents(),
            scenario.rounds()));
    for (SideResult side : scenario.sides()) {
      out.append(String.format(Locale.ROOT, "  %-26s", side.label()));
      if (side.unavailable() != null) {
        out.append(" not measured: ").append(side.unavailable()).append(System.lineSeparator());
        continue;
      }
      for (Measure measure : SHOWN) {
        List<Double> values = side.figures().get(measure);
        if (values != null && !values.isEmpty()) {
          Series series = Series.of(values);
          out.append(' ').append(shortName(measure)).append(' ');
          out.append(Figures.of(series.median()));
          out.append(series.size() == 1 ? "; " : " ±" + Figures.percent(series.spread()) + "; ");
        }
      }
      out.append(System.lineSeparator());
      if (scenario.goals().stream().anyMatch(goal -> PAUSES.contains(goal.measure()))) {
        pauses(out, side);
      }
    }
    scenario.goals().forEach(goal -> out.append("  ").append(line(goal)));
    for (Comparison answers : scenario.answers()) {
      out.append(
          String.format(
              Locale.ROOT,
              "  answers: %s against %s: %,d compared, %,d different%n",
              answers.side(),
              answers.reference(),
              answers.compared(),
              answers.different()));
    }
    scenario.problems().forEach(p -> out.append("  PROBLEM: ").append(p).append('\n'));
  }

  private static void pauses(StringBuilder out, SideResult side) {
    out.append(
        String.format(
            Locale.ROOT,
            "  %-26s longest / p99 of collections (%s), ms: total %s / %s; at safepoint %s / %s;"
                + " reaching it %s / %s%n",
            "",
            median(side, Measure.COLLECTION_PAUSES),
            median(side, Measure.LONGEST_PAUSE),
            median(side, Measure.P99_PAUSE),
            median(side, Measure.LONGEST_AT_SAFEPOINT),
            median(side, Measure.P99_AT_SAFEPOINT),
            median(side, Measure.LONGEST_REACHING),
            median(side, Measure.P99_REACHING)));
  }

  private static String median(SideResult side, Measure measure) {
    List<Double> values = side.figures().getOrDefault(measure, List.of());
    return values.isEmpty() ? "-" : Figures.of(Series.of(values).median());
  }

  private static String shortName(Measure measure) {
    return switch (measure) {
      case CPU_PER_DOC -> "CPU us/doc";
      case COMPILER_CPU_PER_DOC -> "of which compilers";
      case DOCS_PER_SECOND -> "docs/s";
      case INDEX_BYTES_PER_DOC -> "B/doc";
      case CPU_PER_QUERY -> "CPU us/query";
      default -> measure.unit();
    };
  }

  private static String line(GoalResult goal) {
    Double figure = goal.figure();
    return String.format(
        Locale.ROOT,
        "%-12s %s: %s (bound %s %s)%n",
        word(goal.verdict()),
        goal.promise(),
        figure == null ? "no figure" : Figures.of(figure),
        goal.atMost() ? "<=" : ">=",
        Figures.of(goal.bound()));
  }

  /** The verdict in words. */
  static String word(Verdict verdict) {
    return switch (verdict) {
      case MET -> "met";
      case MISSED -> "missed";
      case NOT_MEASURED -> "not measured";
    };
  }
}
