package io.millrace.search.blocksampler;

/**
 * Quantiles of Student's t distribution, for a mean whose spread comes from few values (M.
 * Abramowitz, I. Stegun, "Handbook of Mathematical Functions", 26.7.3 and 26.7.4).
 */
final class StudentT {
  private StudentT() {}

  /**
   * The t that the absolute value of a variable does not exceed with this chance.
   *
   * @param confidence above 0, below 1
   * @param degrees degrees of freedom, at least 1
   */
  static double quantile(double confidence, int degrees) {
    double low = 0;
    double high = 1;
    while (within(high, degrees) < confidence && high < 1e9) {
      high *= 2;
    }
    for (int i = 0; i < 80; i++) {
      double middle = (low + high) / 2;
      if (within(middle, degrees) < confidence) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return high;
  }

  /** The chance that the absolute value of a variable is at most t. */
  static double within(double t, int degrees) {
    double angle = Math.atan(t / Math.sqrt(degrees));
    double square = Math.cos(angle) * Math.cos(angle);
    boolean odd = degrees % 2 == 1;
    double term = odd ? Math.cos(angle) : 1;
    double sum = degrees == 1 ? 0 : term;
    for (int k = odd ? 3 : 2; k < degrees - 1; k += 2) {
      term *= square * (k - 1) / k;
      sum += term;
    }
    double sine = Math.sin(angle);
    return odd ? 2 / Math.PI * (angle + sine * sum) : sine * sum;
  }
}
