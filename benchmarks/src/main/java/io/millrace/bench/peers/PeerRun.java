package io.millrace.bench.peers;

import io.millrace.bench.json.BenchJson;
import io.millrace.bench.os.Machine;
import io.millrace.bench.peers.PeerSearch.Kind;
import io.millrace.bench.run.NodeHomes;
import io.millrace.bench.run.RunProgress;
import io.millrace.bench.workload.BulkFile;
import io.millrace.bench.workload.WorkloadOptions;
import io.millrace.bench.workload.Workloads;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * All sides in turn, round by round, every second round in the opposite order. One side runs at a
 * time. The tables are written again after each side, so that a run that is cut leaves what it
 * found.
 */
public final class PeerRun {
  private static final int SAMPLED = 3_000;

  private final Plan plan;
  private final List<PeerSide> sides;
  private final List<String> columns;
  private final RunProgress progress;
  private final Map<String, List<PeerFigures>> results = new LinkedHashMap<>();
  private final List<String> loads = new ArrayList<>();

  /**
   * How much is measured.
   *
   * @param documents of each side and round
   * @param warmUp documents that a node loads before, and throws away
   * @param perRequest documents of a request
   * @param searches that are timed, of each kind; as many more warm
   * @param seed of documents and searches
   * @param work folder of the stores during the run
   * @param out folder of the tables
   */
  public record Plan(
      long documents,
      int rounds,
      long warmUp,
      int perRequest,
      int searches,
      long seed,
      Path work,
      Path out) {}

  /**
   * A run.
   *
   * @param sides in the order of the first round
   * @param columns all names of sides, in the order of the tables
   */
  public PeerRun(Plan plan, List<PeerSide> sides, List<String> columns, RunProgress progress) {
    this.plan = plan;
    this.sides = sides;
    this.columns = columns;
    this.progress = progress;
  }

  /** Measures all rounds and returns the tables in Markdown. */
  public String run() throws IOException {
    Path bodies = plan.work.resolve("peers.bulk");
    Path lines = plan.work.resolve("peers.ndjson");
    progress.step("making " + plan.documents + " documents");
    try (BulkFile bulks =
        BulkFile.write(
            bodies,
            Workloads.logs().documents().open(new WorkloadOptions(null, plan.seed)),
            plan.documents,
            plan.perRequest,
            done -> progress.at(done, plan.documents))) {
      bulks.writeSources(lines);
      Map<Kind, List<PeerSearch>> searches =
          new PeerSearches(bulks.sample(SAMPLED), plan.seed).byKind(2 * plan.searches);
      for (int round = 0; round < plan.rounds; round++) {
        loads.add(Machine.loadAverage());
        List<PeerSide> order = round % 2 == 0 ? sides : sides.reversed();
        for (PeerSide side : order) {
          measure(side, round, new Peer.Documents(bulks, lines), searches);
        }
      }
    } finally {
      Files.deleteIfExists(bodies);
      Files.deleteIfExists(lines);
    }
    return tables();
  }

  private void measure(
      PeerSide side, int round, Peer.Documents documents, Map<Kind, List<PeerSearch>> searches)
      throws IOException {
    progress.line("round " + (round + 1) + ", " + side.name());
    Path home = plan.work.resolve("peer-" + round + "-" + sides.indexOf(side));
    try (Peer peer = side.starter().start(home)) {
      PeerFigures figures =
          new PeerMeasurement(peer, documents, progress).measure(plan.warmUp, searches);
      results.computeIfAbsent(side.name(), name -> new ArrayList<>()).add(figures);
    } finally {
      NodeHomes.delete(home);
    }
    Files.writeString(plan.out.resolve("peers.md"), tables());
    Files.writeString(
        plan.out.resolve("peers.json"),
        BenchJson.pretty(Map.of("plan", plan, "searches", searches, "rounds", results)));
  }

  private String tables() {
    Map<String, List<PeerFigures>> ordered = new LinkedHashMap<>();
    for (String column : columns) {
      List<PeerFigures> rounds = results.get(column);
      if (rounds != null) {
        ordered.put(column, rounds);
      }
    }
    PeerTable table = new PeerTable(ordered);
    StringBuilder text = new StringBuilder();
    ordered.forEach((side, rounds) ->
        text.append(side).append(": ").append(rounds.getFirst().version()).append('\n'));
    return text.append("load average before each round: ")
        .append(String.join("; ", loads))
        .append("\n\n")
        .append(table.figures())
        .append("\nDocuments that match; searches with as many hits and with the same answer as ")
        .append(ordered.keySet().iterator().next())
        .append(":\n\n")
        .append(table.answers())
        .toString();
  }
}
