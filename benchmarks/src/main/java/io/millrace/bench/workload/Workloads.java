package io.millrace.bench.workload;

import com.fasterxml.jackson.core.type.TypeReference;
import io.millrace.bench.json.BenchJson;
import io.millrace.bench.term.BenchFailure;
import io.millrace.corpus.DocumentSource;
import io.millrace.corpus.LogGenerator;
import io.millrace.corpus.Mappings;
import io.millrace.corpus.RealLines;
import io.millrace.corpus.WideDocuments;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The workloads that scenarios share. */
public final class Workloads {
  /** Of 100 documents under own ids, how many are sent a second time. */
  public static final int RESENT_PERCENT = 10;

  private Workloads() {}

  /** Log documents of ten fields, about 355 bytes: generated, or real lines with fresh digits. */
  public static Workload logs() {
    return new Workload(
        "logs",
        "log documents of ten fields, one of them the message (mean about 355 bytes)",
        options -> iterate(logSource(options)),
        mapping(Mappings.LOGS.body()),
        List.of("@timestamp", "trace_id"),
        0,
        0,
        sent -> sent);
  }

  /** The same documents under random ids of the sender's own, a tenth of them sent twice. */
  public static Workload ownIds() {
    return new Workload(
        "own-ids",
        "the log documents under random 128-bit ids of the sender's own; of 100 sent, "
            + RESENT_PERCENT
            + " repeat one of the last 100,000",
        options -> new ResentDocuments(iterate(logSource(options)), RESENT_PERCENT, options.seed()),
        mapping(Mappings.LOGS.body()),
        List.of("@timestamp", "trace_id"),
        0,
        0,
        sent -> ResentDocuments.distinct(sent, RESENT_PERCENT));
  }

  /** Documents of 400 numbers and keywords. */
  public static Workload wide() {
    return new Workload(
        "wide",
        "documents of 400 fields beside the time, half numbers, half keywords",
        options -> iterate(new WideDocuments(options.seed())),
        mapping(new WideDocuments(1).mapping()),
        List.of("@timestamp", "n000", "n001", "n002"),
        200,
        0,
        sent -> sent);
  }

  /** 30 bulks of 30 documents, each with a field nobody has seen. */
  public static Workload storm() {
    return new Workload(
        "storm",
        StormDocuments.BULKS
            + " bulks of "
            + StormDocuments.PER_BULK
            + " documents, a new field in every document",
        options -> new StormDocuments(),
        StormDocuments.mapping(),
        List.of("number"),
        StormDocuments.PER_BULK,
        StormDocuments.BULKS,
        sent -> sent);
  }

  private static DocumentSource logSource(WorkloadOptions options) {
    if (options.corpus() == null) {
      return new LogGenerator(options.seed());
    }
    try {
      return new RealLines(
          options.seed(),
          LogGenerator.Options.defaults(),
          options.corpus(),
          RealLines.DEFAULT_MAX_BYTES);
    } catch (IOException e) {
      throw new BenchFailure(
          "--corpus: " + e.getMessage() + "; name a folder that holds *.log files", e);
    }
  }

  private static Iterator<Document> iterate(DocumentSource source) {
    return Stream.generate(() -> new Document(null, source.next())).iterator();
  }

  /** The part {@code mappings} of an index body. */
  private static Map<String, Object> mapping(String indexBody) {
    try {
      Map<String, Map<String, Object>> body =
          BenchJson.mapper().readValue(indexBody, new TypeReference<>() {});
      return body.getOrDefault("mappings", Map.of());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
