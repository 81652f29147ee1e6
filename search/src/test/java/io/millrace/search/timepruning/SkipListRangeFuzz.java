package io.millrace.search.timepruning;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Random;
import java.util.concurrent.atomic.LongAdder;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.SortedNumericDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.BulkScorer;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexOrDocValuesQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.LeafCollector;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.Scorable;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.SortedNumericSortField;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.Weight;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.FixedBitSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.opensearch.index.query.DateRangeIncludingNowQuery;
import org.opensearch.search.approximate.ApproximatePointRangeQuery;
import org.opensearch.search.approximate.ApproximateScoreQuery;

/** Random documents and windows: the same documents and scores as Lucene's own plan. */
class SkipListRangeFuzz {
  private static final int ROUNDS = Integer.getInteger("millrace.fuzz.rounds", 2);

  private final LongAdder pruned = new LongAdder();
  private final LongAdder declined = new LongAdder();
  private final RangesBesideConditions.Replacement bySkipList =
      (stock, values, points) -> new SkipListRangeQuery(stock, values, points, pruned, declined);
  private final RangesBesideConditions ranges = new RangesBesideConditions(bySkipList);
  private final LoneRange lone = new LoneRange(bySkipList);

  @Test
  void theSameDocumentsAndScores() throws IOException {
    for (int round = 0; round < ROUNDS; round++) {
      long seed = Long.getLong("millrace.fuzz.seed", System.nanoTime() + round);
      Random random = new Random(seed);
      try (Directory directory = new ByteBuffersDirectory()) {
        index(directory, random, 150_000, 200, round > 0 && random.nextBoolean());
        compare(directory, random, "seed " + seed);
      }
    }
    assertTrue(pruned.sum() > 0, "no segment was searched by its blocks");
  }

  @Test
  void blocksInNoOrderAreLeftToLucene() throws IOException {
    long seed = Long.getLong("millrace.fuzz.seed", System.nanoTime());
    try (Directory directory = new ByteBuffersDirectory()) {
      index(directory, new Random(seed), 30_000, 30_000_000, false);
      compare(directory, new Random(seed), "seed " + seed);
    }
    assertTrue(declined.sum() > 0, "seed " + seed);
  }

  /**
   * @param disorder how far times may be from the order of the documents
   * @param gaps whether some documents have no time
   */
  private static void index(
      Directory directory, Random random, int count, int disorder, boolean gaps)
      throws IOException {
    IndexWriterConfig config =
        new IndexWriterConfig()
            .setMergePolicy(NoMergePolicy.INSTANCE)
            .setRAMBufferSizeMB(256)
            .setMaxBufferedDocs(count);
    if (random.nextInt(4) == 0) {
      config.setIndexSort(
          new Sort(new SortedNumericSortField("t", SortField.Type.LONG, random.nextBoolean())));
    }
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      boolean several = random.nextBoolean();
      for (int i = 0; i < count; i++) {
        Document document = new Document();
        document.add(new StringField("id", Integer.toString(i), Field.Store.NO));
        document.add(new StringField("level", "L" + random.nextInt(3), Field.Store.NO));
        int values = gaps && random.nextInt(10) == 0 ? 0 : several ? 1 + random.nextInt(2) : 1;
        for (int value = 0; value < values; value++) {
          long time = i * 10L + random.nextInt(disorder);
          document.add(new LongPoint("t", time));
          document.add(SortedNumericDocValuesField.indexedField("t", time));
        }
        writer.addDocument(document);
        if (i == count / 3 || i == count / 2) {
          writer.flush();
        }
      }
      // without deleted documents whole blocks are collected at once
      int deleted = random.nextInt(3) == 0 ? 0 : count / 10;
      for (int i = 0; i < deleted; i++) {
        writer.deleteDocuments(new Term("id", Integer.toString(random.nextInt(count))));
      }
      writer.commit();
    }
  }

  private void compare(Directory directory, Random random, String message) throws IOException {
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      IndexSearcher searcher = new IndexSearcher(reader);
      searcher.setQueryCache(null);
      long span = reader.maxDoc() * 10L;
      for (int i = 0; i < 20; i++) {
        // the first window lies over more blocks than it cuts
        long from = i == 0 ? 0 : random.nextLong(span);
        long to = i == 0 ? span / 10 * 9 : from + random.nextLong(span / (1 + random.nextInt(20)));
        Query stock = query(random, from, to);
        Query ours = ranges.replace(stock);
        String what = message + ": " + stock;
        assertEquals(stock.toString().contains("-level"), stock == ours, what);
        assertTheSame(searcher, stock, ours, random, what);
        Query alone = alone(random, from, to);
        assertTheSame(searcher, alone, visited(alone), random, message + ": " + alone);
      }
    }
  }

  private static void assertTheSame(
      IndexSearcher searcher, Query stock, Query ours, Random random, String what)
      throws IOException {
    assertEquals(searcher.count(stock), searcher.count(ours), what);
    assertTheSameInWindows(searcher, stock, ours, random, what);
    TopDocs expected = searcher.search(stock, 500);
    TopDocs found = searcher.search(ours, 500);
    assertEquals(expected.scoreDocs.length, found.scoreDocs.length, what);
    for (int hit = 0; hit < expected.scoreDocs.length; hit++) {
      ScoreDoc one = expected.scoreDocs[hit];
      assertEquals(one.doc, found.scoreDocs[hit].doc, what);
      assertEquals(one.score, found.scoreDocs[hit].score, 0, what);
    }
  }

  /** As a search runs it whose documents are all visited. */
  private Query visited(Query alone) {
    Query ours = lone.replace(alone);
    assertTrue(ours.toString().contains("by skip list"), ours.toString());
    if (ours instanceof ApproximateScoreQuery either) {
      either.setContext(null);
    }
    return ours;
  }

  /**
   * A search that can be cancelled is collected in windows (CancellableBulkScorer): one that ends
   * behind a document of a block that is partly in the range is where Lucene counts one too many.
   */
  private static void assertTheSameInWindows(
      IndexSearcher searcher, Query stock, Query ours, Random random, String what)
      throws IOException {
    Weight expected =
        searcher.createWeight(searcher.rewrite(stock), ScoreMode.COMPLETE_NO_SCORES, 1);
    Weight found = searcher.createWeight(searcher.rewrite(ours), ScoreMode.COMPLETE_NO_SCORES, 1);
    for (LeafReaderContext leaf : searcher.getIndexReader().leaves()) {
      FixedBitSet documents = new FixedBitSet(leaf.reader().maxDoc());
      FixedBitSet whole = new FixedBitSet(leaf.reader().maxDoc());
      Scorer one = expected.scorer(leaf);
      if (one != null) {
        documents.or(one.iterator());
      }
      Bits live = leaf.reader().getLiveDocs();
      for (int doc = 0; live != null && doc < live.length(); doc++) {
        if (!live.get(doc)) {
          documents.clear(doc);
        }
      }
      assertEquals(documents, inWindows(found.bulkScorer(leaf), leaf.reader(), random), what);
      BulkScorer all = found.bulkScorer(leaf);
      if (all != null) {
        all.score(into(whole), live, 0, DocIdSetIterator.NO_MORE_DOCS);
      }
      assertEquals(documents, whole, what);
    }
  }

  private static LeafCollector into(FixedBitSet documents) {
    return new LeafCollector() {
      @Override
      public void setScorer(Scorable scorable) {}

      @Override
      public void collect(int doc) {
        assertFalse(documents.getAndSet(doc), "collected twice");
      }
    };
  }

  private static FixedBitSet inWindows(
      @Nullable BulkScorer scorer, LeafReader reader, Random random) throws IOException {
    FixedBitSet documents = new FixedBitSet(reader.maxDoc());
    LeafCollector collector = into(documents);
    int doc = 0;
    while (scorer != null && doc < reader.maxDoc()) {
      int end =
          Math.min(reader.maxDoc(), doc + 1 + random.nextInt(random.nextBoolean() ? 9 : 5_000));
      doc = scorer.score(collector, reader.getLiveDocs(), doc, end);
    }
    return documents;
  }

  private static Query range(long from, long to) {
    return new IndexOrDocValuesQuery(
        LongPoint.newRangeQuery("t", from, to),
        SortedNumericDocValuesField.newSlowRangeQuery("t", from, to));
  }

  /** The forms in which a search has a range that is all of it. */
  private static Query alone(Random random, long from, long to) {
    Query range = range(from, to);
    return switch (random.nextInt(5)) {
      case 0 -> range;
      case 1 -> new ConstantScoreQuery(range);
      case 2 -> new BoostQuery(new ConstantScoreQuery(range), random.nextInt(2));
      case 3 -> new DateRangeIncludingNowQuery(range);
      default ->
          new ApproximateScoreQuery(
              range,
              new ApproximatePointRangeQuery(
                  "t",
                  LongPoint.pack(from).bytes,
                  LongPoint.pack(to).bytes,
                  1,
                  ApproximatePointRangeQuery.LONG_FORMAT));
    };
  }

  private static Query query(Random random, long from, long to) {
    Query term = new TermQuery(new Term("level", "L" + random.nextInt(3)));
    BooleanQuery.Builder query = new BooleanQuery.Builder();
    query.add(term, random.nextBoolean() ? Occur.MUST : Occur.FILTER);
    Query range = range(from, to);
    Query other = new TermQuery(new Term("level", "L1"));
    switch (random.nextInt(7)) {
      case 0 -> query.add(range, Occur.MUST);
      case 1 -> query.add(new BoostQuery(range, 3), Occur.MUST);
      case 2 ->
          query.add(
              new BooleanQuery.Builder()
                  .add(new DateRangeIncludingNowQuery(range), Occur.FILTER)
                  .add(other, Occur.MUST_NOT)
                  .build(),
              Occur.FILTER);
      case 3 -> query.add(range, Occur.FILTER).add(other, Occur.SHOULD);
      case 4 ->
          query.add(
              new BooleanQuery.Builder()
                  .add(range, Occur.MUST)
                  .add(other, Occur.SHOULD)
                  .add(new TermQuery(new Term("level", "L2")), Occur.SHOULD)
                  .setMinimumNumberShouldMatch(1)
                  .build(),
              Occur.FILTER);
      case 5 -> query.add(new MatchAllDocsQuery(), Occur.MUST).add(range, Occur.FILTER);
      default -> query.add(new ConstantScoreQuery(range), Occur.FILTER);
    }
    return query.build();
  }

  @Test
  void stockStillFindsTheRangeOfAQueryThatIsARange() {
    Query range = range(1, 2);
    for (Query known : new Query[] {range, new ConstantScoreQuery(range)}) {
      assertSame(known, ((ApproximateScoreQuery) lone.replace(known)).getOriginalQuery());
    }
    Query filter = new BoostQuery(new ConstantScoreQuery(range), 0);
    assertTrue(lone.replace(filter) instanceof BoostQuery);
    Query term = new TermQuery(new Term("level", "L1"));
    assertSame(term, lone.replace(term));
    assertSame(MatchAllDocsQuery.INSTANCE, lone.replace(MatchAllDocsQuery.INSTANCE));
  }

  @Test
  void onlyRangesThatStandBesideAConditionAreReplaced() {
    Query range = range(1, 2);
    assertSame(range, ranges.replace(range));
    Query term = new TermQuery(new Term("level", "L1"));
    Query alone = new BooleanQuery.Builder().add(range, Occur.FILTER).build();
    assertSame(alone, ranges.replace(alone));
    Query two =
        new BooleanQuery.Builder().add(range, Occur.FILTER).add(range(0, 9), Occur.MUST).build();
    assertSame(two, ranges.replace(two));
    Query either =
        new BooleanQuery.Builder().add(range, Occur.SHOULD).add(term, Occur.MUST).build();
    assertSame(either, ranges.replace(either));
    Query beside =
        new BooleanQuery.Builder()
            .add(new MatchAllDocsQuery(), Occur.MUST)
            .add(range, Occur.FILTER)
            .build();
    assertTrue(ranges.replace(beside).toString().contains("by skip list: t:[1 TO 2]"));
    assertEquals(ranges.replace(beside), ranges.replace(beside));
    assertFalse(ranges.replace(beside).equals(beside));
  }
}
