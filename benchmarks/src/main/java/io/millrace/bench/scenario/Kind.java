package io.millrace.bench.scenario;

/** What a scenario is about; the subcommands of {@code bench} run the scenarios of one kind. */
public enum Kind {
  INGEST,
  SIZE,
  SEARCH
}
