package io.millrace.storage.merge;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.SortedNumericDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.LogByteSizeMergePolicy;
import org.apache.lucene.index.MergePolicy;
import org.apache.lucene.index.MergeScheduler;
import org.apache.lucene.index.MergeTrigger;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.TieredMergePolicy;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexOrDocValuesQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.SimpleCollector;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;

/**
 * Write amplification, segments, segments touched and CPU of time-range searches under three merge
 * policies: stock's tiered, stock's log_byte_size, and the time-tiered one; same documents, one
 * JVM, several rounds in turn. Sizes are scaled down by {@link #SCALE}, flushes and limits alike.
 * docs/merge-measured.md names the command.
 */
public final class MergePolicyMeasurement {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final String TIME = "@timestamp";

  /** Stock: floor 16 MB, maximum 5 GB. Here both by this factor smaller. */
  private static final int SCALE = 2048;

  private static final long FLOOR = (16L << 20) / SCALE;
  private static final long MAXIMUM = (5L << 30) / SCALE;
  private static final int SEARCHES = 400;

  private record Figures(double amplification, int segments, Searches wide, Searches narrow) {}

  private record Searches(double touched, double micros, long hits) {}

  /** Counts what merges write. */
  private static final class CountingScheduler extends MergeScheduler {
    private long bytes;

    @Override
    public void merge(MergeSource source, MergeTrigger trigger) throws IOException {
      for (MergePolicy.OneMerge merge = source.getNextMerge();
          merge != null;
          merge = source.getNextMerge()) {
        source.merge(merge);
        bytes += merge.getMergeInfo().sizeInBytes();
      }
    }

    @Override
    public void close() {}
  }

  private MergePolicyMeasurement() {}

  private static Map<String, Supplier<MergePolicy>> policies() {
    Map<String, Supplier<MergePolicy>> policies = new LinkedHashMap<>();
    policies.put("tiered (stock)", MergePolicyMeasurement::tiered);
    policies.put(
        "log_byte_size",
        () -> {
          LogByteSizeMergePolicy policy = new LogByteSizeMergePolicy();
          policy.setMinMergeMB(FLOOR / 1048576.0);
          policy.setMaxMergeMB(MAXIMUM / 1048576.0);
          policy.setMergeFactor(10);
          return policy;
        });
    policies.put(
        "time_tiered", () -> new TimeTieredMergePolicy(tiered(), TIME, () -> FLOOR, () -> MAXIMUM));
    return policies;
  }

  private static TieredMergePolicy tiered() {
    TieredMergePolicy policy = new TieredMergePolicy();
    policy.setFloorSegmentMB(FLOOR / 1048576.0);
    policy.setMaxMergedSegmentMB(MAXIMUM / 1048576.0);
    policy.setSegmentsPerTier(10);
    policy.setMaxMergeAtOnce(30);
    return policy;
  }

  /**
   * {@code main [documents] [rounds] [documents per flush] [writers] [seconds of lag]}.
   *
   * @param args default 200000 documents, 3 rounds, 300 documents per flush, 4 writers, each of
   *     them 1800 seconds behind the one before
   */
  public static void main(String[] args) throws IOException {
    int documents = args.length > 0 ? Integer.parseInt(args[0]) : 200_000;
    int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 3;
    int perFlush = args.length > 2 ? Integer.parseInt(args[2]) : 300;
    int writers = args.length > 3 ? Integer.parseInt(args[3]) : 4;
    int lag = args.length > 4 ? Integer.parseInt(args[4]) : 1800;
    PrintStream out = System.out;
    out.printf(
        Locale.ROOT,
        "%d documents, %d per flush of each of %d writers %d s apart, %d rounds, JDK %s%n",
        documents,
        perFlush,
        writers,
        lag,
        rounds,
        Runtime.version());
    Map<String, List<Figures>> all = new LinkedHashMap<>();
    for (int round = -1; round < rounds; round++) {
      for (Map.Entry<String, Supplier<MergePolicy>> policy : policies().entrySet()) {
        Figures figures = measure(policy.getValue().get(), documents, perFlush, writers, lag);
        if (round >= 0) {
          all.computeIfAbsent(policy.getKey(), key -> new ArrayList<>()).add(figures);
        }
      }
    }
    out.println(
        "| policy | write amplification | segments | overlapping a search's range | all of a level,"
            + " us | errors of one service, us |");
    out.println("|---|---|---|---|---|---|");
    all.forEach((name, figures) -> {
      Figures first = figures.get(0);
      out.printf(
          Locale.ROOT,
          "| %s | %.2f | %d | %.1f | %.0f | %.1f |  (%d, %d hits)%n",
          name,
          first.amplification(),
          first.segments(),
          first.wide().touched(),
          median(figures, Figures::wide),
          median(figures, Figures::narrow),
          first.wide().hits(),
          first.narrow().hits());
    });
  }

  private static double median(List<Figures> figures, Function<Figures, Searches> which) {
    double[] micros =
        figures.stream().mapToDouble(each -> which.apply(each).micros()).sorted().toArray();
    return micros[micros.length / 2];
  }

  private static Figures measure(
      MergePolicy policy, int documents, int perFlush, int writers, int lag) throws IOException {
    Path folder = Files.createTempDirectory("merge-policy");
    try (Directory directory = new MMapDirectory(folder)) {
      CountingScheduler scheduler = new CountingScheduler();
      IndexWriterConfig config =
          new IndexWriterConfig()
              .setMergePolicy(policy)
              .setMergeScheduler(scheduler)
              .setMaxFullFlushMergeWaitMillis(0)
              .setRAMBufferSizeMB(256);
      long flushed = 0;
      Figures figures;
      try (IndexWriter writer = new IndexWriter(directory, config)) {
        Random random = new Random(11);
        // each writer's flush covers the same minutes, as parallel indexing threads' do
        for (int from = 0; from < documents; from += perFlush * writers) {
          for (int part = 0; part < writers; part++) {
            for (int i = 0; i < perFlush; i++) {
              writer.addDocument(
                  document(random, from + (long) i * writers + part - (long) part * lag));
            }
            long before = scheduler.bytes;
            writer.flush();
            assert scheduler.bytes >= before;
          }
          // refresh
          DirectoryReader.open(writer).close();
        }
        try (DirectoryReader reader = DirectoryReader.open(writer)) {
          long size = 0;
          for (String file : directory.listAll()) {
            size += directory.fileLength(file);
          }
          flushed += size;
          figures = figures(reader, documents, 1 + (double) scheduler.bytes / flushed);
        }
      }
      for (String file : directory.listAll()) {
        directory.deleteFile(file);
      }
      return figures;
    } finally {
      Files.delete(folder);
    }
  }

  /** One document a second; late by seconds, one in a thousand by up to ten minutes. */
  private static Document document(Random random, long number) {
    long late = (long) (-Math.log(1 - random.nextDouble()) * 3000);
    if (random.nextInt(1000) == 0) {
      late += random.nextInt(600_000);
    }
    long time = number * 1000 - late;
    Document document = new Document();
    document.add(new LongPoint(TIME, time));
    document.add(new SortedNumericDocValuesField(TIME, time));
    document.add(
        new StringField("level", random.nextInt(20) == 0 ? "ERROR" : "INFO", Field.Store.NO));
    document.add(new StringField("service", "service-" + random.nextInt(50), Field.Store.NO));
    document.add(new StringField("trace", Long.toHexString(random.nextLong()), Field.Store.YES));
    document.add(new NumericDocValuesField("took", random.nextInt(1000)));
    return document;
  }

  private static Query query(long from, long to, Term... terms) {
    BooleanQuery.Builder query =
        new BooleanQuery.Builder()
            .add(
                new IndexOrDocValuesQuery(
                    LongPoint.newRangeQuery(TIME, from, to),
                    SortedNumericDocValuesField.newSlowRangeQuery(TIME, from, to)),
                Occur.FILTER);
    for (Term term : terms) {
      query.add(new TermQuery(term), Occur.FILTER);
    }
    return query.build();
  }

  private static Figures figures(DirectoryReader reader, int documents, double amplification)
      throws IOException {
    return new Figures(
        amplification,
        reader.leaves().size(),
        search(reader, documents, new Term("level", "INFO")),
        search(reader, documents, new Term("level", "ERROR"), new Term("service", "service-7")));
  }

  private static Searches search(DirectoryReader reader, int documents, Term... terms)
      throws IOException {
    IndexSearcher searcher = new IndexSearcher(reader);
    searcher.setQueryCache(null);
    Random random = new Random(5);
    long span = documents * 1000L;
    long start = 0;
    Sum sum = new Sum();
    long touched = 0;
    for (int i = -SEARCHES / 2; i < SEARCHES; i++) {
      if (i == 0) {
        sum = new Sum();
        start = THREADS.getCurrentThreadCpuTime();
      }
      // 1 % of the time
      long from = (long) (random.nextDouble() * span * 0.99);
      searcher.search(query(from, from + span / 100, terms), sum);
    }
    double micros = (THREADS.getCurrentThreadCpuTime() - start) / 1e3 / SEARCHES;
    random = new Random(6);
    for (int i = 0; i < SEARCHES; i++) {
      long from = (long) (random.nextDouble() * span * 0.99);
      for (LeafReaderContext leaf : reader.leaves()) {
        var values = leaf.reader().getPointValues(TIME);
        touched +=
            LongPoint.decodeDimension(values.getMinPackedValue(), 0) <= from + span / 100
                    && LongPoint.decodeDimension(values.getMaxPackedValue(), 0) >= from
                ? 1
                : 0;
      }
    }
    return new Searches((double) touched / SEARCHES, micros, sum.hits);
  }

  /** Sums a field, as an aggregation does. */
  private static final class Sum extends SimpleCollector {
    private long hits;
    private long took;
    private NumericDocValues values = org.apache.lucene.index.DocValues.emptyNumeric();

    @Override
    protected void doSetNextReader(LeafReaderContext context) throws IOException {
      values = context.reader().getNumericDocValues("took");
    }

    @Override
    public void collect(int doc) throws IOException {
      hits++;
      if (values.advanceExact(doc)) {
        took += values.longValue();
      }
    }

    @Override
    public ScoreMode scoreMode() {
      return took < 0 ? ScoreMode.COMPLETE : ScoreMode.COMPLETE_NO_SCORES;
    }
  }
}
