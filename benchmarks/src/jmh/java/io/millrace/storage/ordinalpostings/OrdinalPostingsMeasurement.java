package io.millrace.storage.ordinalpostings;

import com.sun.management.ThreadMXBean;
import io.millrace.storage.packedids.PackedIdsCodec;
import java.io.IOException;
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
import java.util.function.IntFunction;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.lucene104.Lucene104Codec;
import org.apache.lucene.document.Field.Store;
import org.apache.lucene.document.SortedSetDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.IndexableField;
import org.apache.lucene.index.LogDocMergePolicy;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MultiTermQuery;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermInSetQuery;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TermRangeQuery;
import org.apache.lucene.search.WildcardQuery;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.util.BytesRef;

/**
 * What a keyword of ids costs to write, merge, keep and search, with postings and with ordinal
 * postings; over Lucene's formats and over packed ids.
 *
 * <p>Raw Lucene, that field alone, one index of one writer, ten flushes merged into one segment;
 * the arms in turn; CPU is that of the measuring thread, which also merges.
 * docs/ordinal-postings-measured.md names the command.
 */
public final class OrdinalPostingsMeasurement {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final int FLUSHES = 10;
  private static final int SEARCHES = 4000;
  private static final String FIELD = "trace_id";

  private final int count;
  private final Path folder;
  private final String[] traces;
  private final Map<String, Map<String, List<Double>>> figures = new LinkedHashMap<>();

  /**
   * @param repeats how many documents in a row have the same id
   */
  private OrdinalPostingsMeasurement(int count, int repeats, Path folder) {
    this.count = count;
    this.folder = folder;
    this.traces = new String[count];
    Random random = new Random(1);
    for (int i = 0; i < count; i++) {
      traces[i] =
          i % repeats == 0
              ? String.format(Locale.ROOT, "%016x%016x", random.nextLong(), random.nextLong())
              : traces[i - 1];
    }
  }

  /**
   * {@code main [documents] [rounds] [documents of one id]}.
   *
   * @param args default 1000000 documents, 3 rounds, 1
   */
  public static void main(String[] args) throws IOException {
    int count = args.length > 0 ? Integer.parseInt(args[0]) : 1_000_000;
    int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 3;
    int repeats = args.length > 2 ? Integer.parseInt(args[2]) : 1;
    Path folder = Files.createTempDirectory("ordinal-postings");
    try {
      System.out.printf(
          Locale.ROOT,
          "%,d documents, %d of one id; minimum and median of %d rounds%n",
          count,
          repeats,
          rounds);
      new OrdinalPostingsMeasurement(count, repeats, folder).run(rounds);
    } finally {
      Files.delete(folder);
    }
  }

  private record Arm(String name, Codec codec, boolean omits) {}

  private void run(int rounds) throws IOException {
    Codec lucene = new Lucene104Codec();
    Codec packed = new PackedIdsCodec(lucene);
    List<Arm> arms =
        List.of(
            new Arm("Lucene", lucene, false),
            new Arm("Lucene, ordinals", OrdinalPostingsCodec.over(lucene, field -> true), true),
            new Arm("packed", packed, false),
            new Arm("packed, ordinals", OrdinalPostingsCodec.over(packed, field -> true), true),
            new Arm(
                "packed, ordinals, gathered",
                OrdinalPostingsCodec.over(
                    packed, field -> true, new GatheredIds(field -> true)),
                true));
    for (int round = -1; round < rounds; round++) {
      for (Arm arm : arms) {
        if (round == 0) {
          figures.remove(arm.name); // the first was to warm up
        }
        try (Directory directory = new MMapDirectory(folder)) {
          measure(arm, directory);
          for (String name : directory.listAll()) {
            directory.deleteFile(name);
          }
        }
      }
    }
    figures.forEach((arm, rows) -> {
      System.out.println(arm);
      rows.forEach((row, values) -> {
        double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        System.out.printf(
            Locale.ROOT, "  %-28s %10.3f %10.3f%n", row, sorted[0], sorted[sorted.length / 2]);
      });
    });
  }

  private void note(Arm arm, String row, double value) {
    figures
        .computeIfAbsent(arm.name, name -> new LinkedHashMap<>())
        .computeIfAbsent(row, name -> new ArrayList<>())
        .add(value);
  }

  private interface Work {
    void run() throws IOException;
  }

  private void cpu(Arm arm, String row, int units, Work work) throws IOException {
    long start = THREADS.getCurrentThreadCpuTime();
    work.run();
    note(arm, row, (THREADS.getCurrentThreadCpuTime() - start) / 1e3 / units);
  }

  private void measure(Arm arm, Directory directory) throws IOException {
    cpu(arm, "add and flush, us a document", count, () -> write(arm, directory));
    cpu(arm, "merge, us a document", count, () -> merge(arm, directory));
    Map<String, Double> sizes = new TreeMap<>();
    for (String name : directory.listAll()) {
      if (!name.startsWith("segments") && !name.endsWith(".lock")) {
        sizes.merge(
            name.substring(name.lastIndexOf('.') + 1),
            directory.fileLength(name) / (double) count,
            Double::sum);
      }
    }
    note(arm, "bytes a document", sizes.values().stream().mapToDouble(Double::doubleValue).sum());
    sizes.forEach((extension, size) -> note(arm, "  ." + extension, size));
    search(arm, directory);
  }

  private void write(Arm arm, Directory directory) throws IOException {
    GatheredIds ids = OrdinalPostingsCodec.idsOf(arm.codec);
    TermOmission omission = new TermOmission(field -> true, field -> ids != null);
    IndexWriterConfig config =
        new IndexWriterConfig()
            .setCodec(arm.codec)
            .setUseCompoundFile(false)
            .setRAMBufferSizeMB(1024)
            .setMergePolicy(NoMergePolicy.INSTANCE);
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      List<IndexableField> document = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        BytesRef value = new BytesRef(traces[i]);
        document.clear();
        document.add(new StringField(FIELD, value, Store.NO));
        document.add(new SortedSetDocValuesField(FIELD, value));
        if (arm.omits) {
          omission.apply(document);
        }
        writer.addDocument(document);
        if (i % (count / FLUSHES) == count / FLUSHES - 1) {
          writer.flush();
        }
      }
    }
  }

  private static void merge(Arm arm, Directory directory) throws IOException {
    LogDocMergePolicy policy = new LogDocMergePolicy();
    policy.setMergeFactor(FLUSHES);
    policy.setNoCFSRatio(0);
    IndexWriterConfig config =
        new IndexWriterConfig()
            .setCodec(arm.codec)
            .setUseCompoundFile(false)
            .setMergeScheduler(new SerialMergeScheduler())
            .setMergePolicy(policy);
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      writer.forceMerge(1);
    }
  }

  private void search(Arm arm, Directory directory) throws IOException {
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      IndexSearcher searcher = new IndexSearcher(reader);
      searcher.setQueryCache(null);
      Random random = new Random(5);
      queries(arm, searcher, "term, hit, us", SEARCHES, i -> new TermQuery(term(random, 32)));
      queries(
          arm,
          searcher,
          "term, miss, us",
          SEARCHES,
          i -> {
            char[] text = traces[random.nextInt(count)].toCharArray();
            text[31] = text[31] == '0' ? '1' : '0';
            return new TermQuery(new Term(FIELD, new String(text)));
          });
      queries(
          arm,
          searcher,
          "terms of 100, us",
          SEARCHES / 100,
          i -> {
            List<BytesRef> terms = new ArrayList<>();
            for (int term = 0; term < 100; term++) {
              terms.add(new BytesRef(traces[random.nextInt(count)]));
            }
            return new TermInSetQuery(MultiTermQuery.CONSTANT_SCORE_BLENDED_REWRITE, FIELD, terms);
          });
      queries(
          arm,
          searcher,
          "prefix of 3 digits, us",
          SEARCHES / 20,
          i -> new PrefixQuery(term(random, 3)));
      queries(
          arm,
          searcher,
          "wildcard abc*de*, us",
          SEARCHES / 20,
          i -> new WildcardQuery(new Term(FIELD, term(random, 3).text() + "*ab*")));
      queries(
          arm,
          searcher,
          "range of 3 digits, us",
          SEARCHES / 20,
          i -> {
            String low = traces[random.nextInt(count)].substring(0, 3);
            return TermRangeQuery.newStringRange(FIELD, low, low + "8", true, true);
          });
      queries(arm, searcher, "prefix of 1 digit, us", 4, i -> new PrefixQuery(term(random, 1)));
    }
  }

  private Term term(Random random, int digits) {
    return new Term(FIELD, traces[random.nextInt(count)].substring(0, digits));
  }

  private void queries(
      Arm arm, IndexSearcher searcher, String row, int times, IntFunction<Query> queries)
      throws IOException {
    Query[] all = new Query[times];
    Arrays.setAll(all, queries);
    cpu(
        arm,
        row,
        times,
        () -> {
          for (Query query : all) {
            searcher.search(query, 10);
          }
        });
  }
}
