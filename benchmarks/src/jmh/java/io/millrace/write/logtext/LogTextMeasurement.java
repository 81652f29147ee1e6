package io.millrace.write.logtext;

import io.millrace.corpus.JsonBuffer;
import io.millrace.corpus.LogGenerator;
import io.millrace.write.loganalyzer.LogAnalyzer;
import io.millrace.write.loganalyzer.WholeTokens;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;

/**
 * What one message field costs in raw Lucene, as text, as match_only_text and as log_text: CPU of
 * the indexing thread per document (indexing, flush, merges, commit; neither the compiler's nor the
 * collector's threads; the best of the rounds, which take turns) and bytes per document after a
 * merge to one segment. A round should last a second or more: shorter ones measure the warm-up.
 * Commands stand on the pages of log-text and log-analyzer.
 *
 * <p>Arguments: {@code generated COUNT ROUNDS}, {@code words COUNT ROUNDS} (free text), or a folder
 * of log files and {@code COUNT ROUNDS}; then, for a profile of some ways alone, their names with
 * commas between.
 */
final class LogTextMeasurement {
  private enum Way {
    TEXT_STANDARD,
    TEXT_MILLRACE_LOG,
    MATCH_ONLY_STANDARD,
    MATCH_ONLY_LOG_WORDS,
    LOG_TEXT
  }

  private LogTextMeasurement() {}

  public static void main(String[] arguments) throws IOException {
    int count = Integer.parseInt(arguments[1]);
    int rounds = Integer.parseInt(arguments[2]);
    List<String> messages =
        switch (arguments[0]) {
          case "generated" -> generated(count);
          case "words" -> words(count);
          default -> lines(Path.of(arguments[0]), count);
        };
    long chars = messages.stream().mapToLong(String::length).sum();
    print("%d messages of %d characters on average%n", messages.size(), chars / messages.size());
    List<Way> ways =
        arguments.length > 3
            ? Stream.of(arguments[3].split(",")).map(Way::valueOf).toList()
            : List.of(Way.values());
    Map<Way, double[]> best = new EnumMap<>(Way.class);
    for (int round = 0; round < rounds; round++) {
      for (Way way : ways) {
        double[] now = run(way, messages);
        best.merge(way, now, (a, b) -> a[0] < b[0] ? a : b);
      }
    }
    double[] text = best.getOrDefault(Way.TEXT_STANDARD, new double[] {Double.NaN, Double.NaN});
    best.forEach((way, figures) ->
        print(
            "%-22s %6.2f us/doc (%.2f x)  %6.1f bytes/doc (%.2f x)%n",
            way, figures[0], figures[0] / text[0], figures[1], figures[1] / text[1]));
  }

  private static void print(String format, Object... values) {
    System.out.print(String.format(Locale.ROOT, format, values));
  }

  private static double[] run(Way way, List<String> messages) throws IOException {
    Path folder = Files.createTempDirectory("log-text-cost");
    FieldType docs = new FieldType();
    docs.setIndexOptions(IndexOptions.DOCS);
    docs.setOmitNorms(true);
    docs.setTokenized(true);
    docs.freeze();
    Analyzer analyzer =
        switch (way) {
          case TEXT_STANDARD, MATCH_ONLY_STANDARD -> new StandardAnalyzer();
          case TEXT_MILLRACE_LOG -> new LogAnalyzer(WholeTokens.ALL);
          case MATCH_ONLY_LOG_WORDS, LOG_TEXT -> new LogAnalyzer(WholeTokens.WORDS);
        };
    TemplateSketch sketch = new TemplateSketch();
    ThreadMXBean thread = ManagementFactory.getThreadMXBean();
    double micros;
    try (Directory directory = FSDirectory.open(folder)) {
      IndexWriterConfig config = new IndexWriterConfig(analyzer);
      config.setRAMBufferSizeMB(64);
      config.setUseCompoundFile(false);
      config.setMergeScheduler(new SerialMergeScheduler());
      try (IndexWriter writer = new IndexWriter(directory, config)) {
        System.gc();
        long before = thread.getCurrentThreadCpuTime();
        for (String message : messages) {
          Document document = new Document();
          document.add(
              switch (way) {
                case TEXT_STANDARD, TEXT_MILLRACE_LOG ->
                    new TextField("m", message, Field.Store.NO);
                case MATCH_ONLY_STANDARD, MATCH_ONLY_LOG_WORDS -> new Field("m", message, docs);
                case LOG_TEXT -> new LogTextField("m", message, docs, sketch);
              });
          writer.addDocument(document);
        }
        writer.commit();
        micros = (thread.getCurrentThreadCpuTime() - before) / 1e3 / messages.size();
        writer.forceMerge(1);
      }
    } finally {
      analyzer.close();
    }
    long bytes = 0;
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        bytes += Files.size(file);
        Files.delete(file);
      }
    }
    Files.delete(folder);
    if (way == Way.LOG_TEXT) {
      print(
          "values written by their template: %.3f%n",
          sketch.known.sum() / (double) messages.size());
    }
    return new double[] {micros, (double) bytes / messages.size()};
  }

  static List<String> generated(int count) {
    LogGenerator generator = new LogGenerator(7);
    JsonBuffer buffer = new JsonBuffer();
    List<String> out = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      buffer.clear();
      generator.next(buffer);
      String json = new String(buffer.array(), 0, buffer.size(), StandardCharsets.UTF_8);
      int from = json.indexOf("\"message\":\"") + 11;
      int to = from;
      while (json.charAt(to) != '"' || json.charAt(to - 1) == '\\') {
        to++;
      }
      out.add(json.substring(from, to).replace("\\\"", "\"").replace("\\\\", "\\"));
    }
    return out;
  }

  private static List<String> words(int count) {
    Random random = new Random(7);
    String[] vocabulary = new String[50_000];
    for (int i = 0; i < vocabulary.length; i++) {
      StringBuilder word = new StringBuilder();
      for (int n = 2 + random.nextInt(9); n > 0; n--) {
        word.append((char) ('a' + random.nextInt(26)));
      }
      vocabulary[i] = word.toString();
    }
    List<String> out = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      StringBuilder text = new StringBuilder();
      for (int n = 12 + random.nextInt(12); n > 0; n--) {
        double skewed = Math.pow(random.nextDouble(), 4);
        text.append(vocabulary[(int) (skewed * vocabulary.length)]).append(' ');
      }
      out.add(text.toString());
    }
    return out;
  }

  static List<String> lines(Path folder, int count) throws IOException {
    List<String> out = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".log")).sorted().toList()) {
        out.addAll(new String(Files.readAllBytes(file), StandardCharsets.UTF_8).lines().toList());
      }
    }
    Collections.shuffle(out, new Random(7));
    return out.subList(0, Math.min(count, out.size()));
  }
}
