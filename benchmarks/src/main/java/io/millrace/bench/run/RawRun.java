package io.millrace.bench.run;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.bench.answers.AnswerSheet;
import io.millrace.bench.json.BenchJson;
import io.millrace.bench.raw.RawLuceneMain;
import io.millrace.bench.scenario.Measure;
import io.millrace.bench.scenario.Scenario;
import io.millrace.bench.term.BenchFailure;
import io.millrace.bench.workload.BulkFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * The raw-Lucene limit of one round: {@link RawLuceneMain} in a JVM of its own, with the JVM of the
 * bench and the heap of the servers plus room for the documents it holds in memory. Its indexing
 * buffer is the servers' (a tenth of the heap, indices.memory.index_buffer_size).
 */
final class RawRun {
  private static final long LIMIT_MINUTES = 60;

  private final Scenario scenario;
  private final Options options;
  private final BulkFile file;
  private final Path bulkFile;

  RawRun(Scenario scenario, Options options, BulkFile file, Path bulkFile) {
    this.scenario = scenario;
    this.options = options;
    this.file = file;
    this.bulkFile = bulkFile;
  }

  Sample measure(Path home) throws IOException {
    Files.createDirectories(home);
    Path mapping = home.resolve("mapping.json");
    Files.write(mapping, BenchJson.bytes(scenario.workload().mapping()));
    int perBulk = scenario.workload().bulkSize(options.bulkSize());
    long heapMib = mebibytes(options.heap());
    long memory = heapMib + (file.bytes() >> 19); // the documents, and as much again while reading
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xms" + memory + "m",
            "-Xmx" + memory + "m",
            "--add-modules=jdk.incubator.vector",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            RawLuceneMain.class.getName(),
            mapping.toString(),
            bulkFile.toString(),
            Long.toString(Math.min(file.bulks(), options.warmUp() / perBulk)),
            Integer.toString(file.bulks()),
            Integer.toString(perBulk),
            Integer.toString(Runtime.getRuntime().availableProcessors()),
            Long.toString(Math.max(16, heapMib / 10)),
            home.resolve("index").toString());
    JsonNode result = BenchJson.parse(run(command, home).getBytes(StandardCharsets.UTF_8));
    double docs = result.path("documents").asDouble();
    Map<Measure, Double> figures = new EnumMap<>(Measure.class);
    double cpu = result.path("cpuMillis").asDouble();
    figures.put(Measure.CPU_PER_DOC, cpu * 1000 / docs);
    figures.put(Measure.CPU_PER_DOC_LOAD, result.path("loadCpuMillis").asDouble() * 1000 / docs);
    figures.put(
        Measure.COMPILER_CPU_PER_DOC, result.path("compilerCpuMillis").asDouble() * 1000 / docs);
    figures.put(Measure.DOCS_PER_CPU_SECOND, docs * 1000 / Math.max(1, cpu));
    figures.put(Measure.LOAD_SECONDS, result.path("loadSeconds").asDouble());
    figures.put(Measure.DOCS_PER_SECOND, docs / result.path("loadSeconds").asDouble());
    Map<String, Long> bytes = new TreeMap<>();
    result
        .path("bytesByEnding")
        .properties()
        .forEach(entry -> bytes.put(entry.getKey(), entry.getValue().asLong()));
    double all = bytes.values().stream().mapToLong(Long::longValue).sum();
    figures.put(Measure.INDEX_BYTES_PER_DOC, all / docs);
    figures.put(
        Measure.STORED_BYTES_PER_DOC, Sample.parts(bytes).getOrDefault("stored fields", 0L) / docs);
    return new Sample(figures, bytes, Map.of(), AnswerSheet.empty(), -1, shown(command));
  }

  /** Runs a JVM and returns the last line it printed. */
  private static String run(List<String> command, Path home) throws IOException {
    Path out = home.resolve("out.txt");
    Path err = home.resolve("err.txt");
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    try {
      if (!process.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES)) {
        throw new BenchFailure("raw Lucene was not done after " + LIMIT_MINUTES + " minutes");
      }
      if (process.exitValue() != 0) {
        throw new BenchFailure("raw Lucene failed: " + Files.readString(err).strip());
      }
      return Files.readAllLines(out).getLast();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BenchFailure("interrupted", e);
    } finally {
      process.destroyForcibly();
    }
  }

  /** The command without the long class path. */
  private static List<String> shown(List<String> command) {
    List<String> shown = new ArrayList<>(command);
    int path = shown.indexOf("-cp");
    shown.set(path + 1, "<class path of the bench>");
    return shown;
  }

  /** A JVM size such as {@code 1g} or {@code 512m} in MiB. */
  static long mebibytes(String size) {
    if (!size.matches("[1-9][0-9]*[mMgG]")) {
      throw new BenchFailure("--heap: '" + size + "' is not a size; write 512m or 2g");
    }
    long number = Long.parseLong(size.substring(0, size.length() - 1));
    return Character.toLowerCase(size.charAt(size.length() - 1)) == 'g' ? number << 10 : number;
  }
}
