package io.millrace.bench.run;

import io.millrace.bench.answers.AnswerSheet;
import io.millrace.bench.os.IndexFiles;
import io.millrace.bench.scenario.Measure;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What one side gave in one round.
 *
 * @param figures the measures that were taken
 * @param bytes index bytes by file ending
 * @param kinds per kind of query: p50 and p99 in milliseconds, server CPU in us
 * @param answers what the searches answered
 * @param found documents that a count finds
 * @param command how the process was started
 */
public record Sample(
    Map<Measure, Double> figures,
    Map<String, Long> bytes,
    Map<String, QueryFigures> kinds,
    AnswerSheet answers,
    long found,
    List<String> command) {

  /** Latency and CPU of one kind of query. */
  public record QueryFigures(int queries, double p50Millis, double p99Millis, double cpuMicros) {}

  /** Index bytes by what they hold. */
  public Map<String, Long> parts() {
    return parts(bytes);
  }

  /** Sums bytes by file ending into bytes by what the files hold. */
  public static Map<String, Long> parts(Map<String, Long> byEnding) {
    Map<String, Long> parts = new TreeMap<>();
    byEnding.forEach((ending, size) -> parts.merge(IndexFiles.part(ending), size, Long::sum));
    return parts;
  }
}
