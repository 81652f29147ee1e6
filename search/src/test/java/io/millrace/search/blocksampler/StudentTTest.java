package io.millrace.search.blocksampler;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class StudentTTest {
  /** From the table of the distribution in every textbook. */
  @Test
  void quantilesAreThoseOfTheTable() {
    assertEquals(12.706, StudentT.quantile(0.95, 1), 0.001);
    assertEquals(4.303, StudentT.quantile(0.95, 2), 0.001);
    assertEquals(3.182, StudentT.quantile(0.95, 3), 0.001);
    assertEquals(2.306, StudentT.quantile(0.95, 8), 0.001);
    assertEquals(2.262, StudentT.quantile(0.95, 9), 0.001);
    assertEquals(3.250, StudentT.quantile(0.99, 9), 0.001);
    assertEquals(1.833, StudentT.quantile(0.90, 9), 0.001);
  }
}
