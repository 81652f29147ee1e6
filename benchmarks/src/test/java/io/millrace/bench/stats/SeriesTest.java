package io.millrace.bench.stats;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class SeriesTest {
  @Test
  void medianIsTheMiddleOrTheMeanOfTheTwoInTheMiddle() {
    assertEquals(3, Series.of(9, 1, 3).median());
    assertEquals(2.5, Series.of(4, 1, 2, 3).median());
    assertEquals(7, Series.of(7).median());
  }

  @Test
  void percentilesInterpolateBetweenRanks() {
    Series series = Series.of(10, 20, 30, 40, 50);
    assertEquals(10, series.percentile(0));
    assertEquals(50, series.percentile(100));
    assertEquals(48, series.percentile(95), 1e-9);
    assertThrows(IllegalArgumentException.class, () -> series.percentile(101));
  }

  @Test
  void spreadIsHalfTheRangeOverTheMedian() {
    assertEquals(0.1, Series.of(90, 100, 110).spread(), 1e-9);
    assertEquals(0, Series.of(5).spread());
    assertEquals(0, Series.of(0, 0).spread());
  }

  @Test
  void ratiosAreTakenRoundByRound() {
    // a disturbed second round disturbs both sides: the ratio stays
    Series ratio = Series.of(20, 60, 20).over(Series.of(40, 120, 40));
    assertArrayEquals(new double[] {0.5, 0.5, 0.5}, ratio.values());
    assertThrows(IllegalArgumentException.class, () -> Series.of(1, 2).over(Series.of(1)));
  }

  @Test
  void keepsTheOrderOfRoundsAndItsOwnCopy() {
    double[] given = {3, 1, 2};
    Series series = Series.of(given);
    given[0] = 99;
    assertArrayEquals(new double[] {3, 1, 2}, series.values());
  }

  @Test
  void refusesWhatIsNoFigure() {
    assertThrows(IllegalArgumentException.class, () -> Series.of(new double[0]));
    assertThrows(IllegalArgumentException.class, () -> Series.of(1, Double.NaN));
    assertThrows(IllegalArgumentException.class, () -> Series.of(Double.POSITIVE_INFINITY));
  }
}
