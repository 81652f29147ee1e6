package io.millrace.search.timepruning;

import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.SortedSetDocValuesField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FilterDirectoryReader;
import org.apache.lucene.index.FilterLeafReader;
import org.apache.lucene.index.FilterSortedSetDocValues;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.SortedSetSelector;
import org.apache.lucene.search.SortedSetSortField;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TopFieldDocs;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.BytesRef;
import org.opensearch.test.OpenSearchTestCase;

/** The same hits with the same sort values as by Lucene's comparator, and few terms read. */
public class LateTermComparatorTest extends OpenSearchTestCase {

  private static void write(Directory directory, int documents, int times, int terms)
      throws IOException {
    IndexWriterConfig config = new IndexWriterConfig().setMergePolicy(NoMergePolicy.INSTANCE);
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      for (int i = 0; i < documents; i++) {
        Document document = new Document();
        document.add(new NumericDocValuesField("time", (long) i * times / documents));
        int values = random().nextInt(4); // in some segments the field may be missing
        for (int value = 0; value < values; value++) {
          String term = Integer.toString(random().nextInt(terms), 36);
          document.add(new SortedSetDocValuesField("id", new BytesRef(term)));
        }
        writer.addDocument(document);
        if (random().nextInt(60) == 0) {
          writer.commit(); // a segment of its own
        }
      }
    }
  }

  private static Sort sort() {
    SortedSetSelector.Type selector =
        randomFrom(SortedSetSelector.Type.MIN, SortedSetSelector.Type.MAX);
    SortedSetSortField id = new SortedSetSortField("id", random().nextBoolean(), selector);
    if (random().nextInt(3) > 0) {
      id.setMissingValue(random().nextBoolean() ? SortField.STRING_FIRST : SortField.STRING_LAST);
    }
    return new Sort(new SortField("time", SortField.Type.LONG, random().nextBoolean()), id);
  }

  private static String describe(TopDocs found) {
    StringBuilder all = new StringBuilder();
    for (ScoreDoc hit : found.scoreDocs) {
      all.append(hit.doc).append(Arrays.toString(((FieldDoc) hit).fields)).append('\n');
    }
    return all.toString();
  }

  private static SortedSetSelector.Type randomFrom(
      SortedSetSelector.Type one, SortedSetSelector.Type other) {
    return random().nextBoolean() ? one : other;
  }

  public void testTheHitsOfLucene() throws IOException {
    for (int run = 0; run < 10; run++) {
      try (Directory directory = newDirectory()) {
        int documents = 1 + random().nextInt(700);
        write(directory, documents, 1 + random().nextInt(40), 1 + random().nextInt(500));
        try (DirectoryReader reader = DirectoryReader.open(directory)) {
          IndexSearcher searcher = newSearcher(reader, true, true);
          for (int search = 0; search < 12; search++) {
            compare(searcher, sort(), 1 + random().nextInt(60));
          }
        }
      }
    }
  }

  /** All pages, so that each hit was a cursor's neighbour once. */
  private static void compare(IndexSearcher searcher, Sort sort, int size) throws IOException {
    Sort late = LateTermOrder.of(sort);
    assertNotSame(sort, late);
    FieldDoc after = null;
    for (int page = 0; page < 5; page++) {
      TopDocs stock = searcher.searchAfter(after, new MatchAllDocsQuery(), size, sort);
      TopDocs ours = searcher.searchAfter(after, new MatchAllDocsQuery(), size, late);
      assertEquals(sort + " behind " + after, describe(stock), describe(ours));
      if (stock.scoreDocs.length == 0) {
        return;
      }
      // a term that no segment has may be a cursor too
      after = (FieldDoc) stock.scoreDocs[stock.scoreDocs.length - 1];
      if (after.fields[1] instanceof BytesRef term && random().nextInt(4) == 0) {
        BytesRef between = new BytesRef(term.utf8ToString() + "!");
        after = new FieldDoc(after.doc, Float.NaN, new Object[] {after.fields[0], between});
      }
    }
  }

  public void testTheFirstFieldStaysLucenes() {
    SortField id = new SortedSetSortField("id", false);
    Sort alone = new Sort(id);
    assertSame(alone, LateTermOrder.of(alone));
    Sort numbers = new Sort(id, new SortField("time", SortField.Type.LONG));
    assertSame(numbers, LateTermOrder.of(numbers));
    Sort both = new Sort(id, new SortedSetSortField("host", true));
    assertSame(id, LateTermOrder.of(both).getSort()[0]);
    assertNotSame(both.getSort()[1], LateTermOrder.of(both).getSort()[1]);
  }

  /** Newest first, in segments in the order of time: each document enters the queue. */
  public void testOnlyTheTermsOfHitsAreRead() throws IOException {
    try (Directory directory = newDirectory()) {
      write(directory, 2_000, 2_000, 100_000);
      AtomicInteger read = new AtomicInteger();
      try (DirectoryReader plain = DirectoryReader.open(directory);
          DirectoryReader reader = new Counting(plain, read)) {
        IndexSearcher searcher = new IndexSearcher(reader);
        Sort sort =
            new Sort(
                new SortField("time", SortField.Type.LONG, true),
                new SortedSetSortField("id", true));
        TopFieldDocs stock = searcher.search(new MatchAllDocsQuery(), 10, sort);
        int before = read.getAndSet(0);
        TopFieldDocs ours = searcher.search(new MatchAllDocsQuery(), 10, LateTermOrder.of(sort));
        assertEquals(describe(stock), describe(ours));
        int segments = reader.leaves().size();
        assertTrue(read + " terms, " + segments, read.get() <= 10 * segments);
        assertTrue(read + " and " + before, read.get() < before);
      }
    }
  }

  private static final class Counting extends FilterDirectoryReader {
    private final AtomicInteger read;

    Counting(DirectoryReader in, AtomicInteger read) throws IOException {
      super(
          in,
          new SubReaderWrapper() {
            @Override
            public LeafReader wrap(LeafReader leaf) {
              return new CountingLeaf(leaf, read);
            }
          });
      this.read = read;
    }

    @Override
    protected DirectoryReader doWrapDirectoryReader(DirectoryReader in) throws IOException {
      return new Counting(in, read);
    }

    @Override
    public IndexReader.CacheHelper getReaderCacheHelper() {
      return in.getReaderCacheHelper();
    }
  }

  private static final class CountingLeaf extends FilterLeafReader {
    private final AtomicInteger read;

    CountingLeaf(LeafReader in, AtomicInteger read) {
      super(in);
      this.read = read;
    }

    @Override
    public SortedSetDocValues getSortedSetDocValues(String field) throws IOException {
      SortedSetDocValues values = in.getSortedSetDocValues(field);
      return values == null ? null : new CountingValues(values, read);
    }

    @Override
    public IndexReader.CacheHelper getCoreCacheHelper() {
      return in.getCoreCacheHelper();
    }

    @Override
    public IndexReader.CacheHelper getReaderCacheHelper() {
      return in.getReaderCacheHelper();
    }
  }

  private static final class CountingValues extends FilterSortedSetDocValues {
    private final AtomicInteger read;

    CountingValues(SortedSetDocValues in, AtomicInteger read) {
      super(in);
      this.read = read;
    }

    @Override
    public BytesRef lookupOrd(long ord) throws IOException {
      read.incrementAndGet();
      return super.lookupOrd(ord);
    }
  }
}
