package io.millrace.it.support;

import java.util.Collection;
import java.util.List;

/** Nearest rank: a value that was measured, never one in between. */
public final class Percentile {
  private Percentile() {}

  /**
   * The value that so many percent of all do not exceed; 0 without any.
   *
   * @param percent above 0, up to 100
   */
  public static double of(Collection<Double> values, double percent) {
    List<Double> sorted = values.stream().sorted().toList();
    return sorted.isEmpty() ? 0 : sorted.get((int) Math.ceil(sorted.size() * percent / 100) - 1);
  }
}
