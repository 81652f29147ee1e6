package io.millrace.bench.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Kinds of queries of one side held against those of another. */
final class Kinds {
  private Kinds() {}

  /**
   * The largest ratio of CPU over all kinds, round by round; empty where no kind has CPU on both
   * sides.
   *
   * @param side figures of each round by kind
   * @param against what to divide by
   */
  static Optional<List<Double>> dearest(
      Map<String, List<Sample.QueryFigures>> side, Map<String, List<Sample.QueryFigures>> against) {
    List<Double> largest = new ArrayList<>();
    side.forEach((kind, rounds) -> {
      List<Sample.QueryFigures> others = against.getOrDefault(kind, List.of());
      for (int round = 0; round < Math.min(rounds.size(), others.size()); round++) {
        double divisor = others.get(round).cpuMicros();
        if (divisor > 0) {
          raise(largest, round, rounds.get(round).cpuMicros() / divisor);
        }
      }
    });
    return largest.isEmpty() ? Optional.empty() : Optional.of(largest);
  }

  private static void raise(List<Double> largest, int round, double ratio) {
    while (largest.size() <= round) {
      largest.add(0.0);
    }
    largest.set(round, Math.max(largest.get(round), ratio));
  }
}
