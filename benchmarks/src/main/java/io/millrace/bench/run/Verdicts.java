package io.millrace.bench.run;

import io.millrace.bench.run.BenchResult.GoalResult;
import io.millrace.bench.run.BenchResult.Verdict;
import io.millrace.bench.scenario.Goal;
import io.millrace.bench.scenario.Measure;
import io.millrace.bench.stats.Series;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Holds the figures of a scenario against its goals. */
final class Verdicts {
  private Verdicts() {}

  /**
   * The result of one goal.
   *
   * @param figures one value per round, by side and measure; sides that did not run are missing
   */
  static GoalResult of(Goal goal, Map<String, Map<Measure, List<Double>>> figures) {
    Series side = series(figures, goal.side(), goal.measure());
    Series against =
        goal.against() == null ? null : series(figures, goal.against(), goal.measure());
    Series floor = goal.floor() == null ? null : series(figures, goal.floor(), goal.measure());
    boolean missing =
        side == null
            || (goal.against() != null && against == null)
            || (goal.floor() != null && floor == null);
    if (missing || side == null) {
      return new GoalResult(
          goal.promise(),
          goal.measure(),
          how(goal),
          goal.atMost(),
          goal.bound(),
          null,
          List.of(),
          Verdict.NOT_MEASURED);
    }
    Series figure = above(side, floor);
    if (against != null) {
      figure = ratio(figure, above(against, floor));
    }
    if (figure == null) {
      return new GoalResult(
          goal.promise(),
          goal.measure(),
          how(goal) + " (the divisor was not above zero)",
          goal.atMost(),
          goal.bound(),
          null,
          List.of(),
          Verdict.NOT_MEASURED);
    }
    double median = figure.median();
    boolean met = goal.atMost() ? median <= goal.bound() : median >= goal.bound();
    List<Double> rounds = new ArrayList<>();
    for (double value : figure.values()) {
      rounds.add(value);
    }
    return new GoalResult(
        goal.promise(),
        goal.measure(),
        how(goal),
        goal.atMost(),
        goal.bound(),
        median,
        rounds,
        met ? Verdict.MET : Verdict.MISSED);
  }

  private static Series above(Series series, @Nullable Series floor) {
    if (floor == null) {
      return series;
    }
    double[] values = series.values();
    double[] floors = floor.values();
    for (int i = 0; i < values.length; i++) {
      values[i] -= floors[i];
    }
    return Series.of(values);
  }

  /** The quotient round by round, or null where a divisor is not above zero. */
  private static @Nullable Series ratio(Series side, Series against) {
    return against.min() <= 0 ? null : side.over(against);
  }

  private static @Nullable Series series(
      Map<String, Map<Measure, List<Double>>> figures, String side, Measure measure) {
    List<Double> values = figures.getOrDefault(side, Map.of()).get(measure);
    return values == null || values.isEmpty() ? null : Series.of(values);
  }

  /** What the figure is, in words. */
  static String how(Goal goal) {
    String above = goal.floor() == null ? "" : ", each less '" + goal.floor() + "'";
    String ratio = goal.against() == null ? "" : " / '" + goal.against() + "'";
    return goal.measure().title() + ": '" + goal.side() + "'" + ratio + above;
  }
}
