package io.millrace.bench.run;

/** Where the runner says what it is doing. */
public interface RunProgress {
  /** A new step, in words. */
  void step(String what);

  /** How far the current step is. */
  void at(long done, long total);

  /** A line that stays. */
  void line(String text);
}
