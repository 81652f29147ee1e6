package io.millrace.it.support;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Work of several sides by turns, one after the other, the first of a round another each time. The
 * pieces are short and many, because a node merges and collects garbage when it likes: what counts
 * is the median of the ratios.
 */
public final class Turns {
  private static final int WARM_UP = 15;

  private Turns() {}

  /** Microseconds of CPU that one piece of work took. */
  public interface Piece {
    /** Does it once more. */
    double micros() throws Exception;
  }

  /** One of those that take turns. */
  public record Side(String name, Piece piece) {}

  /**
   * Prints the rounds, the median of each side, and that of the ratios of every two of a round.
   *
   * @param what a figure is for, for the lines
   */
  public static void of(int rounds, List<Side> sides, String what) throws Exception {
    List<List<Double>> figures = figures(rounds, sides, what);
    for (int i = 0; i < sides.size(); i++) {
      String name = sides.get(i).name();
      print("%s, %s: %.1f us in the median", what, name, quantile(figures.get(i).stream(), 2));
      for (int other = 0; other < i; other++) {
        String pair = what + ", " + name + " against " + sides.get(other).name();
        ratio(pair, figures.get(i), figures.get(other));
      }
    }
  }

  /** Microseconds of each side, round by round. */
  private static List<List<Double>> figures(int rounds, List<Side> sides, String what)
      throws Exception {
    List<List<Double>> figures = new ArrayList<>();
    sides.forEach(side -> figures.add(new ArrayList<>()));
    for (int round = 1 - WARM_UP; round <= rounds; round++) {
      for (int i = 0; i < sides.size(); i++) {
        int side = (i + round + WARM_UP) % sides.size();
        double micros = sides.get(side).piece().micros();
        print(
            "%s, %s, %s: %.1f us of CPU",
            round > 0 ? "round " + round : "warm-up", what, sides.get(side).name(), micros);
        if (round > 0) {
          figures.get(side).add(micros);
        }
      }
    }
    return figures;
  }

  private static void ratio(String pair, List<Double> own, List<Double> others) {
    List<Double> ratios =
        IntStream.range(0, own.size()).mapToObj(r -> own.get(r) / others.get(r)).toList();
    print(
        "%s: %.3f in the median of %d rounds, the middle half %.3f to %.3f",
        pair,
        quantile(ratios.stream(), 2),
        ratios.size(),
        quantile(ratios.stream(), 1),
        quantile(ratios.stream(), 3));
  }

  private static double quantile(Stream<Double> values, int quarters) {
    List<Double> sorted = values.sorted().toList();
    return sorted.get(sorted.size() * quarters / 4);
  }

  /** A line of a figure, whatever the language of the machine. */
  public static void print(String format, Object... values) {
    System.out.printf(Locale.ROOT, format + "%n", values);
  }
}
