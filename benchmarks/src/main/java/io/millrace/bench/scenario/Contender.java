package io.millrace.bench.scenario;

/** What runs: a node of one of the two trees, or no node at all. */
public enum Contender {
  /** Stock OpenSearch, assembled from the same jars without the plugin. */
  STOCK("stock OpenSearch"),
  /** The Millrace distribution. */
  MILLRACE("Millrace"),
  /** A bare IndexWriter in a JVM of its own: the limit. */
  RAW_LUCENE("raw Lucene");

  private final String title;

  Contender(String title) {
    this.title = title;
  }

  public String title() {
    return title;
  }
}
