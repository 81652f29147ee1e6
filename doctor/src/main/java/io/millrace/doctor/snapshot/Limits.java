package io.millrace.doctor.snapshot;

import java.time.Duration;

/**
 * What one examination may ask of a cluster.
 *
 * @param perRequest until an answer has to be there
 * @param answerBytes the longest answer that is read
 * @param window between the two answers that rates are told from
 * @param mappings how many indices' mappings are read, the largest and busiest of each family
 */
public record Limits(Duration perRequest, long answerBytes, Duration window, int mappings) {
  /** 30 s, 64 MiB, 5 s, 40 mappings: a cluster of 10,000 shards answers with some 10 MB. */
  public static final Limits DEFAULT =
      new Limits(Duration.ofSeconds(30), 64L << 20, Duration.ofSeconds(5), 40);

  /** The same with another window. */
  public Limits window(Duration value) {
    return new Limits(perRequest, answerBytes, value, mappings);
  }
}
