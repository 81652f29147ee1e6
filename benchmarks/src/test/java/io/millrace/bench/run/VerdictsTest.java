package io.millrace.bench.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.bench.run.BenchResult.GoalResult;
import io.millrace.bench.run.BenchResult.Verdict;
import io.millrace.bench.scenario.Goal;
import io.millrace.bench.scenario.Measure;
import io.millrace.bench.term.BenchFailure;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class VerdictsTest {
  private static Map<String, Map<Measure, List<Double>>> cpu(Object... sidesAndValues) {
    Map<String, Map<Measure, List<Double>>> figures = new HashMap<>();
    for (int i = 0; i < sidesAndValues.length; i += 2) {
      @SuppressWarnings("unchecked")
      List<Double> values = (List<Double>) sidesAndValues[i + 1];
      figures.put((String) sidesAndValues[i], Map.of(Measure.CPU_PER_DOC, values));
    }
    return figures;
  }

  @Test
  void aRatioIsTheMedianOfTheRatiosOfTheRounds() {
    Goal goal = Goal.atMost(0.5, Measure.CPU_PER_DOC, "new", "old", "half");
    GoalResult result =
        Verdicts.of(goal, cpu("new", List.of(20.0, 90.0, 18.0), "old", List.of(40.0, 100.0, 40.0)));
    assertEquals(0.5, result.figure());
    assertEquals(List.of(0.5, 0.9, 0.45), result.rounds());
    assertEquals(Verdict.MET, result.verdict());
  }

  @Test
  void aMissedGoalIsMissed() {
    Goal goal = Goal.atLeast(3, Measure.CPU_PER_DOC, "new", "old", "three times");
    assertEquals(
        Verdict.MISSED,
        Verdicts.of(goal, cpu("new", List.of(29.0), "old", List.of(10.0))).verdict());
  }

  @Test
  void theFloorIsTakenOffBoth() {
    Goal goal = Goal.atMost(0.5, Measure.CPU_PER_DOC, "new", "old", "half").above("floor");
    GoalResult result =
        Verdicts.of(goal, cpu("new", List.of(25.0), "old", List.of(40.0), "floor", List.of(20.0)));
    assertEquals(0.25, result.figure());
  }

  @Test
  void aDivisorThatIsNotAboveZeroGivesNoFigure() {
    Goal goal = Goal.atMost(0.5, Measure.CPU_PER_DOC, "new", "old", "half").above("floor");
    GoalResult result =
        Verdicts.of(goal, cpu("new", List.of(25.0), "old", List.of(19.0), "floor", List.of(20.0)));
    assertNull(result.figure());
    assertEquals(Verdict.NOT_MEASURED, result.verdict());
  }

  @Test
  void aSideThatDidNotRunGivesNoVerdict() {
    Goal goal = Goal.atMost(0.5, Measure.CPU_PER_DOC, "new", "old", "half");
    assertEquals(Verdict.NOT_MEASURED, Verdicts.of(goal, cpu("old", List.of(1.0))).verdict());
    assertEquals(Verdict.NOT_MEASURED, Verdicts.of(goal, cpu("new", List.of(1.0))).verdict());
  }

  @Test
  void aPlainFigureNeedsNoOtherSide() {
    Goal goal = Goal.atMost(5, Measure.CPU_PER_DOC, "new", null, "at most five");
    assertEquals(4.0, Verdicts.of(goal, cpu("new", List.of(4.0))).figure());
  }

  @Test
  void aFloorAloneGivesTheDifference() {
    Goal goal = Goal.atMost(20, Measure.CPU_PER_DOC, "new", null, "20 more").above("old");
    GoalResult result =
        Verdicts.of(goal, cpu("new", List.of(115.0, 95.0), "old", List.of(100.0, 100.0)));
    assertEquals(5.0, result.figure());
    assertEquals(List.of(15.0, -5.0), result.rounds());
    assertEquals(Verdict.MET, result.verdict());
  }

  @Test
  void heapSizesAreReadLikeTheJvmDoes() {
    assertEquals(512, RawRun.mebibytes("512m"));
    assertEquals(2048, RawRun.mebibytes("2G"));
    assertThrows(BenchFailure.class, () -> RawRun.mebibytes("lots"));
  }
}
