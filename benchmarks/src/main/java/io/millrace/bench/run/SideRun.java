package io.millrace.bench.run;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.bench.answers.AnswerSheet;
import io.millrace.bench.answers.Asker;
import io.millrace.bench.answers.Query;
import io.millrace.bench.load.BulkLoad;
import io.millrace.bench.load.MergeWait;
import io.millrace.bench.load.NodeClient;
import io.millrace.bench.load.Watcher;
import io.millrace.bench.os.FullCollection;
import io.millrace.bench.os.IndexFiles;
import io.millrace.bench.os.Pauses;
import io.millrace.bench.os.ProcessCpu;
import io.millrace.bench.os.ProcessMemory;
import io.millrace.bench.scenario.Measure;
import io.millrace.bench.scenario.Scenario;
import io.millrace.bench.scenario.Side;
import io.millrace.bench.workload.BulkFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One side of one round: a fresh node, a warm-up into an index that is thrown away, the measured
 * load, flush and refresh, the wait for quiet, perhaps a force merge and timed searches, the
 * answers.
 */
final class SideRun {
  /** A name that templates and profiles of a node may go by, if a side asks for them. */
  private static final String INDEX = "logs-bench";

  private static final String WARM_UP = "logs-warm-up";
  private static final int COLLECTIONS = 5;

  private final Scenario scenario;
  private final Side side;
  private final Options options;
  private final BulkFile file;
  private final List<Query> mix;
  private final RunProgress progress;
  private final Map<Measure, Double> figures = new EnumMap<>(Measure.class);
  private final Map<String, Sample.QueryFigures> kinds = new LinkedHashMap<>();

  SideRun(
      Scenario scenario,
      Side side,
      Options options,
      BulkFile file,
      List<Query> mix,
      RunProgress progress) {
    this.scenario = scenario;
    this.side = side;
    this.options = options;
    this.file = file;
    this.mix = mix.stream().map(query -> query.named(side.way().names())).toList();
    this.progress = progress;
  }

  /**
   * Measures.
   *
   * @param answers how many queries of the mix are asked for comparison
   * @throws NodeClient.Refused when the node does not know a setting of the side
   */
  Sample measure(Nodes nodes, Path home, int answers) throws IOException {
    progress.step("starting a node of " + side.contender().title());
    try (BenchNode node = nodes.start(side, home);
        NodeClient client = new NodeClient(node.uri())) {
      client.clusterSettings(side.clusterSettings());
      create(client, INDEX); // refused settings show before the warm-up is paid for
      client.delete("/" + INDEX);
      warmUp(client);
      create(client, INDEX);
      load(node, client);
      if (scenario.liveHeap()) {
        figures.put(Measure.LIVE_HEAP, liveHeap(node, client) / 1e6);
      }
      if (scenario.forceMerge()) {
        forceMerge(node, client);
      }
      Map<String, Long> bytes = bytes(node, client);
      figures.put(Measure.SEGMENTS, segments(client));
      AnswerSheet sheet = ask(client, answers);
      if (scenario.measureSearches()) {
        new Searches(new Asker(client, INDEX), node.pid(), mix, options.passes(), progress)
            .measure(figures, kinds);
      }
      long found = client.get("/" + INDEX + "/_count").path("count").asLong();
      figures.put(Measure.PEAK_MEMORY, ProcessMemory.peakBytes(node.pid()) / 1048576.0);
      return new Sample(figures, bytes, kinds, sheet, found, node.command());
    }
  }

  private void create(NodeClient client, String index) {
    client.put("/" + index, Availability.indexBody(scenario, side));
    client.get("/_cluster/health/" + index + "?wait_for_status=green&timeout=120s");
  }

  private void warmUp(NodeClient client) {
    int perBulk = scenario.workload().bulkSize(options.bulkSize());
    int bulks = (int) Math.min(file.bulks(), options.warmUp() / perBulk);
    if (bulks == 0) {
      return;
    }
    long docs = file.documents(0, bulks);
    progress.step("warm-up, " + side.label());
    create(client, WARM_UP);
    BulkLoad.run(client, WARM_UP, file, bulks, options.workers(), done -> progress.at(done, docs));
    client.post("/" + WARM_UP + "/_flush?force=true&wait_if_ongoing=true");
    MergeWait.quiet(client, WARM_UP);
    client.delete("/" + WARM_UP);
  }

  private void load(BenchNode node, NodeClient client) throws IOException {
    progress.step("measuring, " + side.label());
    long bench = ProcessHandle.current().pid();
    Counters before = Counters.read(client);
    long start = System.currentTimeMillis();
    ProcessCpu server = ProcessCpu.of(node.pid());
    ProcessCpu compilers = ProcessCpu.ofCompilers(node.pid());
    ProcessCpu self = ProcessCpu.of(bench);
    BulkLoad.Result result;
    try (Watcher watcher = Watcher.start(client, INDEX, scenario.searchesPerSecond())) {
      result = side.way().byIngest() ? ingest(node) : bulks(client);
      watcher.check();
    }
    ProcessCpu loaded = ProcessCpu.of(node.pid()).minus(server);
    ProcessCpu client1 = ProcessCpu.of(bench).minus(self);
    Counters after = Counters.read(client);
    client.post("/" + INDEX + "/_flush?force=true&wait_if_ongoing=true");
    client.post("/" + INDEX + "/_refresh");
    MergeWait.quiet(client, INDEX);
    ProcessCpu total = ProcessCpu.of(node.pid()).minus(server);
    ProcessCpu compiled = ProcessCpu.ofCompilers(node.pid()).minus(compilers);
    Pauses pauses = Pauses.between(node.safepoints(), start, System.currentTimeMillis());
    pauses(pauses);
    double docs = result.documents();
    figures.put(Measure.COMPILER_CPU_PER_DOC, Math.max(0, compiled.totalMillis()) * 1000 / docs);
    figures.put(Measure.CPU_PER_DOC, total.totalMillis() * 1000 / docs);
    figures.put(Measure.CPU_PER_DOC_LOAD, loaded.totalMillis() * 1000 / docs);
    figures.put(Measure.DOCS_PER_CPU_SECOND, docs * 1000 / Math.max(1, total.totalMillis()));
    figures.put(Measure.LOAD_SECONDS, result.seconds());
    figures.put(Measure.DOCS_PER_SECOND, docs / result.seconds());
    if (!side.way().byIngest()) {
      figures.put(Measure.CLIENT_CPU_PER_DOC, client1.totalMillis() * 1000 / docs);
      figures.put(Measure.BULK_P50, result.latencies().median());
      figures.put(Measure.BULK_P99, result.latencies().percentile(99));
      figures.put(Measure.REJECTIONS, (double) result.rejections());
      figures.put(
          Measure.SHARD_WRITES_PER_BULK,
          (double) (after.writes() - before.writes()) / result.bulks());
    }
    figures.put(Measure.CLUSTER_STATES, (double) (after.clusterState() - before.clusterState()));
    figures.put(Measure.GC_MILLIS, (double) (after.gcMillis() - before.gcMillis()));
    figures.put(Measure.MERGED_BYTES_PER_DOC, mergedBytes(client) / docs);
  }

  private BulkLoad.Result bulks(NodeClient client) {
    return BulkLoad.run(
        client,
        INDEX,
        file,
        file.bulks(),
        options.workers(),
        done -> progress.at(done, file.documents()));
  }

  private BulkLoad.Result ingest(BenchNode node) throws IOException {
    Path lines = options.work().resolve(scenario.name() + ".ndjson");
    try {
      file.writeSources(lines);
      return IngestLoad.run(node, INDEX, lines, options.workers(), file.documents());
    } finally {
      Files.deleteIfExists(lines);
    }
  }

  /** Without a collection there is no percentile of them: a goal on it is then not measured. */
  private void pauses(Pauses pauses) {
    figures.put(Measure.LONGEST_PAUSE, pauses.whole().longestMillis());
    figures.put(Measure.LONGEST_AT_SAFEPOINT, pauses.atSafepoint().longestMillis());
    figures.put(Measure.LONGEST_REACHING, pauses.reaching().longestMillis());
    figures.put(Measure.PAUSE_MILLIS, pauses.totalMillis());
    figures.put(Measure.COLLECTION_PAUSES, (double) pauses.collections());
    if (pauses.collections() > 0) {
      figures.put(Measure.P99_PAUSE, pauses.whole().p99CollectionMillis());
      figures.put(Measure.P99_AT_SAFEPOINT, pauses.atSafepoint().p99CollectionMillis());
      figures.put(Measure.P99_REACHING, pauses.reaching().p99CollectionMillis());
    }
  }

  /**
   * Bytes of the heap in use after a full collection: the least of several, because between the
   * collection and the answer the node allocates, and what cleaners and references let go is gone
   * only with the next one.
   */
  private double liveHeap(BenchNode node, NodeClient client) {
    progress.step("live heap, " + side.label());
    double least = Double.MAX_VALUE;
    for (int i = 0; i < COLLECTIONS; i++) {
      FullCollection.run(node.pid());
      for (JsonNode one : client.get("/_nodes/stats/jvm").path("nodes")) {
        least = Math.min(least, one.at("/jvm/mem/heap_used_in_bytes").asDouble());
      }
    }
    return least;
  }

  private void forceMerge(BenchNode node, NodeClient client) throws IOException {
    progress.step("force merge, " + side.label());
    ProcessCpu before = ProcessCpu.of(node.pid());
    client.post("/" + INDEX + "/_forcemerge?max_num_segments=1&flush=true");
    client.post("/" + INDEX + "/_refresh");
    MergeWait.quiet(client, INDEX);
    figures.put(
        Measure.MERGE_CPU_PER_DOC,
        ProcessCpu.of(node.pid()).minus(before).totalMillis() * 1000.0 / file.documents());
  }

  /** Counts bytes once unreferenced files are gone: a flush deletes what a merge has replaced. */
  private Map<String, Long> bytes(BenchNode node, NodeClient client) throws IOException {
    client.post("/" + INDEX + "/_flush?force=true&wait_if_ongoing=true");
    String uuid =
        client
            .get("/" + INDEX + "/_settings?flat_settings=true")
            .path(INDEX)
            .path("settings")
            .path("index.uuid")
            .asText();
    Map<String, Long> bytes = IndexFiles.byEnding(IndexFiles.find(node.data(), uuid));
    double docs = scenario.workload().distinct().applyAsLong(file.documents());
    double all = bytes.values().stream().mapToLong(Long::longValue).sum();
    figures.put(Measure.INDEX_BYTES_PER_DOC, all / docs);
    figures.put(
        Measure.STORED_BYTES_PER_DOC, Sample.parts(bytes).getOrDefault("stored fields", 0L) / docs);
    return bytes;
  }

  private AnswerSheet ask(NodeClient client, int count) {
    if (scenario.workload().order().isEmpty()) {
      return AnswerSheet.empty();
    }
    progress.step("asking " + Math.min(count, mix.size()) + " queries, " + side.label());
    return new Asker(client, INDEX).answers(mix, count, scenario.compareScores());
  }

  private static double segments(NodeClient client) {
    return client
        .get("/" + INDEX + "/_stats/segments")
        .path("_all")
        .path("primaries")
        .path("segments")
        .path("count")
        .asDouble();
  }

  private static double mergedBytes(NodeClient client) {
    return MergeWait.merges(client, INDEX).path("total_size_in_bytes").asDouble();
  }

  /** Cumulative counters of the node, read before and after the load. */
  private record Counters(long writes, long clusterState, long gcMillis) {
    static Counters read(NodeClient client) {
      JsonNode nodes = client.get("/_nodes/stats/thread_pool,jvm").path("nodes");
      long writes = 0;
      long gc = 0;
      for (JsonNode node : nodes) {
        writes += node.path("thread_pool").path("write").path("completed").asLong();
        for (JsonNode collector : node.path("jvm").path("gc").path("collectors")) {
          gc += collector.path("collection_time_in_millis").asLong();
        }
      }
      long version = client.get("/_cluster/state/version").path("version").asLong();
      return new Counters(writes, version, gc);
    }
  }
}
