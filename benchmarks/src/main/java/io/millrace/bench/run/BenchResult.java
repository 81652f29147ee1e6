package io.millrace.bench.run;

import io.millrace.bench.answers.Comparison;
import io.millrace.bench.scenario.Measure;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Everything a run found: the content of {@code results.json}, and all that the report is made of.
 *
 * @param title of the run
 * @param machine facts about the machine, in reading order
 * @param revision git revision of the sources, with {@code +changes} where the tree was not clean
 * @param command the command line that was typed
 * @param parameters of the run by option
 * @param scenarios in the order they ran
 * @param seconds the whole run took
 */
public record BenchResult(
    String title,
    Map<String, String> machine,
    String revision,
    String command,
    Map<String, String> parameters,
    List<ScenarioResult> scenarios,
    long seconds) {

  /**
   * One comparison.
   *
   * @param documents sent per side and round
   * @param bytes of their bulk bodies
   * @param order the sides in the order they ran, round by round
   * @param problems what makes the figures doubtful or void: wrong counts, different answers
   */
  public record ScenarioResult(
      String name,
      String kind,
      String title,
      String workload,
      long documents,
      long bytes,
      int rounds,
      List<String> order,
      List<SideResult> sides,
      List<GoalResult> goals,
      List<Comparison> answers,
      List<String> notes,
      List<String> problems) {}

  /**
   * One side.
   *
   * @param unavailable why it could not run, or null
   * @param figures one value per round by measure
   * @param bytes by file ending, of the last round
   * @param parts by what the files hold, of the last round
   * @param kinds figures by kind of query, one per round
   * @param loads load average of the machine before each round
   * @param settings all that was set: node, cluster, index, mapping
   * @param command of its process
   */
  public record SideResult(
      String label,
      String tree,
      @Nullable String unavailable,
      Map<Measure, List<Double>> figures,
      Map<String, Long> bytes,
      Map<String, Long> parts,
      Map<String, List<Sample.QueryFigures>> kinds,
      List<String> loads,
      Map<String, Object> settings,
      List<String> command) {}

  /** How a goal came out. */
  public enum Verdict {
    MET,
    MISSED,
    NOT_MEASURED
  }

  /**
   * A goal and the figure beside it.
   *
   * @param measure what was held against the bound
   * @param how what the figure is, in words
   * @param figure the median over the rounds, or null when it was not measured
   * @param rounds the figure of each round
   */
  public record GoalResult(
      String promise,
      Measure measure,
      String how,
      boolean atMost,
      double bound,
      @Nullable Double figure,
      List<Double> rounds,
      Verdict verdict) {}
}
