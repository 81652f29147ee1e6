package io.millrace.bench;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of every command that runs scenarios. */
final class RunOptions {
  @Option(
      names = "--docs",
      paramLabel = "N",
      description = "documents to measure per side and round (default: the scenario's)")
  long docs;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "3",
      description = "how often every side is measured (default: ${DEFAULT-VALUE})")
  int rounds;

  @Option(
      names = "--heap",
      paramLabel = "SIZE",
      defaultValue = "1g",
      description = "heap of the nodes (default: ${DEFAULT-VALUE})")
  String heap = "1g";

  @Option(
      names = "--workers",
      paramLabel = "N",
      defaultValue = "2",
      description = "concurrent bulk requests (default: ${DEFAULT-VALUE})")
  int workers;

  @Option(
      names = "--bulk",
      paramLabel = "N",
      defaultValue = "1000",
      description = "documents per bulk (default: ${DEFAULT-VALUE})")
  int bulk;

  @Option(
      names = "--warm-up",
      paramLabel = "N",
      defaultValue = "100000",
      description = "documents loaded before each measurement (default: ${DEFAULT-VALUE})")
  long warmUp;

  @Option(
      names = "--queries",
      paramLabel = "N",
      defaultValue = "1100",
      description = "different queries in the mix, about (default: ${DEFAULT-VALUE})")
  int queries;

  @Option(
      names = "--passes",
      paramLabel = "N",
      defaultValue = "3",
      description = "timed passes over the mix (default: ${DEFAULT-VALUE})")
  int passes;

  @Option(
      names = "--corpus",
      paramLabel = "DIR",
      description = "real log lines (*.log) in place of the generator's")
  @Nullable Path corpus;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "where report.html and results.json go (default: .millrace/bench/TIME)")
  @Nullable Path out;

  @Option(
      names = "--work",
      paramLabel = "DIR",
      description = "where nodes and indices live during the run (default: OUT/work)")
  @Nullable Path work;

  @Option(
      names = "--stock-tree",
      paramLabel = "DIR",
      description = "the stock node (default: distribution/target/stock-*)")
  @Nullable Path stockTree;

  @Option(
      names = "--millrace-tree",
      paramLabel = "DIR",
      description = "the Millrace node (default: distribution/target/millrace-*)")
  @Nullable Path millraceTree;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "19800",
      description =
          "HTTP port of the nodes; the next one is theirs, too (default: ${DEFAULT-VALUE})")
  int port;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "7",
      description = "of documents and queries (default: ${DEFAULT-VALUE})")
  long seed;

  @Option(names = "--no-raw", description = "leave the raw-Lucene limit out")
  boolean noRaw;
}
