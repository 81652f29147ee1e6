package io.millrace.storage.zstandard;

import com.sun.management.ThreadMXBean;
import io.millrace.corpus.DocumentSource;
import io.millrace.corpus.LogGenerator;
import io.millrace.corpus.RealLines;
import io.millrace.storage.columnarsource.ColumnarSourceCodec;
import io.millrace.storage.offheapcache.BlockCache;
import io.millrace.storage.offheapcache.BlockCaches;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.lucene104.Lucene104Codec;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.StoredFieldVisitor;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;

/**
 * Bytes and CPU of stored fields: Lucene's LZ4 and Deflate against the zstandard codecs, on the
 * same documents, in one JVM, in several rounds in turn; the median round counts.
 *
 * <p>CPU is that of the measuring thread (ThreadMXBean), so that other work on the machine changes
 * little of it. A document has {@code _source} and a 15-byte {@code _id}, as OpenSearch stores
 * them; one segment, no merge, nothing else indexed. docs/zstandard-measured.md names the command.
 */
public final class StoredFieldsMeasurement {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final int FETCHES = 300;
  private static final int HITS = 10;

  private final List<byte[]> documents;
  private final Path folder;
  private final BlockCache cache = new BlockCache();

  private StoredFieldsMeasurement(List<byte[]> documents, Path folder) throws IOException {
    this.documents = documents;
    this.folder = folder;
    for (ZstandardVariant variant : ZstandardVariant.values()) {
      ZstandardCodec.registered(variant).blockCaches().attach(folder.toRealPath(), cache);
    }
    ((BlockCaches.User) Codec.forName(ColumnarSourceCodec.NAME))
        .blockCaches()
        .attach(folder.toRealPath(), cache);
  }

  /** A codec, and the bound of the cache of decoded blocks while it is measured. */
  private record Subject(Codec codec, long cacheBytes) {}

  private record Figures(
      Map<String, Long> bytes, double write, double random, double adjacent, double scan) {
    long total() {
      return bytes.values().stream().mapToLong(Long::longValue).sum();
    }
  }

  /**
   * {@code main [documents] [rounds] [folder of real *.log lines]}.
   *
   * @param args default 100000 documents, 5 rounds, generated lines
   */
  public static void main(String[] args) throws IOException {
    int count = args.length > 0 ? Integer.parseInt(args[0]) : 100_000;
    int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 5;
    boolean real = args.length > 2 && !args[2].equals("-");
    DocumentSource source =
        real
            ? new RealLines(
                1, LogGenerator.Options.defaults(), Path.of(args[2]), RealLines.DEFAULT_MAX_BYTES)
            : new LogGenerator(1);
    Path folder = Files.createTempDirectory("stored-fields");
    try {
      new StoredFieldsMeasurement(take(source, count), folder)
          .run(rounds, real ? "real lines" : "generated lines", System.out);
    } finally {
      Files.delete(folder);
    }
  }

  private static List<byte[]> take(DocumentSource source, int count) {
    List<byte[]> documents = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      documents.add(source.next());
    }
    return documents;
  }

  private static Map<String, Subject> subjects() {
    Map<String, Subject> subjects = new LinkedHashMap<>();
    subjects.put("default (LZ4)", new Subject(new Lucene104Codec(), 0));
    subjects.put(
        "best_compression (Deflate)",
        new Subject(new Lucene104Codec(Lucene104Codec.Mode.BEST_COMPRESSION), 0));
    for (ZstandardVariant variant : ZstandardVariant.values()) {
      for (int level : new int[] {1, 3, 6}) {
        String name = variant.alias() + " level " + level;
        if (level == variant.defaultLevel()) {
          name += " *";
        }
        Codec codec = ZstandardCodec.registered(variant).over(new Lucene104Codec(), level);
        subjects.put(name, new Subject(codec, 0));
        if (level == variant.defaultLevel()) {
          subjects.put(name + ", cache holds all", new Subject(codec, 1L << 30));
          subjects.put(name + ", cache of 1mb", new Subject(codec, 1L << 20));
        }
      }
    }
    for (ZstandardVariant variant : ZstandardVariant.values()) {
      String name = "columnar source + " + variant.alias();
      Codec codec = ColumnarSourceCodec.writing(variant);
      subjects.put(name, new Subject(codec, 0));
      subjects.put(name + ", cache holds all", new Subject(codec, 1L << 30));
      subjects.put(name + ", cache of 1mb", new Subject(codec, 1L << 20));
    }
    String only = System.getProperty("measure.only", "");
    subjects
        .keySet()
        .removeIf(name ->
            !name.startsWith("default") && !name.contains("Deflate") && !name.contains(only));
    return subjects;
  }

  private void run(int rounds, String what, PrintStream out) throws IOException {
    long plain = documents.stream().mapToLong(document -> document.length).sum();
    out.printf(
        Locale.ROOT,
        "%d documents of %s, %d bytes of _source each, %d rounds, JDK %s, %d CPUs%n",
        documents.size(),
        what,
        plain / documents.size(),
        rounds,
        Runtime.version(),
        Runtime.getRuntime().availableProcessors());
    Map<String, List<Figures>> all = new LinkedHashMap<>();
    for (int round = -1; round < rounds; round++) {
      for (Map.Entry<String, Subject> subject : subjects().entrySet()) {
        cache.resize(subject.getValue().cacheBytes());
        Figures figures = measure(subject.getValue().codec());
        cache.resize(0);
        if (round >= 0) {
          all.computeIfAbsent(subject.getKey(), key -> new ArrayList<>()).add(figures);
        }
      }
    }
    out.println(
        "| codec | bytes/doc | of LZ4 | write us/doc | of LZ4 | of Deflate | 10 random docs us |"
            + " 10 neighbours us | scan us/doc | by file |");
    out.println("|---|---|---|---|---|---|---|---|---|---|");
    List<List<Figures>> values = List.copyOf(all.values());
    double lz4Write = median(values.get(0).stream().mapToDouble(Figures::write));
    double deflateWrite = median(values.get(1).stream().mapToDouble(Figures::write));
    long lz4Bytes = values.get(0).get(0).total();
    all.forEach((name, figures) -> {
      double write = median(figures.stream().mapToDouble(Figures::write));
      Figures first = figures.get(0);
      out.printf(
          Locale.ROOT,
          "| %s | %.1f | %.1f %% | %.2f | %.2f | %.2f | %.0f | %.0f | %.2f | %s |%n",
          name,
          (double) first.total() / documents.size(),
          100.0 * first.total() / lz4Bytes,
          write,
          write / lz4Write,
          write / deflateWrite,
          median(figures.stream().mapToDouble(Figures::random)),
          median(figures.stream().mapToDouble(Figures::adjacent)),
          median(figures.stream().mapToDouble(Figures::scan)),
          first.bytes());
    });
    out.println("* = the level where index.codec.compression_level is not set");
  }

  private static double median(java.util.stream.DoubleStream values) {
    double[] sorted = values.sorted().toArray();
    return sorted[sorted.length / 2];
  }

  private Figures measure(Codec codec) throws IOException {
    try (Directory directory = new MMapDirectory(folder)) {
      double write = write(directory, codec);
      Map<String, Long> bytes = new TreeMap<>();
      for (String file : directory.listAll()) {
        String extension = file.substring(file.lastIndexOf('.') + 1);
        if (extension.startsWith("fd") || extension.startsWith("ms")) {
          bytes.merge(extension, directory.fileLength(file), Long::sum);
        }
      }
      Figures figures;
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        fillCache(reader);
        figures =
            new Figures(bytes, write, fetch(reader, true), fetch(reader, false), scan(reader));
      }
      for (String file : directory.listAll()) {
        directory.deleteFile(file);
      }
      return figures;
    }
  }

  private double write(Directory directory, Codec codec) throws IOException {
    IndexWriterConfig config =
        new IndexWriterConfig()
            .setCodec(codec)
            .setUseCompoundFile(false)
            .setMergePolicy(NoMergePolicy.INSTANCE)
            .setRAMBufferSizeMB(1024);
    Random random = new Random(5);
    byte[] id = new byte[15];
    long start = THREADS.getCurrentThreadCpuTime();
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      for (int i = 0; i < documents.size(); i++) {
        // as OpenSearch's time-based ids: a counter in front, the machine's part the same
        id[0] = (byte) i;
        id[1] = (byte) (i >>> 16);
        id[14] = (byte) (i >>> 8);
        id[7] = (byte) (i / 50);
        if (i == 0) {
          random.nextBytes(id);
        }
        Document document = new Document();
        document.add(new StoredField("_id", id.clone()));
        document.add(new StoredField("_source", documents.get(i)));
        writer.addDocument(document);
      }
      writer.commit();
      return (THREADS.getCurrentThreadCpuTime() - start) / 1e3 / documents.size();
    }
  }

  private void fillCache(DirectoryReader reader) throws IOException {
    StoredFields stored = reader.storedFields();
    for (int doc = 0; doc < documents.size(); doc += 10) {
      check(doc, stored);
    }
  }

  private double fetch(DirectoryReader reader, boolean scattered) throws IOException {
    Random random = new Random(1);
    long start = 0;
    for (int fetch = -FETCHES / 3; fetch < FETCHES; fetch++) {
      if (fetch == 0) {
        start = THREADS.getCurrentThreadCpuTime();
      }
      StoredFields stored = reader.storedFields();
      int from = HITS + random.nextInt(documents.size() - HITS);
      for (int hit = 0; hit < HITS; hit++) {
        int doc = scattered ? random.nextInt(documents.size()) : from - hit;
        check(doc, stored);
      }
    }
    return (THREADS.getCurrentThreadCpuTime() - start) / 1e3 / FETCHES;
  }

  private double scan(DirectoryReader reader) throws IOException {
    var merging =
        ((org.apache.lucene.index.CodecReader) reader.leaves().get(0).reader())
            .getFieldsReader()
            .getMergeInstance();
    long start = THREADS.getCurrentThreadCpuTime();
    for (int doc = 0; doc < documents.size(); doc++) {
      check(doc, merging);
    }
    return (THREADS.getCurrentThreadCpuTime() - start) / 1e3 / documents.size();
  }

  private void check(int doc, StoredFields stored) throws IOException {
    Source source = new Source();
    stored.document(doc, source);
    if (!Arrays.equals(source.bytes, documents.get(doc))) {
      throw new IllegalStateException(
          "document " + doc + ": " + new String(source.bytes, StandardCharsets.UTF_8));
    }
  }

  private static final class Source extends StoredFieldVisitor {
    private byte[] bytes = {};

    @Override
    public Status needsField(FieldInfo field) {
      return field.name.equals("_source") ? Status.YES : Status.NO;
    }

    @Override
    public void binaryField(FieldInfo field, byte[] value) {
      bytes = value;
    }
  }
}
