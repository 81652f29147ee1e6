package io.millrace.storage.packedids;

import com.sun.management.ThreadMXBean;
import io.millrace.corpus.LogGenerator;
import io.millrace.storage.columnarsource.ColumnarSourceCodec;
import io.millrace.storage.zstandard.ZstandardVariant;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
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
import org.apache.lucene.document.Field;
import org.apache.lucene.document.Field.Store;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.SortedSetDocValuesField;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.index.TieredMergePolicy;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.util.BytesRef;
import org.opensearch.common.UUIDs;
import org.opensearch.index.mapper.Uid;

/**
 * What ids cost: a random trace id of 32 digits in terms and doc values, with Lucene's formats and
 * packed; and {@code _id} as OpenSearch generates it, stored and in terms.
 *
 * <p>Raw Lucene, one index of one writer, ten flushes merged into one segment; CPU is that of the
 * measuring thread, which also merges. docs/packed-ids-measured.md and docs/id-trimming.md name the
 * command.
 */
public final class IdMeasurement {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final int FLUSHES = 10;
  private static final int SEARCHES = 5000;

  private final int count;
  private final Path folder;
  private final List<String> traces = new ArrayList<>();
  private final List<BytesRef> ids = new ArrayList<>();
  private final List<byte[]> sources = new ArrayList<>();

  private IdMeasurement(int count, Path folder) {
    this.count = count;
    this.folder = folder;
    Random random = new Random(1);
    LogGenerator generator = new LogGenerator(1);
    for (int i = 0; i < count; i++) {
      traces.add(String.format(Locale.ROOT, "%016x%016x", random.nextLong(), random.nextLong()));
      ids.add(Uid.encodeId(UUIDs.base64UUID()));
      sources.add(generator.next());
    }
  }

  /**
   * {@code main [documents] [rounds]}.
   *
   * @param args default 100000 documents, 3 rounds
   */
  public static void main(String[] args) throws IOException {
    int count = args.length > 0 ? Integer.parseInt(args[0]) : 100_000;
    int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 3;
    Path folder = Files.createTempDirectory("ids");
    try {
      IdMeasurement measurement = new IdMeasurement(count, folder);
      measurement.traces(rounds, System.out);
      measurement.ids(System.out);
    } finally {
      Files.delete(folder);
    }
  }

  private interface Work {
    void run() throws IOException;
  }

  /** CPU of this thread in microseconds per unit. */
  private static double cpu(int units, Work work) throws IOException {
    long start = THREADS.getCurrentThreadCpuTime();
    work.run();
    return (THREADS.getCurrentThreadCpuTime() - start) / 1e3 / units;
  }

  private interface Documents {
    void add(Document document, int i);
  }

  private void write(Directory directory, Codec codec, boolean merge, Documents documents)
      throws IOException {
    IndexWriterConfig config =
        new IndexWriterConfig()
            .setCodec(codec)
            .setUseCompoundFile(false)
            .setMergeScheduler(new SerialMergeScheduler())
            .setMergePolicy(NoMergePolicy.INSTANCE);
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      for (int i = 0; i < count; i++) {
        Document document = new Document();
        documents.add(document, i);
        writer.addDocument(document);
        if (i % (count / FLUSHES) == count / FLUSHES - 1) {
          writer.flush();
        }
      }
    }
    if (merge) {
      merge(directory, codec);
    }
  }

  private static void merge(Directory directory, Codec codec) throws IOException {
    TieredMergePolicy policy = new TieredMergePolicy();
    policy.setNoCFSRatio(0);
    IndexWriterConfig config =
        new IndexWriterConfig()
            .setCodec(codec)
            .setUseCompoundFile(false)
            .setMergeScheduler(new SerialMergeScheduler())
            .setMergePolicy(policy);
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      writer.forceMerge(1);
    }
  }

  private Map<String, Double> bytes(Directory directory) throws IOException {
    Map<String, Double> bytes = new TreeMap<>();
    for (String name : directory.listAll()) {
      String extension = name.substring(name.lastIndexOf('.') + 1);
      if (!name.startsWith("segments") && !extension.equals("lock")) {
        bytes.merge(extension, directory.fileLength(name) / (double) count, Double::sum);
      }
    }
    return bytes;
  }

  private void clear(Directory directory) throws IOException {
    for (String name : directory.listAll()) {
      directory.deleteFile(name);
    }
  }

  private void traces(int rounds, PrintStream out) throws IOException {
    out.println(
        "trace id of 32 digits, keyword with doc values, " + count + " documents, one each");
    Map<String, Codec> codecs = new LinkedHashMap<>();
    codecs.put("Lucene", new Lucene104Codec());
    codecs.put("packed", new PackedIdsCodec(new Lucene104Codec()));
    String[] names = {
      "flush us/doc", "merge us/doc", "term us", "prefix us", "lookupOrd us", "all terms us/1000"
    };
    Map<String, List<double[]>> figures = new LinkedHashMap<>();
    Map<String, Map<String, Double>> sizes = new LinkedHashMap<>();
    for (int round = -1; round < rounds; round++) {
      for (Map.Entry<String, Codec> each : codecs.entrySet()) {
        try (Directory directory = new MMapDirectory(folder)) {
          double[] one = new double[names.length];
          one[0] =
              cpu(
                  count,
                  () ->
                      write(
                          directory,
                          each.getValue(),
                          false,
                          (document, i) -> {
                            document.add(new StringField("trace", traces.get(i), Store.NO));
                            document.add(
                                new SortedSetDocValuesField("trace", new BytesRef(traces.get(i))));
                          }));
          one[1] = cpu(count, () -> merge(directory, each.getValue()));
          search(directory, one);
          sizes.put(each.getKey(), bytes(directory));
          if (round >= 0) {
            figures.computeIfAbsent(each.getKey(), key -> new ArrayList<>()).add(one);
          }
          clear(directory);
        }
      }
    }
    for (String codec : codecs.keySet()) {
      print(out, codec, sizes.get(codec));
      StringBuilder line = new StringBuilder("  CPU:");
      for (int i = 0; i < names.length; i++) {
        int column = i;
        double[] sorted =
            figures.get(codec).stream().mapToDouble(one -> one[column]).sorted().toArray();
        line.append(String.format(Locale.ROOT, " %s %.3f,", names[i], sorted[sorted.length / 2]));
      }
      out.println(line);
    }
  }

  private static void print(PrintStream out, String name, Map<String, Double> bytes) {
    StringBuilder line = new StringBuilder();
    double total = bytes.values().stream().mapToDouble(Double::doubleValue).sum();
    line.append(String.format(Locale.ROOT, "%s: %.2f bytes/doc:", name, total));
    bytes.forEach(
        (extension, size) -> line.append(String.format(Locale.ROOT, " %s %.2f", extension, size)));
    out.println(line);
  }

  private void search(Directory directory, double[] figures) throws IOException {
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      IndexSearcher searcher = new IndexSearcher(reader);
      searcher.setQueryCache(null);
      Random random = new Random(5);
      figures[2] =
          cpu(
              SEARCHES,
              () -> {
                for (int i = 0; i < SEARCHES; i++) {
                  String trace = traces.get(random.nextInt(count));
                  if (searcher.search(new TermQuery(new Term("trace", trace)), 1).scoreDocs.length
                      != 1) {
                    throw new IllegalStateException(trace);
                  }
                }
              });
      figures[3] =
          cpu(
              SEARCHES / 10,
              () -> {
                for (int i = 0; i < SEARCHES / 10; i++) {
                  String trace = traces.get(random.nextInt(count));
                  searcher.count(new PrefixQuery(new Term("trace", trace.substring(0, 3))));
                }
              });
      LeafReader leaf = reader.leaves().getFirst().reader();
      SortedSetDocValues values = leaf.getSortedSetDocValues("trace");
      long[] sum = new long[1];
      figures[4] =
          cpu(
              SEARCHES,
              () -> {
                for (int i = 0; i < SEARCHES; i++) {
                  sum[0] += values.lookupOrd(random.nextInt(count)).length;
                }
              });
      figures[5] =
          cpu(
              count / 1000,
              () -> {
                TermsEnum terms = values.termsEnum();
                for (BytesRef term = terms.next(); term != null; term = terms.next()) {
                  sum[0] += term.length;
                }
              });
      if (sum[0] != (SEARCHES + count) * 32L) {
        throw new IllegalStateException("wrong lengths");
      }
    }
  }

  private static FieldType id(boolean stored) {
    FieldType type = new FieldType();
    type.setIndexOptions(IndexOptions.DOCS);
    type.setTokenized(false);
    type.setOmitNorms(true);
    type.setStored(stored);
    return type;
  }

  private void ids(PrintStream out) throws IOException {
    Map<String, Codec> codecs = new LinkedHashMap<>();
    codecs.put("LZ4", new Lucene104Codec());
    codecs.put("columns + zstandard", ColumnarSourceCodec.writing(ZstandardVariant.STANDARD));
    FieldType stored = id(true);
    FieldType indexed = id(false);
    Map<String, Documents> variants = new LinkedHashMap<>();
    variants.put("_source alone", (document, i) -> {});
    variants.put(
        "_source, stored _id", (document, i) -> document.add(new StoredField("_id", ids.get(i))));
    variants.put(
        "_source, _id stored and in terms",
        (document, i) -> document.add(new Field("_id", ids.get(i), stored)));
    variants.put(
        "_source, _id in terms",
        (document, i) -> document.add(new Field("_id", ids.get(i), indexed)));
    out.println(
        "_id as OpenSearch generates it, "
            + count
            + " documents, "
            + Arrays.toString(ids.getFirst().bytes).split(",").length
            + " bytes each");
    for (Map.Entry<String, Codec> codec : codecs.entrySet()) {
      for (Map.Entry<String, Documents> variant : variants.entrySet()) {
        try (Directory directory = new MMapDirectory(folder)) {
          write(
              directory,
              codec.getValue(),
              true,
              (document, i) -> {
                variant.getValue().add(document, i);
                document.add(new StoredField("_source", sources.get(i)));
              });
          print(out, codec.getKey() + ", " + variant.getKey(), bytes(directory));
          clear(directory);
        }
      }
    }
  }
}
