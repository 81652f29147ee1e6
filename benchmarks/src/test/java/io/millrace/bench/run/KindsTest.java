package io.millrace.bench.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class KindsTest {
  private static List<Sample.QueryFigures> cpu(double... micros) {
    return Arrays.stream(micros).mapToObj(each -> new Sample.QueryFigures(1, 0, 0, each)).toList();
  }

  @Test
  void theDearestKindOfEachRoundCounts() {
    assertEquals(
        Optional.of(List.of(3.0, 2.0)),
        Kinds.dearest(
            Map.of("phrase", cpu(30, 10), "term", cpu(5, 20)),
            Map.of("phrase", cpu(10, 10), "term", cpu(10, 10))));
  }

  @Test
  void aKindThatTheOtherSideDoesNotHaveOrThatTookNothingIsLeftOut() {
    assertEquals(
        Optional.of(List.of(0.5)),
        Kinds.dearest(
            Map.of("a", cpu(5), "b", cpu(7), "c", cpu(9)), Map.of("a", cpu(10), "b", cpu(0))));
    assertEquals(Optional.empty(), Kinds.dearest(Map.of("a", cpu(5)), Map.of()));
  }
}
