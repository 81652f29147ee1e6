package io.millrace.bench.run;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.bench.answers.Comparison;
import io.millrace.bench.answers.Query;
import io.millrace.bench.answers.QueryMix;
import io.millrace.bench.json.BenchJson;
import io.millrace.bench.load.NodeClient;
import io.millrace.bench.os.Machine;
import io.millrace.bench.run.BenchResult.ScenarioResult;
import io.millrace.bench.run.BenchResult.SideResult;
import io.millrace.bench.scenario.Contender;
import io.millrace.bench.scenario.Measure;
import io.millrace.bench.scenario.Scenario;
import io.millrace.bench.scenario.Side;
import io.millrace.bench.workload.BulkFile;
import io.millrace.bench.workload.WorkloadOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All rounds of one scenario. Rounds alternate the order of the sides (A B, B A, A B ..), so that
 * neither always runs on the warmer machine; each side of each round is a fresh process on an empty
 * folder, and nothing else of the bench runs meanwhile.
 */
public final class ScenarioRun {
  private static final int SAMPLES = 2000;
  private static final int LATER_ANSWERS = 200;

  private final Scenario scenario;
  private final Options options;
  private final Nodes nodes;
  private final RunProgress progress;
  private final Map<String, Recording> recordings = new LinkedHashMap<>();
  private final Map<String, Comparison> comparisons = new LinkedHashMap<>();
  private final List<String> problems = new ArrayList<>();
  private final List<String> order = new ArrayList<>();

  public ScenarioRun(Scenario scenario, Options options, Nodes nodes, RunProgress progress) {
    this.scenario = scenario;
    this.options = options;
    this.nodes = nodes;
    this.progress = progress;
    scenario.sides().forEach(side -> recordings.put(side.label(), new Recording(side)));
  }

  /** What one side gave, round by round. */
  private static final class Recording {
    final Side side;
    final Map<Measure, List<Double>> figures = new EnumMap<>(Measure.class);
    final Map<String, List<Sample.QueryFigures>> kinds = new LinkedHashMap<>();
    final List<String> loads = new ArrayList<>();
    Map<String, Long> bytes = Map.of();
    List<String> command = List.of();
    @Nullable String unavailable;

    Recording(Side side) {
      this.side = side;
    }

    void add(Sample sample) {
      sample.figures().forEach((m, v) -> figures.computeIfAbsent(m, k -> new ArrayList<>()).add(v));
      sample
          .kinds()
          .forEach((kind, v) -> kinds.computeIfAbsent(kind, k -> new ArrayList<>()).add(v));
      bytes = sample.bytes();
      command = sample.command();
    }
  }

  /** Runs everything. */
  public ScenarioResult run() throws IOException {
    long docs = options.docs() > 0 ? options.docs() : scenario.defaultDocs();
    int perBulk = scenario.workload().bulkSize(options.bulkSize());
    int bulks = scenario.workload().bulks(docs, options.bulkSize());
    Path bodies = options.work().resolve(scenario.name() + ".bulk");
    progress.step("writing " + (long) bulks * perBulk + " documents");
    try (BulkFile file =
        BulkFile.write(
            bodies,
            scenario
                .workload()
                .documents()
                .open(new WorkloadOptions(options.corpus(), options.seed())),
            (long) bulks * perBulk,
            perBulk,
            done -> progress.at(done, (long) bulks * perBulk))) {
      List<Query> mix = mix(file);
      for (int round = 1; round <= options.rounds(); round++) {
        round(round, file, bodies, mix);
      }
      return result(file);
    } finally {
      Files.deleteIfExists(bodies);
    }
  }

  private List<Query> mix(BulkFile file) throws IOException {
    List<JsonNode> samples = file.sample(SAMPLES).stream().map(BenchJson::parse).toList();
    return QueryMix.of(
        scenario.workload().mapping(),
        scenario.workload().order(),
        samples,
        scenario.compareScores(),
        options.queries(),
        options.seed());
  }

  private void round(int round, BulkFile file, Path bodies, List<Query> mix) throws IOException {
    List<Side> sides = round % 2 == 1 ? scenario.sides() : scenario.sides().reversed();
    Map<String, Sample> samples = new LinkedHashMap<>();
    for (Side side : sides) {
      Recording recording = recordings.get(side.label());
      if (recording == null
          || recording.unavailable != null
          || (side.contender() == Contender.RAW_LUCENE && !options.rawLucene())) {
        continue;
      }
      progress.line(
          scenario.name() + ", round " + round + " of " + options.rounds() + ": " + side.label());
      recording.loads.add(Machine.loadAverage());
      order.add(side.label());
      Path home = options.work().resolve(scenario.name() + "-" + round + "-" + order.size());
      try {
        Sample sample = measure(side, home, round, file, bodies, mix);
        recording.add(sample);
        samples.put(side.label(), sample);
        check(side, round, sample, file);
      } catch (NodeClient.Refused e) {
        recording.unavailable = e.getMessage();
        progress.line("  not available: " + e.getMessage());
      } finally {
        NodeHomes.delete(home);
      }
    }
    compare(round, mix, samples);
  }

  private Sample measure(
      Side side, Path home, int round, BulkFile file, Path bodies, List<Query> mix)
      throws IOException {
    if (side.contender() == Contender.RAW_LUCENE) {
      progress.step("measuring " + side.label());
      return new RawRun(scenario, options, file, bodies).measure(home);
    }
    int answers = round == 1 ? mix.size() : LATER_ANSWERS;
    return new SideRun(scenario, side, options, file, mix, progress).measure(nodes, home, answers);
  }

  private void check(Side side, int round, Sample sample, BulkFile file) {
    long expected = scenario.workload().distinct().applyAsLong(file.documents());
    if (sample.found() >= 0 && sample.found() != expected) {
      problems.add(
          "round "
              + round
              + ", "
              + side.label()
              + ": "
              + sample.found()
              + " documents found, "
              + expected
              + " expected");
    }
  }

  /** Each side against the first one, and within its text group against the first of the group. */
  private void compare(int round, List<Query> mix, Map<String, Sample> samples) {
    List<Side> ran =
        scenario.sides().stream()
            .filter(side ->
                side.contender() != Contender.RAW_LUCENE && samples.containsKey(side.label()))
            .toList();
    for (int i = 1; i < ran.size(); i++) {
      Side side = ran.get(i);
      compare(round, mix, samples, side, ran.getFirst());
      for (Side other : ran.subList(1, i)) {
        if (other.textGroup().equals(side.textGroup())
            && !other.textGroup().equals(ran.getFirst().textGroup())) {
          compare(round, mix, samples, side, other);
          break;
        }
      }
    }
  }

  private void compare(
      int round, List<Query> mix, Map<String, Sample> samples, Side side, Side reference) {
    Sample left = samples.get(side.label());
    Sample right = samples.get(reference.label());
    if (left == null || right == null) {
      return;
    }
    Comparison found = Comparison.of(mix, side, left.answers(), reference, right.answers());
    comparisons.merge(side.label() + "\n" + reference.label(), found, Comparison::plus);
    if (found.different() > 0) {
      problems.add(
          "round "
              + round
              + ": "
              + found.different()
              + " of "
              + found.compared()
              + " answers of '"
              + side.label()
              + "' differ from those of '"
              + reference.label()
              + "'");
    }
  }

  private ScenarioResult result(BulkFile file) {
    Map<String, Map<Measure, List<Double>>> figures = new LinkedHashMap<>();
    List<SideResult> sides = new ArrayList<>();
    Recording first = recordings.values().iterator().next();
    for (Recording recording : recordings.values()) {
      if (recording != first) {
        Kinds.dearest(recording.kinds, first.kinds)
            .ifPresent(ratios -> recording.figures.put(Measure.DEAREST_KIND, ratios));
      }
      figures.put(recording.side.label(), recording.figures);
      sides.add(
          new SideResult(
              recording.side.label(),
              recording.side.contender().title(),
              unavailable(recording),
              recording.figures,
              recording.bytes,
              Sample.parts(recording.bytes),
              recording.kinds,
              recording.loads,
              settings(recording.side),
              recording.command));
    }
    return new ScenarioResult(
        scenario.name(),
        scenario.kind().name(),
        scenario.title(),
        scenario.workload().description(),
        file.documents(),
        file.bytes(),
        options.rounds(),
        order,
        sides,
        scenario.goals().stream().map(goal -> Verdicts.of(goal, figures)).toList(),
        List.copyOf(comparisons.values()),
        scenario.notes(),
        problems);
  }

  private @Nullable String unavailable(Recording recording) {
    boolean left = recording.side.contender() == Contender.RAW_LUCENE && !options.rawLucene();
    return left ? "left out with --no-raw" : recording.unavailable;
  }

  private Map<String, Object> settings(Side side) {
    Map<String, Object> all = new LinkedHashMap<>();
    if (side.contender() != Contender.RAW_LUCENE) {
      all.put("node", side.nodeSettings());
      all.put("cluster", side.clusterSettings());
      all.put("index", side.indexSettings());
    }
    Map<String, Object> mapping = side.mapping();
    String text = BenchJson.string(mapping != null ? mapping : scenario.workload().mapping());
    all.put("mapping", text.length() > 4000 ? text.substring(0, 4000) + ".." : text);
    return all;
  }
}
