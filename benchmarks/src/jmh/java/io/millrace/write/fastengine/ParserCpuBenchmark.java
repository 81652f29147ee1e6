package io.millrace.write.fastengine;

import io.millrace.kernel.FeaturePlugin;
import io.millrace.write.logtext.LogTextFeature;
import io.millrace.write.logtext.LogTextFieldMapper;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.lucene.analysis.CharArraySet;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.FloatPoint;
import org.apache.lucene.document.IntPoint;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.SortedNumericDocValuesField;
import org.apache.lucene.document.SortedSetDocValuesField;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.NumericUtils;
import org.opensearch.common.xcontent.XContentFactory;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.xcontent.DeprecationHandler;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.core.xcontent.XContentParser;
import org.opensearch.index.mapper.MapperService;
import org.opensearch.index.mapper.MapperServiceTestCase;
import org.opensearch.index.mapper.ParsedDocument;
import org.opensearch.index.mapper.SourceToParse;
import org.opensearch.index.mapper.Uid;
import org.opensearch.plugins.Plugin;

/**
 * CPU per document inside one JVM: stock's parser, the fast path, and Lucene fed by hand, each with
 * the same documents and the same IndexWriter settings, in turn.
 *
 * <p>write/docs/fast-engine-measured.md names the command.
 *
 * <p>Measured is the CPU time of the one indexing thread (ThreadMXBean), flushes included, merges
 * excluded (NoMergePolicy). No translog, no version map, no HTTP: what a whole node takes is
 * measured elsewhere.
 */
public class ParserCpuBenchmark extends MapperServiceTestCase {
  private static final int DOCUMENTS = Integer.getInteger("millrace.cpu.documents", 2_000);
  private static final int ROUNDS = Integer.getInteger("millrace.cpu.rounds", 1);
  private static final String LOG_MAPPING =
      """
      {"_doc":{"properties":{"@timestamp":{"type":"date"},"host":{"type":"keyword"},
      "service":{"type":"keyword"},"level":{"type":"keyword"},"pid":{"type":"integer"},
      "trace_id":{"type":"keyword"},"status":{"type":"short"},"latency_ms":{"type":"float"},
      "bytes":{"type":"long"},"message":{"type":"text"}}}}
      """;

  private final Plugin logText = new FeaturePlugin(List.of(new LogTextFeature())) {};

  @Override
  protected Collection<? extends Plugin> getPlugins() {
    return List.of(logText);
  }

  /** Feeds one document to a writer, or only parses it if the writer is null. */
  private interface Way {
    void index(IndexWriter writer, SourceToParse source) throws IOException;
  }

  public void testLogDocuments() throws IOException {
    Random random = new Random(3);
    List<byte[]> documents = new ArrayList<>();
    for (int i = 0; i < DOCUMENTS; i++) {
      documents.add(log(random, i));
    }
    measure("log, 10 fields", LOG_MAPPING, documents, true);
  }

  public void testLogDocumentsWithLogText() throws IOException {
    Random random = new Random(3);
    List<byte[]> documents = new ArrayList<>();
    for (int i = 0; i < DOCUMENTS; i++) {
      documents.add(log(random, i));
    }
    String mapping = LOG_MAPPING.replace("\"type\":\"text\"", "\"type\":\"log_text\"");
    measure("log, 10 fields, log_text", mapping, documents, false);
  }

  public void testFourHundredFields() throws IOException {
    StringBuilder mapping = new StringBuilder("{\"_doc\":{\"properties\":{");
    for (int i = 0; i < 400; i++) {
      mapping
          .append(i > 0 ? "," : "")
          .append("\"field_" + i + "\":{\"type\":\"" + (i % 4 == 0 ? "keyword" : "long") + "\"}");
    }
    Random random = new Random(4);
    List<byte[]> documents = new ArrayList<>();
    for (int d = 0; d < DOCUMENTS / 20; d++) {
      StringBuilder json = new StringBuilder("{");
      for (int i = 0; i < 400; i++) {
        json.append(i > 0 ? "," : "").append("\"field_" + i + "\":");
        json.append(
            i % 4 == 0
                ? "\"v" + random.nextInt(1000) + "\""
                : String.valueOf(random.nextInt(100_000)));
      }
      documents.add(json.append('}').toString().getBytes(StandardCharsets.UTF_8));
    }
    measure("400 fields", mapping.append("}}}").toString(), documents, false);
  }

  private void measure(String name, String mapping, List<byte[]> documents, boolean withRaw)
      throws IOException {
    MapperService service;
    try (XContentParser parser =
        JsonXContent.jsonXContent.createParser(
            NamedXContentRegistry.EMPTY, DeprecationHandler.THROW_UNSUPPORTED_OPERATION, mapping)) {
      service = createMapperService(XContentFactory.jsonBuilder().map(parser.map()));
    }
    FastEngineFeature feature = new FastEngineFeature();
    FastParser parser = feature.parser(service.getIndexSettings());
    Way stock =
        (writer, source) -> {
          ParsedDocument document = service.documentMapper().parse(source);
          LogTextFieldMapper.indexed(document); // as a shard does
          if (writer != null) {
            writer.addDocument(document.rootDoc());
          }
        };
    Way fast =
        (writer, source) -> {
          ParsedDocument document = parser.parse(service.documentMapper(), source);
          if (writer != null) {
            writer.addDocument(document.rootDoc());
          }
        };
    for (int round = 0; round < ROUNDS; round++) {
      StringBuilder line = new StringBuilder();
      line.append(String.format(Locale.ROOT, "%s, round %d, us/document:", name, round));
      report(line, "stock parse", service, documents, stock, false);
      report(line, "fast parse", service, documents, fast, false);
      report(line, "stock", service, documents, stock, true);
      report(line, "fast", service, documents, fast, true);
      if (withRaw) {
        report(line, "lucene by hand", null, documents, ParserCpuBenchmark::raw, true);
      }
      logger.info(line);
    }
    assertEquals(2L * ROUNDS * documents.size(), feature.counters().documents());
  }

  private void report(
      StringBuilder line,
      String name,
      MapperService service,
      List<byte[]> documents,
      Way way,
      boolean index)
      throws IOException {
    Path path = createTempDir();
    var threads = ManagementFactory.getThreadMXBean();
    long cpu;
    try (Directory directory = new MMapDirectory(path)) {
      IndexWriterConfig config =
          new IndexWriterConfig(
                  service == null
                      ? new StandardAnalyzer(CharArraySet.EMPTY_SET)
                      : service.indexAnalyzer())
              .setRAMBufferSizeMB(64)
              .setUseCompoundFile(false)
              .setMergeScheduler(new SerialMergeScheduler())
              .setMergePolicy(NoMergePolicy.INSTANCE);
      config.setCodec(org.apache.lucene.codecs.Codec.forName("Lucene104"));
      try (IndexWriter writer = new IndexWriter(directory, config)) {
        long start = threads.getCurrentThreadCpuTime();
        int number = 0;
        for (byte[] document : documents) {
          way.index(
              index ? writer : null,
              new SourceToParse(
                  "index", id(number++), new BytesArray(document), XContentType.JSON));
        }
        writer.flush();
        cpu = threads.getCurrentThreadCpuTime() - start;
      }
    }
    line.append(String.format(Locale.ROOT, "  %s %.2f", name, cpu / 1_000.0 / documents.size()));
    try (Stream<Path> files = Files.list(path)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        Files.delete(file);
      }
    }
  }

  /** As long as an id that the node makes by itself: 20 characters of base 64. */
  private static String id(int number) {
    return String.format(Locale.ROOT, "mX4%08dAbCdEfGhI", number) + "_";
  }

  private static byte[] log(Random random, int i) {
    String[] paths = {"servers", "flavors", "images", "os-keypairs", "volumes"};
    return String.format(
            Locale.ROOT,
            "{\"@timestamp\":\"2026-%02d-%02dT%02d:%02d:%02d.%03dZ\",\"host\":\"host-%03d.dc1\","
                + "\"service\":\"svc-%02d\",\"level\":\"%s\",\"pid\":%d,\"trace_id\":\"%016x%016x\","
                + "\"status\":%d,\"latency_ms\":%.3f,\"bytes\":%d,\"message\":\"%s"
                + " [req-%08x-%04x-%04x] 10.11.%d.%d \\\"GET /v2/%08x/%s/detail HTTP/1.1\\\" status: %d"
                + " len: %d time: 0.%07d\"}",
            1 + i % 12,
            1 + i % 28,
            i % 24,
            i % 60,
            random.nextInt(60),
            random.nextInt(1000),
            random.nextInt(200),
            random.nextInt(40),
            random.nextInt(10) == 0 ? "WARN" : "INFO",
            1000 + random.nextInt(9000),
            random.nextLong(),
            random.nextLong(),
            random.nextInt(20) == 0 ? 500 : 200,
            random.nextInt(1_000_000) / 1000.0,
            random.nextInt(100_000),
            "nova.osapi_compute.wsgi.server",
            random.nextInt(),
            random.nextInt(65536),
            random.nextInt(65536),
            random.nextInt(256),
            random.nextInt(256),
            random.nextInt(),
            paths[random.nextInt(paths.length)],
            200,
            random.nextInt(5000),
            random.nextInt(10_000_000))
        .getBytes(StandardCharsets.UTF_8);
  }

  private static final FieldType TERM = new FieldType();
  private static final FieldType ID = new FieldType();

  static {
    TERM.setTokenized(false);
    TERM.setOmitNorms(true);
    TERM.setIndexOptions(org.apache.lucene.index.IndexOptions.DOCS);
    TERM.freeze();
    ID.setTokenized(false);
    ID.setOmitNorms(true);
    ID.setStored(true);
    ID.setIndexOptions(org.apache.lucene.index.IndexOptions.DOCS);
    ID.freeze();
  }

  /** What a careful user of Lucene writes for the log mapping, with stock's JSON parser. */
  private static void raw(IndexWriter writer, SourceToParse source) throws IOException {
    Document document = new Document();
    BytesRef bytes = source.source().toBytesRef();
    document.add(new Field("_id", Uid.encodeId(source.id()), ID));
    document.add(new LongPoint("_seq_no", 1));
    document.add(new NumericDocValuesField("_seq_no", 1));
    document.add(new NumericDocValuesField("_primary_term", 1));
    document.add(new NumericDocValuesField("_version", 1));
    document.add(new StoredField("_source", bytes.bytes, bytes.offset, bytes.length));
    try (XContentParser json =
        JsonXContent.jsonXContent.createParser(
            NamedXContentRegistry.EMPTY,
            DeprecationHandler.THROW_UNSUPPORTED_OPERATION,
            bytes.bytes,
            bytes.offset,
            bytes.length)) {
      json.nextToken();
      while (json.nextToken() == XContentParser.Token.FIELD_NAME) {
        String name = json.currentName();
        json.nextToken();
        switch (name) {
          case "@timestamp" ->
              number(document, name, java.time.Instant.parse(json.text()).toEpochMilli());
          case "bytes" -> number(document, name, json.longValue());
          case "pid", "status" -> {
            document.add(new IntPoint(name, json.intValue()));
            document.add(new SortedNumericDocValuesField(name, json.intValue()));
          }
          case "latency_ms" -> {
            float value = json.floatValue();
            document.add(new FloatPoint(name, value));
            document.add(
                new SortedNumericDocValuesField(name, NumericUtils.floatToSortableInt(value)));
          }
          case "message" -> document.add(new TextField(name, json.text(), Field.Store.NO));
          default -> {
            BytesRef term = new BytesRef(json.text());
            document.add(new Field(name, term, TERM));
            document.add(new SortedSetDocValuesField(name, term));
          }
        }
      }
    }
    writer.addDocument(document);
  }

  private static void number(Document document, String name, long value) {
    document.add(new LongPoint(name, value));
    document.add(new SortedNumericDocValuesField(name, value));
  }
}
