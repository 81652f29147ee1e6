package io.millrace.bench.scenario;

import io.millrace.bench.workload.Workloads;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What an index weighs, and what reading it back costs. */
final class StorageScenarios {
  private static final String LZ4 = "LZ4 (default)";
  private static final String DEFLATE = "Deflate (best_compression)";

  private StorageScenarios() {}

  static List<Scenario> all() {
    return List.of(codecs(), fetches(), columnarSource(), outOfTheBox());
  }

  private static Side tuned(Side side) {
    return side.index("translog.durability", "async").index("refresh_interval", "30s");
  }

  private static Side zstandard(String label, String codec) {
    return tuned(Side.millrace(label)).index("codec", codec);
  }

  private static Scenario codecs() {
    Map<String, Object> noSource = new LinkedHashMap<>(Workloads.logs().mapping());
    noSource.put("_source", Map.of("enabled", false));
    return Scenario.of(
            "codecs", Kind.SIZE, "Stored fields: bytes, CPU and fetches by codec", Workloads.logs())
        .sides(
            tuned(Side.stock(LZ4)),
            tuned(Side.stock(DEFLATE)).index("codec", "best_compression"),
            zstandard("zstandard", "zstandard"),
            zstandard("zstandard + cache", "zstandard")
                .cluster("indices.segment_memory.off_heap.enable", "true"),
            zstandard("zstandard_16k", "zstandard_16k"),
            zstandard("zstandard_archive", "zstandard_archive"),
            tuned(Side.stock("no _source")).mapping(noSource).withoutSource())
        .goals(
            Goal.atMost(
                0.64,
                Measure.STORED_BYTES_PER_DOC,
                "zstandard",
                LZ4,
                "stored fields <= 64 % of LZ4"),
            Goal.atMost(1.0, Measure.CPU_PER_DOC, "zstandard", LZ4, "write CPU <= LZ4's"),
            Goal.atMost(
                1.0,
                Measure.FETCH_10_P50,
                "zstandard + cache",
                LZ4,
                "10-document fetch <= LZ4's with the cache on"),
            Goal.atMost(
                1.0,
                Measure.STORED_BYTES_PER_DOC,
                "zstandard_archive",
                DEFLATE,
                "archive smaller than Deflate"),
            Goal.atMost(
                    0.25,
                    Measure.CPU_PER_DOC,
                    "zstandard_archive",
                    DEFLATE,
                    "archive <= 0.25 x Deflate's write CPU")
                .above("no _source"))
        .forceMerge()
        .measureSearches()
        .notes(
            "The write CPU of a format is the whole less the side 'no _source' of the same round;"
                + " hits of that side carry no source and are compared without it.",
            "Bytes are counted after a force merge to one segment.")
        .build();
  }

  private static Scenario fetches() {
    return Scenario.of(
            "fetches",
            Kind.SIZE,
            "Reading documents back: stock LZ4 against zstandard without and with the cache",
            Workloads.logs())
        .sides(
            tuned(Side.stock(LZ4)),
            zstandard("zstandard", "zstandard"),
            zstandard("zstandard + cache", "zstandard")
                .cluster("indices.segment_memory.off_heap.enable", "true"))
        .goals(
            Goal.atMost(
                1.0,
                Measure.FETCH_10_P50,
                "zstandard + cache",
                LZ4,
                "10-document fetch <= LZ4's with the cache on"))
        .forceMerge()
        .measureSearches()
        .notes(
            "p50, p99 and CPU of 'fetch-10' and 'fetch-100' stand among the kinds of queries. The"
                + " same documents are fetched in every pass: the first pass fills the cache.")
        .build();
  }

  private static Scenario columnarSource() {
    return Scenario.of(
            "columnar-source",
            Kind.SIZE,
            "The whole index: stock against the logs profile with columnar source",
            Workloads.logs())
        .sides(
            tuned(Side.stock("stock LZ4")),
            tuned(Side.stock("stock small"))
                .index("codec", "best_compression")
                .index("derived_source.enabled", true)
                .withoutSource(),
            tuned(Side.millrace("columnar, stock's fields"))
                .index("millrace.columnar_source.enabled", true)
                .index("millrace.packed_ids.enabled", false),
            Side.millrace("columnar, plain ids")
                .index("millrace.profile", "logs")
                .index("translog.durability", "async")
                .index("millrace.columnar_source.enabled", true)
                .index("millrace.packed_ids.enabled", false)
                .mapping(IngestScenarios.message(Map.of("type", "log_text")))
                .textGroup("log text"),
            Side.millrace("columnar, packed ids")
                .index("millrace.profile", "logs")
                .index("translog.durability", "async")
                .index("millrace.columnar_source.enabled", true)
                .index("millrace.packed_ids.enabled", true)
                .mapping(IngestScenarios.message(Map.of("type", "log_text")))
                .textGroup("log text"))
        .goals(
            Goal.atMost(
                0.5,
                Measure.INDEX_BYTES_PER_DOC,
                "columnar, packed ids",
                "stock LZ4",
                "<= 50 % of stock LZ4"),
            Goal.atMost(
                5.0,
                Measure.FETCH_10_P50,
                "columnar, packed ids",
                null,
                "10-document fetch <= 5 ms"),
            Goal.atMost(
                1.5,
                Measure.FETCH_100_P50,
                "columnar, packed ids",
                "stock LZ4",
                "100 hits <= 1.5 x stock's time"),
            Goal.atMost(
                1.1,
                Measure.CPU_PER_DOC,
                "columnar, packed ids",
                "stock LZ4",
                "write cost <= 1.1 x stock's CPU per document"))
        .withoutScores()
        .forceMerge()
        .measureSearches()
        .notes(
            "_source is compared in every hit, order of keys and digits of numbers included;"
                + " 'stock small' derives it from doc values and is compared without it.",
            "'columnar, packed ids' says nothing of packed ids: they come with columnar source.")
        .build();
  }

  /** What {@code config/opensearch.yml} of the distribution says of names, and nothing else. */
  private static Scenario outOfTheBox() {
    Map<String, String> subFields = new LinkedHashMap<>();
    for (String keyword : List.of("host", "service", "level", "trace_id")) {
      subFields.put(keyword, keyword + ".keyword");
    }
    Side millrace =
        Side.millrace("Millrace").asShipped().jvm("stock").mapping(Map.of()).textGroup("log");
    String ingest = "Millrace, ingest";
    return Scenario.of(
            "out-of-the-box",
            Kind.SIZE,
            "Documents into logs-*, nothing set by hand: stock's defaults against the distribution's",
            Workloads.logs())
        .sides(
            Side.stock("stock").asShipped().jvm("stock").mapping(Map.of()).named(subFields),
            millrace,
            millrace.labelled(ingest).byIngest())
        .goals(
            Goal.atMost(
                0.45, Measure.INDEX_BYTES_PER_DOC, "Millrace", "stock", "<= 45 % of the bytes"),
            Goal.atMost(0.45, Measure.INDEX_BYTES_PER_DOC, ingest, "stock", "<= 45 % of the bytes"),
            Goal.atMost(
                1.1, Measure.DEAREST_KIND, "Millrace", null, "no class of searches above 1.1 x"),
            Goal.atMost(
                1.1, Measure.DEAREST_KIND, ingest, null, "no class of searches above 1.1 x"),
            Goal.atMost(0.6, Measure.CPU_PER_DOC, ingest, "stock", "<= 60 % of the CPU"),
            Goal.atMost(0.6, Measure.CPU_PER_DOC, "Millrace", "stock", "<= 60 % of the CPU"))
        .withoutScores()
        .forceMerge()
        .measureSearches()
        .notes(
            "Every side: its tree's own opensearch.yml and JVM flags, one shard, no replica, no"
                + " mapping. Bytes are counted after a force merge to one segment, whose CPU is not"
                + " counted.",
            "Stock makes text with a sub-field .keyword of every string, so its searches name the"
                + " sub-field where Millrace's name the field. Answers of searches for words are"
                + " compared among the sides of Millrace only: stock's default splits words"
                + " otherwise.")
        .build();
  }
}
