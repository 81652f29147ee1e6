package io.millrace.bench.scenario;

import io.millrace.bench.workload.Workload;
import io.millrace.bench.workload.Workloads;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What writing costs. */
final class IngestScenarios {
  private static final String FAST = "millrace.write.fast_engine.enabled";
  private static final String RAW = "raw Lucene";

  private IngestScenarios() {}

  static List<Scenario> all() {
    return List.of(
        equalSettings(),
        logsProfile("logs-profile", "The default index of stock against the logs profile", 0),
        logsProfile(
            "logs-profile-watched",
            "The same while somebody watches: one search a second during the load",
            1),
        logsProfileSteps(),
        wideFields(),
        logText(),
        ownIds(),
        bulkRouting(),
        mappingStorm(),
        jvmProfiles(),
        observeCost(),
        guardCost(),
        sourceControlCost());
  }

  /** Both sides with the settings a log cluster is tuned to: async translog, refresh 30 s. */
  private static Side tuned(Side side) {
    return side.index("translog.durability", "async").index("refresh_interval", "30s");
  }

  private static Scenario equalSettings() {
    return Scenario.of(
            "equal-settings",
            Kind.INGEST,
            "Log documents, both sides with equal settings",
            Workloads.logs())
        .sides(
            tuned(Side.stock("stock")),
            tuned(Side.millrace("Millrace").cluster(FAST, "true")),
            Side.rawLucene())
        .goals(
            Goal.atMost(
                0.5, Measure.CPU_PER_DOC, "Millrace", "stock", "CPU per document <= 0.5 x stock"),
            Goal.atMost(
                1.0,
                Measure.CPU_PER_DOC,
                "Millrace",
                RAW,
                "CPU per document <= raw Lucene with StandardAnalyzer"))
        .notes(
            "Both sides: one shard, no replica, async translog, refresh_interval 30s.",
            "Raw Lucene writes the same fields, _source, _id, _seq_no, _primary_term and _version"
                + " included; it has no HTTP, no translog and no versions.")
        .build();
  }

  private static Scenario logsProfile(String name, String title, int searchesPerSecond) {
    return Scenario.of(name, Kind.INGEST, title, Workloads.logs())
        .sides(
            Side.stock("stock default"),
            logsNode(Side.millrace("logs profile"))
                .index("millrace.profile", "logs")
                .mapping(message(Map.of("type", "log_text")))
                .textGroup("log text"))
        .goals(
            Goal.atLeast(
                3.0,
                Measure.DOCS_PER_CPU_SECOND,
                "logs profile",
                "stock default",
                ">= 3 x documents per CPU-second"))
        .watched(searchesPerSecond)
        .withoutScores()
        .notes(
            "Stock: its defaults (request durability, default refresh), the plain mapping. Millrace:"
                + " config/jvm-profiles/logs, index.millrace.profile: logs, message as log_text.",
            "Text answers are not compared here: the log analyzer finds parts of dotted names that"
                + " the standard analyzer hides; log-text compares them with a reference.")
        .build();
  }

  /** What {@code config/jvm-profiles/logs} of the distribution says for a node. */
  private static Side logsNode(Side side) {
    return side.node("indices.memory.index_buffer_size", "20%");
  }

  /** What each default of the profile brings, one after the other. */
  private static Scenario logsProfileSteps() {
    Side plain = Side.millrace("fast engine alone");
    Side refresh =
        plain
            .labelled("+ profile, refresh 30s")
            .index("millrace.profile", "logs")
            .index("codec", "default")
            .index("use_compound_file", true);
    Side logText =
        refresh
            .labelled("+ log_text")
            .mapping(message(Map.of("type", "log_text")))
            .textGroup("log text");
    Side unpacked = logText.labelled("+ unpacked flushes").withoutIndex("use_compound_file");
    return Scenario.of(
            "logs-profile-steps",
            Kind.INGEST,
            "What each default of the logs profile brings",
            Workloads.logs())
        .sides(
            Side.stock("stock default"),
            plain,
            refresh,
            logText,
            unpacked,
            logsNode(unpacked.withoutIndex("codec").labelled("+ zstandard, buffer 20%")))
        .withoutScores()
        .notes(
            "Each side has what the one before it has. No goal: logs-profile holds the last"
                + " against the first.")
        .build();
  }

  private static Scenario wideFields() {
    return Scenario.of("wide-fields", Kind.INGEST, "Documents of 400 fields", Workloads.wide())
        .sides(
            tuned(Side.stock("stock")),
            tuned(Side.millrace("Millrace").cluster(FAST, "true")),
            Side.rawLucene())
        .goals(
            Goal.atMost(
                1.1, Measure.CPU_PER_DOC, "Millrace", RAW, "400 fields: <= 1.1 x raw Lucene"))
        .docs(100_000)
        .build();
  }

  private static Scenario logText() {
    Side text = tuned(Side.millrace("text")).mapping(message(Map.of("type", "text")));
    return Scenario.of(
            "log-text",
            Kind.INGEST,
            "The message as log_text against text, and what each costs above no index at all",
            Workloads.logs())
        .sides(
            text,
            tuned(Side.millrace("log_text"))
                .mapping(message(Map.of("type", "log_text")))
                .textGroup("log text"),
            tuned(Side.millrace("match_only_text"))
                .mapping(message(Map.of("type", "match_only_text", "analyzer", "millrace_log")))
                .textGroup("log text"),
            tuned(Side.millrace("not indexed"))
                .mapping(message(Map.of("type", "text", "index", false)))
                .textGroup("none"))
        .goals(
            Goal.atMost(0.5, Measure.CPU_PER_DOC, "log_text", "text", "message field: <= 0.5 x CPU")
                .above("not indexed"),
            Goal.atMost(
                    0.5,
                    Measure.INDEX_BYTES_PER_DOC,
                    "log_text",
                    "text",
                    "message field: <= 0.5 x index bytes")
                .above("not indexed"),
            Goal.atMost(
                    1.1,
                    Measure.CPU_PER_DOC,
                    "log_text",
                    "match_only_text",
                    "never > 10 % worse than match_only_text")
                .above("not indexed"))
        .withoutScores()
        .forceMerge()
        .notes(
            "What the message field costs is the whole less the side 'not indexed' of the same"
                + " round; a difference of two large figures, so mind the spread.",
            "log_text is held against match_only_text with the log analyzer: equal answers.")
        .build();
  }

  private static Scenario ownIds() {
    return Scenario.of(
            "own-ids",
            Kind.INGEST,
            "Ids of the sender's own, a tenth sent twice",
            Workloads.ownIds())
        .sides(
            tuned(Side.stock("stock")),
            tuned(
                Side.stock("stock with fuzzy set")
                    .index("optimize_doc_id_lookup.fuzzy_set.enabled", "true")),
            tuned(
                Side.millrace("Millrace without the filter")
                    .cluster(FAST, "true")
                    .cluster("millrace.write.primary_key_filter.enabled", "false")),
            tuned(
                Side.millrace("Millrace")
                    .cluster(FAST, "true")
                    .cluster("millrace.write.primary_key_filter.enabled", "true")))
        .goals(
            Goal.atLeast(
                1.5,
                Measure.DOCS_PER_CPU_SECOND,
                "Millrace",
                "stock",
                "own ids, 10 % re-sent: >= 1.5 x stock, dedup exact"))
        .withoutScores()
        .docs(3_000_000)
        .notes(
            "The number of documents found is checked after every load: dedup is exact or fails.")
        .build();
  }

  private static Scenario bulkRouting() {
    return Scenario.of(
            "bulk-routing",
            Kind.INGEST,
            "120 shards: one shard per bulk against all of them",
            Workloads.logs())
        .sides(
            tuned(Side.millrace("routing off")).index("number_of_shards", 120),
            tuned(Side.millrace("routing on"))
                .index("number_of_shards", 120)
                .index("bulk_routing.enabled", true),
            tuned(Side.stock("stock")).index("number_of_shards", 120))
        .goals(
            Goal.atMost(
                0.75,
                Measure.CPU_PER_DOC,
                "routing on",
                "routing off",
                "100+ shards: >= 25 % less CPU per document than with the setting off"),
            Goal.atMost(
                1.05,
                Measure.SHARD_WRITES_PER_BULK,
                "routing on",
                null,
                "1 shard request per bulk and index"))
        .withoutScores()
        .docs(500_000)
        .notes("Scores are not compared: each shard scores by its own term statistics.")
        .build();
  }

  private static Scenario mappingStorm() {
    return Scenario.of(
            "mapping-storm",
            Kind.INGEST,
            "30 bulks, a new field in every document",
            Workloads.storm())
        .sides(
            Side.stock("stock"),
            Side.millrace("Millrace").cluster("millrace.write.mapping_premerge.enabled", "true"))
        .goals(
            Goal.atMost(
                10, Measure.CLUSTER_STATES, "Millrace", null, "<= 10 cluster states for 30 bulks"),
            Goal.atMost(
                1.0 / 3, Measure.LOAD_SECONDS, "Millrace", "stock", ">= 3 x faster (wall time)"))
        .docs(900)
        .notes(
            "Wall time is the figure here: the bulks wait for the cluster state, not for the CPU.",
            "cluster states counts those between the first bulk and the last acknowledgement.")
        .build();
  }

  /** The mapping of the log documents with another message field. */
  static Map<String, Object> message(Map<String, Object> field) {
    Workload logs = Workloads.logs();
    Map<String, Object> properties = new LinkedHashMap<>();
    ((Map<?, ?>) logs.mapping().getOrDefault("properties", Map.of()))
        .forEach((name, value) -> properties.put(String.valueOf(name), value));
    properties.put("message", field);
    return Map.of("properties", properties);
  }

  /** The same tree, load and searches; only the JVM's flags and what a profile sets differ. */
  private static Scenario jvmProfiles() {
    Side plain = tuned(Side.millrace("stock flags").jvm("stock"));
    return Scenario.of(
            "jvm-profiles",
            Kind.INGEST,
            "JVM profiles: longest pause and CPU per document under bulks and searches",
            Workloads.logs())
        .sides(
            plain,
            tuned(Side.millrace("logs").jvm("logs"))
                .node("indices.memory.index_buffer_size", "20%"),
            tuned(Side.millrace("traces").jvm("traces"))
                .node("indices.memory.index_buffer_size", "20%"),
            tuned(Side.millrace("search").jvm("search")))
        .goals(
            Goal.atMost(
                1.0,
                Measure.P99_PAUSE,
                "search",
                null,
                "search: p99 pause <= 1 ms, whole safepoints"),
            Goal.atMost(
                1.0,
                Measure.P99_AT_SAFEPOINT,
                "search",
                null,
                "search: p99 pause <= 1 ms, the collector's own part"),
            Goal.atMost(
                1.0, Measure.CPU_PER_DOC, "logs", "stock flags", "logs: CPU <= stock's flags"))
        .watched(20)
        .docs(400_000)
        .notes(
            "All sides are Millrace with the same settings; 20 searches a second run beside the bulks."
                + " Run it with --heap 1g and with --heap 3g.",
            "Pauses are from the JVM's safepoint log: the longest is of any cause, the percentile of"
                + " collections alone; of few collections it is nearly the longest. A thread that waits"
                + " for ZGC (an allocation stall) is none.",
            "Total is what a request feels. At safepoint is what the collector does meanwhile. Reaching"
                + " safepoint is the wait for the last thread to stop, which on busy cores is the"
                + " operating system's queue. The goal is judged on the whole and on the collector's"
                + " part; only the first is the promise.",
            "traces has the flags of logs: what they differ in is noise.")
        .build();
  }

  /**
   * What watching costs while nobody looks; a scraper and a page cost more. Off from the start of
   * the node: a recorder that ran once leaves classes behind.
   */
  private static Scenario observeCost() {
    Side off = tuned(Side.millrace("observe off"));
    for (String feature : List.of("gc", "freshness", "alarms", "prometheus", "dashboard")) {
      off = off.node("millrace.observe." + feature + ".enabled", "false");
    }
    return Scenario.of(
            "observe-cost", Kind.INGEST, "Everything of observe on against off", Workloads.logs())
        .sides(off, tuned(Side.millrace("observe on")))
        .goals(
            Goal.atMost(
                1.01,
                Measure.CPU_PER_DOC,
                "observe on",
                "observe off",
                "everything on: <= 1 % CPU per document"),
            Goal.atMost(
                    20, Measure.LIVE_HEAP, "observe on", null, "everything on: <= 20 MB of heap")
                .above("observe off"))
        .liveHeap()
        .notes(
            "A difference of 1 % needs a machine at rest and many rounds: --rounds 10.",
            "The heap is the least of five full collections once the load is quiet; the goal is on the"
                + " difference. What else lives in a node differs by about a megabyte from one start to"
                + " the next.")
        .build();
  }

  /** What guard costs while nobody misbehaves; off includes its HTTP server. */
  private static Scenario guardCost() {
    Side off = tuned(Side.millrace("guard off")).node("http.type", "netty4");
    for (String feature :
        List.of("inbound_budget", "outbound_budget", "request_breaker", "gc_debt")) {
      off = off.cluster("millrace.guard." + feature + ".enabled", "false");
    }
    return Scenario.of(
            "guard-cost", Kind.INGEST, "Everything of guard on against off", Workloads.logs())
        .sides(off, tuned(Side.millrace("guard on")))
        .goals(
            Goal.atMost(
                1.01,
                Measure.CPU_PER_DOC,
                "guard on",
                "guard off",
                "everything on: <= 1 % CPU per document"))
        .notes(
            "Off: every switch of guard is off and http.type is netty4, stock's own server.",
            "A difference of 1 % needs a machine at rest and many rounds: --rounds 10.")
        .build();
  }

  /** What it costs to count who sends how much. */
  private static Scenario sourceControlCost() {
    return Scenario.of(
            "source-control-cost",
            Kind.INGEST,
            "Bytes, documents and levels of each source counted, against not counted",
            Workloads.logs())
        .sides(
            tuned(Side.millrace("not counted"))
                .cluster("millrace.pipelines.source_control.enabled", "false"),
            tuned(Side.millrace("counted")))
        .goals(
            Goal.atMost(
                1.01,
                Measure.CPU_PER_DOC,
                "counted",
                "not counted",
                "counting: <= 1 % CPU per document"))
        .notes("A difference of 1 % needs a machine at rest and many rounds: --rounds 10.")
        .build();
  }
}
