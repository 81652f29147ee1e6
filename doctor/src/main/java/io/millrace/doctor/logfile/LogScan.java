package io.millrace.doctor.logfile;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * How often each kind of trouble stands in logs of nodes, with the first line of each. Files are
 * read line by line, plain or gzipped, so their size does not matter.
 *
 * @param files how many were read
 * @param lines how many lines they had
 * @param counts by kind
 * @param samples the first line of each kind, shortened
 */
public record LogScan(
    int files, long lines, Map<Trouble, Long> counts, Map<Trouble, String> samples) {
  private static final int SAMPLE = 240;

  /** What is looked for, in the words of OpenSearch 1 to 3 and Elasticsearch 6 to 9. */
  public enum Trouble {
    REJECTED(
        "EsRejectedExecutionException|OpenSearchRejectedExecutionException|rejected execution of"),
    GC_OVERHEAD(
        "\\[gc\\]\\[\\d+\\] overhead, spent|\\[gc\\]\\[(?:young|old)\\]\\[\\d+\\]\\[\\d+\\] duration"),
    OUT_OF_MEMORY("java\\.lang\\.OutOfMemoryError"),
    NODE_LEFT("node-left\\[|zen-disco-node-failed|left the cluster|node_left"),
    NO_MANAGER(
        "master not discovered|cluster-manager not discovered|master_left|cluster-manager_left"),
    WATERMARK("(?:low|high|flood stage) disk watermark \\["),
    OPEN_FILES("Too many open files"),
    CIRCUIT_BREAKER("CircuitBreakingException"),
    SLOW_STATE(
        "took \\[[^\\]]+\\], which is over \\[|publication of cluster state version \\[\\d+\\] is still waiting"),
    THROTTLED("now throttling indexing");

    private final Pattern pattern;

    Trouble(String pattern) {
      this.pattern = Pattern.compile(pattern);
    }
  }

  public LogScan {
    counts = Map.copyOf(counts);
    samples = Map.copyOf(samples);
  }

  /** The same counts without any line of a log. */
  public LogScan withoutSamples() {
    return new LogScan(files, lines, counts, Map.of());
  }

  /** How often a kind was seen. */
  public long count(Trouble trouble) {
    return counts.getOrDefault(trouble, 0L);
  }

  /**
   * @throws ExpectedFailure naming the file that cannot be read
   */
  public static LogScan read(List<Path> files) {
    Map<Trouble, Long> counts = new EnumMap<>(Trouble.class);
    Map<Trouble, String> samples = new EnumMap<>(Trouble.class);
    long lines = 0;
    for (Path file : files) {
      try (BufferedReader in = TextFile.open(file)) {
        for (String line = in.readLine(); line != null; line = in.readLine()) {
          lines++;
          for (Trouble trouble : Trouble.values()) {
            if (trouble.pattern.matcher(line).find()) {
              counts.merge(trouble, 1L, Long::sum);
              samples.putIfAbsent(
                  trouble, line.length() > SAMPLE ? line.substring(0, SAMPLE) + "..." : line);
            }
          }
        }
      } catch (IOException e) {
        throw TextFile.unreadable(file, e);
      }
    }
    return new LogScan(files.size(), lines, counts, samples);
  }
}
