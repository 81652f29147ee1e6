package io.millrace.search.columns;

import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.Explanation;
import org.apache.lucene.search.FilterDocIdSetIterator;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.search.Weight;
import org.apache.lucene.util.Bits;
import org.jspecify.annotations.Nullable;

/**
 * What a query finds from a document of the shard on, and of that at least the first rows in the
 * order of documents: it stops in a segment that has given them, and passes over the segments
 * behind it.
 */
final class NextRows extends Query {
  private final Query all;
  private final long from;
  private final int rows;

  /**
   * @param from the first document, counted over the segments of the shard
   * @param rows how many of them are wanted
   */
  NextRows(Query all, long from, int rows) {
    this.all = all;
    this.from = from;
    this.rows = rows;
  }

  @Override
  public Query rewrite(IndexSearcher searcher) throws IOException {
    Query rewritten = all.rewrite(searcher);
    if (rewritten instanceof MatchNoDocsQuery) {
      return rewritten;
    }
    return rewritten == all ? this : new NextRows(rewritten, from, rows);
  }

  @Override
  public Weight createWeight(IndexSearcher searcher, ScoreMode mode, float boost)
      throws IOException {
    Weight whole = searcher.createWeight(all, mode, boost);
    // how many each segment has given; segments may be searched at once and in any order
    AtomicIntegerArray given = new AtomicIntegerArray(searcher.getIndexReader().leaves().size());
    return new Weight(this) {
      @Override
      public @Nullable ScorerSupplier scorerSupplier(LeafReaderContext leaf) throws IOException {
        long start = Math.max(0, from - leaf.docBase);
        if (start >= leaf.reader().maxDoc() || before(given, leaf.ord) >= rows) {
          return null;
        }
        ScorerSupplier supplier = whole.scorerSupplier(leaf);
        return supplier == null ? null : firstOf(supplier, leaf, (int) start, given);
      }

      @Override
      public Explanation explain(LeafReaderContext leaf, int document) throws IOException {
        return whole.explain(leaf, document);
      }

      @Override
      public boolean isCacheable(LeafReaderContext leaf) {
        return false; // the documents of one page
      }
    };
  }

  private static int before(AtomicIntegerArray given, int segment) {
    int sum = 0;
    for (int i = 0; i < segment; i++) {
      sum += given.getAcquire(i);
    }
    return sum;
  }

  private ScorerSupplier firstOf(
      ScorerSupplier supplier, LeafReaderContext leaf, int start, AtomicIntegerArray given) {
    return new ScorerSupplier() {
      @Override
      public Scorer get(long leadCost) throws IOException {
        Scorer scorer = supplier.get(Math.min(leadCost, cost()));
        Bits live = leaf.reader().getLiveDocs();
        return new Page(scorer, new First(scorer.iterator(), live, start, leaf.ord, given));
      }

      @Override
      public long cost() {
        return Math.min(supplier.cost(), leaf.reader().maxDoc() - start);
      }
    };
  }

  private static final class Page extends Scorer {
    private final Scorer whole;
    private final DocIdSetIterator first;

    Page(Scorer whole, DocIdSetIterator first) {
      this.whole = whole;
      this.first = first;
    }

    @Override
    public int docID() {
      return first.docID();
    }

    @Override
    public DocIdSetIterator iterator() {
      return first;
    }

    @Override
    public float getMaxScore(int upTo) throws IOException {
      return whole.getMaxScore(upTo);
    }

    @Override
    public float score() throws IOException {
      return whole.score();
    }
  }

  /** Documents of a segment from one on, until as many of them are live as there are rows. */
  private final class First extends FilterDocIdSetIterator {
    private final @Nullable Bits live;
    private final int start;
    private final int segment;
    private final AtomicIntegerArray given;
    private int document = -1;
    private int count;

    First(
        DocIdSetIterator all,
        @Nullable Bits live,
        int start,
        int segment,
        AtomicIntegerArray given) {
      super(all);
      this.live = live;
      this.start = start;
      this.segment = segment;
      this.given = given;
    }

    @Override
    public int docID() {
      return document;
    }

    @Override
    public int nextDoc() throws IOException {
      return document < start ? advance(start) : to(count < rows ? in.nextDoc() : NO_MORE_DOCS);
    }

    @Override
    public int advance(int target) throws IOException {
      return to(count < rows ? in.advance(Math.max(start, target)) : NO_MORE_DOCS);
    }

    private int to(int next) {
      document = next;
      if (next != NO_MORE_DOCS && (live == null || live.get(next))) {
        given.setRelease(segment, ++count); // a late look costs work, not rows
      }
      return next;
    }
  }

  @Override
  public void visit(QueryVisitor visitor) {
    all.visit(visitor);
  }

  @Override
  public String toString(String field) {
    return all.toString(field) + " from " + from + " on, " + rows + " rows";
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof NextRows next
        && all.equals(next.all)
        && from == next.from
        && rows == next.rows;
  }

  @Override
  public int hashCode() {
    return Objects.hash(classHash(), all, from, rows);
  }
}
