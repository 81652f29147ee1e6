package io.millrace.bench.scenario;

/**
 * What one side of one round is measured by. CPU per document from the operating system is the
 * figure to compare: wall time and documents per second move with whatever else the machine does.
 */
public enum Measure {
  CPU_PER_DOC(
      "server CPU per document, load to quiet (flush, refresh and merges done)", "us", true),
  CPU_PER_DOC_LOAD("server CPU per document until the last bulk was acknowledged", "us", true),
  COMPILER_CPU_PER_DOC("of which the JVM's compilers (a node's first minutes)", "us", true),
  DOCS_PER_CPU_SECOND("documents per CPU-second of the server", "docs/s", false),
  LOAD_SECONDS("wall time from the first bulk to the last acknowledgement", "s", true),
  DOCS_PER_SECOND("documents per second of wall time", "docs/s", false),
  CLIENT_CPU_PER_DOC("the load generator's own CPU per document", "us", true),
  BULK_P50("bulk latency, median", "ms", true),
  BULK_P99("bulk latency, 99th percentile", "ms", true),
  REJECTIONS("bulks answered with 429 and sent again", "", true),
  SHARD_WRITES_PER_BULK("shard writes per bulk (tasks of the write pool)", "", true),
  CLUSTER_STATES("cluster states published during the load", "", true),
  LONGEST_PAUSE("longest pause of any cause, the whole safepoint (Total)", "ms", true),
  LONGEST_AT_SAFEPOINT("longest operation of any cause (At safepoint)", "ms", true),
  LONGEST_REACHING("longest way to a safepoint of any cause (Reaching safepoint)", "ms", true),
  P99_PAUSE("pause of a collection, p99, the whole safepoint (Total)", "ms", true),
  P99_AT_SAFEPOINT("pause of a collection, p99, the collector's own (At safepoint)", "ms", true),
  P99_REACHING("pause of a collection, p99, the way there (Reaching safepoint)", "ms", true),
  COLLECTION_PAUSES("pauses of collections, how many", "", true),
  PAUSE_MILLIS("all pauses of any cause together, whole safepoints", "ms", true),
  GC_MILLIS("garbage collection during the load", "ms", true),
  MERGED_BYTES_PER_DOC("bytes written by merges per document", "B", true),
  SEGMENTS("segments when quiet", "", true),
  MERGE_CPU_PER_DOC("server CPU per document of the force merge", "us", true),
  INDEX_BYTES_PER_DOC("index bytes per document", "B", true),
  STORED_BYTES_PER_DOC("stored-field bytes per document", "B", true),
  LIVE_HEAP("heap that lives on after a full collection", "MB", true),
  PEAK_MEMORY("peak resident memory of the server", "MiB", true),
  CPU_PER_QUERY("server CPU per query of the mix, without the JVM's compilers", "us", true),
  DEAREST_KIND("CPU of the kind of query that costs most beside the first side's", "x", true),
  QUERY_P50("query latency, median over the mix", "ms", true),
  QUERY_P99("query latency, 99th percentile over the mix", "ms", true),
  FETCH_10_P50("fetch of 10 random documents, median", "ms", true),
  FETCH_100_P50("search returning 100 documents, median", "ms", true);

  private final String title;
  private final String unit;
  private final boolean lowerIsBetter;

  Measure(String title, String unit, boolean lowerIsBetter) {
    this.title = title;
    this.unit = unit;
    this.lowerIsBetter = lowerIsBetter;
  }

  /** What is measured, in words. */
  public String title() {
    return title;
  }

  /** The unit, empty for plain counts. */
  public String unit() {
    return unit;
  }

  public boolean lowerIsBetter() {
    return lowerIsBetter;
  }
}
