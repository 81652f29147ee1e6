package io.millrace.pipelines.otlp;

/** What a request carries. */
enum Signal {
  LOGS("/v1/logs", "rejectedLogRecords"),
  TRACES("/v1/traces", "rejectedSpans");

  private final String path;
  private final String rejected;

  Signal(String path, String rejected) {
    this.path = path;
    this.rejected = rejected;
  }

  /** Where it is sent to. */
  String path() {
    return path;
  }

  /** The name in JSON of the count of records that were refused. */
  String rejected() {
    return rejected;
  }
}
