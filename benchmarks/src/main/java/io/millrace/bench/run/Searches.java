package io.millrace.bench.run;

import io.millrace.bench.answers.Asker;
import io.millrace.bench.answers.Query;
import io.millrace.bench.os.ThreadCpu;
import io.millrace.bench.scenario.Measure;
import io.millrace.bench.stats.Series;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Times the queries of a mix, one at a time and kind by kind, after passes that warm the code and
 * the page cache. One client, so that a latency is the query's own and not its neighbour's.
 *
 * <p>A node that has just started spends more on compiling the code of a search than on the search.
 * So the passes that warm go on until the compilers take little and a pass costs what the one
 * before cost, and what compilers still take later is not counted as the queries'. A node whose
 * loops run in code of the first compiler needs several times the CPU for the same searches.
 *
 * <p>A kind is passed over until it took enough CPU to be told from another.
 */
final class Searches {
  /** Of the CPU of a pass: what the compilers may take when the code counts as warm. */
  private static final double COMPILING = 0.15;

  /** What a pass may cost less than the one before when nothing is to be gained any more. */
  private static final double FALLING = 0.05;

  /** Passes in a row that must find the code warm. */
  private static final int STEADY_PASSES = 3;

  private static final int WARM_PASSES = 60;

  /** CPU of a kind, in milliseconds, below which what a node does beside would show. */
  private static final double LEAST_CPU = 1_000;

  /** Of the passes over a kind, however little CPU they take. */
  private static final int MOST_PASSES = 50;

  private final Asker asker;
  private final long pid;
  private final List<Query> mix;
  private final int passes;
  private final RunProgress progress;

  Searches(Asker asker, long pid, List<Query> mix, int passes, RunProgress progress) {
    this.asker = asker;
    this.pid = pid;
    this.mix = mix;
    this.passes = passes;
    this.progress = progress;
  }

  void measure(Map<Measure, Double> figures, Map<String, Sample.QueryFigures> kinds)
      throws IOException {
    Map<String, List<Query>> byKind = new LinkedHashMap<>();
    mix.forEach(query -> byKind.computeIfAbsent(query.kind(), k -> new ArrayList<>()).add(query));
    warm();
    progress.step("timing " + mix.size() + " searches, " + passes + " passes");
    List<Double> all = new ArrayList<>();
    double cpuMicros = 0;
    int done = 0;
    for (Map.Entry<String, List<Query>> kind : byKind.entrySet()) {
      List<Double> millis = new ArrayList<>();
      double cpu = time(kind.getValue(), millis) * 1000;
      Series series = Series.of(millis);
      kinds.put(
          kind.getKey(),
          new Sample.QueryFigures(
              kind.getValue().size(), series.median(), series.percentile(99), cpu / series.size()));
      all.addAll(millis);
      cpuMicros += cpu / series.size() * kind.getValue().size();
      done += kind.getValue().size();
      progress.at(done, mix.size());
    }
    Series series = Series.of(all);
    figures.put(Measure.CPU_PER_QUERY, cpuMicros / mix.size());
    figures.put(Measure.QUERY_P50, series.median());
    figures.put(Measure.QUERY_P99, series.percentile(99));
    put(figures, Measure.FETCH_10_P50, kinds.get("fetch-10"));
    put(figures, Measure.FETCH_100_P50, kinds.get("fetch-100"));
  }

  /** Milliseconds of CPU of the queries of one kind, without the compilers'. */
  private double time(List<Query> queries, List<Double> millis) throws IOException {
    ThreadCpu before = ThreadCpu.of(pid);
    double cpu = 0;
    for (int pass = 0; pass < passes || (cpu < LEAST_CPU && pass < MOST_PASSES); pass++) {
      for (Query query : queries) {
        millis.add(asker.timed(query) * 1000);
      }
      cpu = Cpu.since(before, ThreadCpu.of(pid)).queries();
    }
    return cpu;
  }

  private void warm() throws IOException {
    double last = Double.MAX_VALUE;
    int steady = 0;
    for (int pass = 1; pass <= WARM_PASSES && steady < STEADY_PASSES; pass++) {
      progress.step("warming " + mix.size() + " searches, pass " + pass);
      ThreadCpu before = ThreadCpu.of(pid);
      mix.forEach(asker::timed);
      Cpu took = Cpu.since(before, ThreadCpu.of(pid));
      boolean warm =
          took.compilers < COMPILING * (took.queries + took.compilers)
              && took.queries > (1 - FALLING) * last;
      steady = warm ? steady + 1 : 0;
      last = took.queries;
    }
  }

  /** CPU of the node in milliseconds: of all threads but the compilers, and of the compilers. */
  private record Cpu(double queries, double compilers) {
    static Cpu since(ThreadCpu before, ThreadCpu now) {
      return new Cpu(now.nanosSince(before) / 1e6, now.compilerNanosSince(before) / 1e6);
    }
  }

  private static void put(
      Map<Measure, Double> figures, Measure measure, Sample.@Nullable QueryFigures kind) {
    if (kind != null) {
      figures.put(measure, kind.p50Millis());
    }
  }
}
