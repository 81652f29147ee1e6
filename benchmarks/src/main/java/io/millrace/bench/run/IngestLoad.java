package io.millrace.bench.run;

import io.millrace.bench.load.BulkLoad;
import io.millrace.bench.stats.Series;
import io.millrace.bench.term.BenchFailure;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Loads a file as a user does: by {@code millrace ingest} of the node's own tree. */
final class IngestLoad {
  private IngestLoad() {}

  /**
   * Runs the command to its end.
   *
   * @param lines one document a line
   * @param documents how many there are
   * @return without latencies, because the command does not tell those of its bulks
   * @throws BenchFailure when the command does not end with 0, with what it said
   */
  static BulkLoad.Result run(BenchNode node, String index, Path lines, int workers, long documents)
      throws IOException {
    Path output = lines.resolveSibling(lines.getFileName() + ".out");
    long start = System.nanoTime();
    TreeCommand.run(
        node.tree(),
        output,
        List.of(
            "ingest",
            "--quiet",
            "--url",
            node.uri().toString(),
            "--index",
            index,
            "--workers",
            Integer.toString(workers),
            lines.toString()));
    double seconds = (System.nanoTime() - start) / 1e9;
    return new BulkLoad.Result(documents, 0, seconds, Series.of(List.of(0.0)), 0);
  }
}
