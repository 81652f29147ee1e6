package io.millrace.search.querycache;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.LongFunction;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.SortedNumericDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.CollectorManager;
import org.apache.lucene.search.IndexOrDocValuesQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.SimpleCollector;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.WildcardQuery;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.opensearch.common.lucene.index.OpenSearchDirectoryReader;
import org.opensearch.common.settings.ClusterSettings;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.indices.IndicesQueryCache;
import org.opensearch.indices.IndicesQueryCache.OpenseachUsageTrackingQueryCachingPolicy;

/**
 * CPU of the searches that OpenSearch's query cache makes dearer, because they build an entry, and
 * of those that it makes cheaper. Expensive filters stand beside terms of 0.1 to 50 % of the
 * documents; each is asked several times in turn. A search is held against the same one without the
 * cache, the median of three.
 *
 * <p>Arguments: {@code DOCUMENTS FILTERS USES [FACTOR]}: of one segment, different filters of each
 * kind, how often each is asked, and {@code indices.queries.cache.skip_cache_factor} (10).
 */
final class QueryCacheMeasurement {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final int[] PER_MILLE = {1, 10, 50, 100, 500};
  private static final int WORDS = 5_000;
  private static final int NUMBERS = 1_000_000;

  private final IndexSearcher plain;
  private final DirectoryReader reader;
  private final int filters;
  private final int uses;
  private final Settings settings;
  private final List<Double> ratios = new ArrayList<>();
  private final List<Double> cachedMillis = new ArrayList<>();
  private double plainMillis;

  private QueryCacheMeasurement(DirectoryReader reader, int filters, int uses, String factor) {
    this.reader = reader;
    this.filters = filters;
    this.uses = uses;
    this.settings =
        Settings.builder().put("indices.queries.cache.skip_cache_factor", factor).build();
    plain = new IndexSearcher(reader);
    plain.setQueryCache(null);
  }

  public static void main(String[] args) throws IOException {
    if (args.length != 3 && args.length != 4) {
      System.err.println("usage: DOCUMENTS FILTERS USES [FACTOR]");
      System.exit(2);
    }
    try (ByteBuffersDirectory directory = new ByteBuffersDirectory()) {
      index(directory, Integer.parseInt(args[0]));
      try (DirectoryReader reader =
          OpenSearchDirectoryReader.wrap(
              DirectoryReader.open(directory), new ShardId("logs", "_na_", 0))) {
        new QueryCacheMeasurement(
                reader,
                Integer.parseInt(args[1]),
                Integer.parseInt(args[2]),
                args.length == 4 ? args[3] : "10")
            .run();
      }
    }
  }

  private static void index(ByteBuffersDirectory directory, int documents) throws IOException {
    SplittableRandom random = new SplittableRandom(7);
    IndexWriterConfig config =
        new IndexWriterConfig(new WhitespaceAnalyzer()).setRAMBufferSizeMB(256);
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      for (int i = 0; i < documents; i++) {
        writer.addDocument(document(random, i));
      }
      writer.forceMerge(1);
    }
  }

  private static Document document(SplittableRandom random, int i) {
    Document document = new Document();
    for (int share : PER_MILLE) {
      if (random.nextInt(1000) < share) {
        document.add(new StringField("share", Integer.toString(share), Field.Store.NO));
      }
    }
    document.add(new StringField("host", "host-" + random.nextInt(20_000), Field.Store.NO));
    StringBuilder message = new StringBuilder();
    for (int word = 0; word < 10; word++) {
      // few words are frequent
      message.append(word((int) (Math.pow(random.nextDouble(), 3) * WORDS))).append(' ');
    }
    document.add(new TextField("message", message.toString(), Field.Store.NO));
    add(document, "number", random.nextInt(NUMBERS));
    add(document, "time", i * 20L + random.nextInt(200));
    return document;
  }

  private static void add(Document document, String field, long value) {
    document.add(new LongPoint(field, value));
    document.add(SortedNumericDocValuesField.indexedField(field, value));
  }

  private static String word(long n) {
    return "w" + Long.toString(n, 36);
  }

  private static Query range(String field, long from, long length) {
    return new IndexOrDocValuesQuery(
        LongPoint.newRangeQuery(field, from, from + length),
        SortedNumericDocValuesField.newSlowRangeQuery(field, from, from + length));
  }

  private static Query phrase(long i) {
    return new PhraseQuery("message", word(i % 5), word(5 + i % 7));
  }

  /** A filter of a number: another number, another filter. */
  private Map<String, LongFunction<Query>> kinds() {
    long span = reader.maxDoc() * 20L;
    Map<String, LongFunction<Query>> kinds = new LinkedHashMap<>();
    kinds.put("half of the time", i -> range("time", i, span / 2));
    kinds.put("half of the numbers", i -> range("number", i, NUMBERS / 2));
    kinds.put("a tenth of the numbers", i -> range("number", i, NUMBERS / 10));
    kinds.put(
        "numbers by doc values",
        i -> SortedNumericDocValuesField.newSlowRangeQuery("number", i, i + NUMBERS / 2));
    kinds.put("prefix", i -> new PrefixQuery(new Term("host", "host-" + (1 + i % 9))));
    kinds.put("wildcard", i -> new WildcardQuery(new Term("host", "*" + (10 + i % 90) + "*")));
    kinds.put("phrase", QueryCacheMeasurement::phrase);
    kinds.put(
        "any of five ranges",
        i -> {
          BooleanQuery.Builder any = new BooleanQuery.Builder();
          for (int part = 0; part < 5; part++) {
            any.add(range("number", i + part * NUMBERS / 5, NUMBERS / 20), Occur.SHOULD);
          }
          return any.build();
        });
    kinds.put(
        "phrase and range",
        i ->
            new BooleanQuery.Builder()
                .add(range("number", i, NUMBERS / 2), Occur.FILTER)
                .add(phrase(i), Occur.FILTER)
                .build());
    return kinds;
  }

  private void run() throws IOException {
    System.out.printf(
        Locale.ROOT,
        "%-24s %8s %10s %10s %10s %8s%n",
        "ms of CPU",
        "beside",
        "no cache",
        "dearest",
        "cached",
        "ratio");
    for (Map.Entry<String, LongFunction<Query>> kind : kinds().entrySet()) {
      for (int share : PER_MILLE) {
        measure(kind.getKey(), kind.getValue(), share, false); // warms the code
        measure(kind.getKey(), kind.getValue(), share, true);
      }
    }
    double[] all = sorted(ratios);
    System.out.printf(
        Locale.ROOT,
        "%d searches: %.2f x the CPU in all; to the same without the cache: p50 %.2f, p90 %.2f, p99"
            + " %.2f, most %.2f%n",
        all.length,
        cachedMillis.stream().mapToDouble(Double::doubleValue).sum() / plainMillis,
        at(all, 0.5),
        at(all, 0.9),
        at(all, 0.99),
        all[all.length - 1]);
  }

  private void measure(String kind, LongFunction<Query> filter, int share, boolean counts)
      throws IOException {
    IndicesQueryCache cache = new IndicesQueryCache(settings, clusterSettings());
    try {
      IndexSearcher cached = new IndexSearcher(reader);
      cached.setQueryCache(cache);
      cached.setQueryCachingPolicy(new OpenseachUsageTrackingQueryCachingPolicy(clusterSettings()));
      double[][] millis = new double[uses][filters];
      double[] without = new double[filters];
      for (int f = 0; f < filters; f++) {
        Query query = beside(filter.apply((counts ? 1_000 : 0) + f * 13L), share);
        double[] three = {millis(plain, query), millis(plain, query), millis(plain, query)};
        Arrays.sort(three);
        without[f] = three[1];
        for (int use = 0; use < uses; use++) {
          millis[use][f] = millis(cached, query);
        }
      }
      if (counts) {
        tell(kind, share, millis, without);
      }
    } finally {
      cache.clearIndex("logs");
    }
  }

  /** Medians over the filters: one search of a few microseconds says nothing. */
  private void tell(String kind, int share, double[][] millis, double[] without) {
    double plainMedian = at(sorted(without), 0.5);
    double dearest = 0;
    double last = 0;
    for (double[] use : millis) {
      last = at(sorted(use), 0.5);
      dearest = Math.max(dearest, last);
      ratios.add(last / plainMedian);
      cachedMillis.add(last);
      plainMillis += plainMedian;
    }
    System.out.printf(
        Locale.ROOT,
        "%-24s %6.1f %% %10.3f %10.3f %10.3f %8.2f%n",
        kind,
        share / 10.0,
        plainMedian,
        dearest,
        last,
        dearest / plainMedian);
  }

  private ClusterSettings clusterSettings() {
    return new ClusterSettings(settings, ClusterSettings.BUILT_IN_CLUSTER_SETTINGS);
  }

  private static Query beside(Query filter, int share) {
    return new BooleanQuery.Builder()
        .add(filter, Occur.FILTER)
        .add(new TermQuery(new Term("share", Integer.toString(share))), Occur.FILTER)
        .build();
  }

  private static double[] sorted(double[] values) {
    double[] copy = values.clone();
    Arrays.sort(copy);
    return copy;
  }

  private static double[] sorted(List<Double> values) {
    return sorted(values.stream().mapToDouble(Double::doubleValue).toArray());
  }

  private static double at(double[] sorted, double share) {
    return sorted[(int) Math.min(sorted.length - 1, share * sorted.length)];
  }

  private static double millis(IndexSearcher searcher, Query query) throws IOException {
    long before = THREADS.getCurrentThreadCpuTime();
    searcher.search(
        query,
        new CollectorManager<Counting, Integer>() {
          @Override
          public Counting newCollector() {
            return new Counting();
          }

          @Override
          public Integer reduce(Collection<Counting> collectors) {
            return collectors.stream().mapToInt(each -> each.hits).sum();
          }
        });
    return (THREADS.getCurrentThreadCpuTime() - before) / 1e6;
  }

  /** Asks for scores, as a search for hits does: then the filters are kept, and not the whole. */
  private static final class Counting extends SimpleCollector {
    private int hits;

    @Override
    public void collect(int document) {
      hits++;
    }

    @Override
    public ScoreMode scoreMode() {
      return ScoreMode.COMPLETE;
    }
  }
}
