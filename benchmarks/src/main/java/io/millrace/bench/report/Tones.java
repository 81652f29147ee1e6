package io.millrace.bench.report;

/** The number of colours that the style sheet names {@code tone0} to {@code tone7}. */
final class Tones {
  static final int COUNT = 8;

  private Tones() {}
}
