package io.millrace.search.timepruning;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntSupplier;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.SortedNumericDocValuesField;
import org.apache.lucene.index.DocValuesSkipper;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.PointValues;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexOrDocValuesQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.TwoPhaseIterator;
import org.apache.lucene.search.Weight;
import org.apache.lucene.util.Bits;
import org.jspecify.annotations.Nullable;
import org.opensearch.search.approximate.ApproximateScoreQuery;
import org.opensearch.search.internal.SearchContext;

/**
 * A search for the newest hits looks at the newest blocks of documents first. When these hold
 * enough hits, nothing older than the oldest of these blocks can be among the newest, and the
 * search gets that time as a bound.
 *
 * <p>Why: a segment of logs holds its newest documents at the end. Stock goes through it from the
 * front, where each document is newer than all before it, so it visits every match.
 */
final class NewestFirst {
  /** Segments that are looked at, the newest ones. */
  private static final int SEGMENTS = 4;

  /** Documents of a block. */
  private static final int BLOCK = 4_096;

  /** Documents at the end of each whose blocks are looked for. */
  private static final int DOCUMENTS = 2_048 * BLOCK;

  /** Blocks of each in which matches are counted, the newest ones, at least. */
  private static final int BLOCKS = 16;

  /** To begin to look into a block costs about as much as visiting so many matches. */
  private static final int COST_OF_A_BLOCK = 200;

  /** A bound that leaves more than one of so many documents saves too little. */
  private static final int LEAST_GAIN = 4;

  private static final long UNKNOWN = -1;

  /**
   * Beside a bound, which finds few documents, Lucene would find the ranges of the query by doc
   * values. Lucene 10.5.0 then may take the last document of a window though it is outside.
   */
  private static final RangesBesideConditions POINTS =
      new RangesBesideConditions((stock, values, points) -> points);

  /** Fewer matches are visited as quickly as a bound is found. */
  private final long leastMatches;

  private final IntSupplier kept;

  /**
   * @param leastMatches a search with fewer matches keeps stock's plan
   * @param kept up to how many hits of a shard stock keeps for other searches
   */
  NewestFirst(long leastMatches, IntSupplier kept) {
    this.leastMatches = leastMatches;
    this.kept = kept;
  }

  /** A range of documents of a segment that all have the field. */
  private record Block(LeafReaderContext leaf, int from, int to, long oldest, long newest) {}

  /**
   * A query with the same newest hits.
   *
   * @param query finds none of the older matches
   * @param total the number of all matches; negative where those that are found tell it: they are
   *     more than the search counts, which the reduction cuts to this number for stock as well
   *     (SearchPhaseController.TopDocsStats#getTotalHits at 3.8.0)
   */
  record Bounded(Query query, long total) {}

  /** Null where the hits are not the newest ones, or where no bound is found. */
  @Nullable Bounded bound(Query query, SearchContext context) throws IOException {
    NewestHits wanted = NewestHits.of(context, kept.getAsInt());
    // a range alone is stock's: it stops after enough hits (ApproximatePointRangeQuery)
    if (wanted == null || query instanceof ApproximateScoreQuery || !Conditions.areCheap(query)) {
      return null;
    }
    long fewest = Math.max(leastMatches, (long) LEAST_GAIN * wanted.hits());
    if (context.searcher().getIndexReader().maxDoc() < fewest) {
      return null;
    }
    String field = wanted.field();
    Query byPoints = POINTS.replace(query);
    if (Conditions.haveRange(byPoints)) {
      return null;
    }
    IndexSearcher searcher = new IndexSearcher(context.searcher().getIndexReader());
    if (searcher.getLeafContexts().stream().allMatch(leaf -> newestFirst(leaf, field))) {
      return null;
    }
    searcher.setQueryCache(null); // a look is no use of the query
    Weight weight = weight(searcher, query);
    long matches = cost(searcher, weight);
    if (matches < fewest) {
      return null;
    }
    long total = wanted.counts() ? count(searcher, weight) : UNKNOWN;
    long least = least(wanted, total);
    if (matches < LEAST_GAIN * least) {
      return null;
    }
    long blocks = blocks(matches, least, searcher.getIndexReader().maxDoc());
    if (blocks > BLOCKS && blocks * COST_OF_A_BLOCK > matches) {
      return null;
    }
    long latest = Conditions.latest(query, field);
    boolean single = hasSingleValues(searcher, field);
    Weight look = weight;
    long newest = latest;
    if (wanted.goesOn()) {
      if (!single || wanted.after() == Long.MIN_VALUE) {
        return null;
      }
      // hits of the same time as the last one may stand before it
      newest = Math.min(latest, wanted.after() - 1);
      look = weight(searcher, both(query, older(field, newest)));
    }
    Long bound = bound(newestBlocks(searcher, field, newest, (int) blocks), look, least);
    if (bound == null) {
      return null;
    }
    // of several values one may be in the range of the query, and a newer one be sorted by
    long end = single ? Math.min(latest, wanted.after()) : Long.MAX_VALUE;
    Query newer = LongPoint.newRangeQuery(field, bound, end);
    if (cost(searcher, weight(searcher, newer)) > searcher.getIndexReader().maxDoc() / LEAST_GAIN) {
      return null;
    }
    // the query phase asserts a query that cannot be rewritten further
    return new Bounded(context.searcher().rewrite(both(byPoints, newer)), total);
  }

  private static Weight weight(IndexSearcher searcher, Query query) throws IOException {
    return searcher.createWeight(searcher.rewrite(query), ScoreMode.COMPLETE_NO_SCORES, 1);
  }

  private static Query both(Query query, Query range) {
    return new BooleanQuery.Builder().add(query, Occur.MUST).add(range, Occur.FILTER).build();
  }

  private static Query older(String field, long latest) {
    return new IndexOrDocValuesQuery(
        LongPoint.newRangeQuery(field, Long.MIN_VALUE, latest),
        SortedNumericDocValuesField.newSlowRangeQuery(field, Long.MIN_VALUE, latest));
  }

  /** Matches that have to be newer than the bound; more than there are where no bound will do. */
  private static long least(NewestHits wanted, long total) {
    if (!wanted.counts() || total >= 0) {
      return wanted.hits();
    }
    return wanted.countsAll() ? Integer.MAX_VALUE : Math.max(wanted.hits(), wanted.counted() + 1L);
  }

  /** Twice the blocks in which so many matches would be, were they spread evenly. */
  private static long blocks(long matches, long least, int documents) {
    return Math.max(BLOCKS, 2 * least * documents / matches / BLOCK);
  }

  /** The number of matches where each segment knows it without a look at documents. */
  private static long count(IndexSearcher searcher, Weight weight) throws IOException {
    long count = 0;
    for (LeafReaderContext leaf : searcher.getIndexReader().leaves()) {
      int matches = weight.count(leaf);
      if (matches < 0) {
        return UNKNOWN;
      }
      count += matches;
    }
    return count;
  }

  private static boolean hasSingleValues(IndexSearcher searcher, String field) throws IOException {
    for (LeafReaderContext leaf : searcher.getIndexReader().leaves()) {
      PointValues points = leaf.reader().getPointValues(field);
      if (points != null && points.size() != points.getDocCount()) {
        return false;
      }
    }
    return true;
  }

  private static long cost(IndexSearcher searcher, Weight weight) throws IOException {
    long cost = 0;
    for (LeafReaderContext leaf : searcher.getIndexReader().leaves()) {
      ScorerSupplier supplier = weight.scorerSupplier(leaf);
      cost += supplier == null ? 0 : supplier.cost();
    }
    return cost;
  }

  private record Leaf(LeafReaderContext context, DocValuesSkipper skipper, long newest) {}

  /**
   * Blocks at the ends of the newest segments, the newest ones first.
   *
   * @param latest what is newer than this is not asked for
   * @param most blocks of a segment
   */
  private static List<Block> newestBlocks(
      IndexSearcher searcher, String field, long latest, int most) throws IOException {
    List<Leaf> leaves = new ArrayList<>();
    for (LeafReaderContext leaf : searcher.getIndexReader().leaves()) {
      DocValuesSkipper skipper = leaf.reader().getDocValuesSkipper(field);
      if (skipper != null && skipper.minValue() <= latest && !newestFirst(leaf, field)) {
        leaves.add(new Leaf(leaf, skipper, Math.min(skipper.maxValue(), latest)));
      }
    }
    leaves.sort(Comparator.comparingLong(Leaf::newest).reversed());
    Comparator<Block> newestFirst = Comparator.comparingLong(Block::newest).reversed();
    List<Block> newest = new ArrayList<>();
    for (Leaf leaf : leaves.subList(0, Math.min(SEGMENTS, leaves.size()))) {
      List<Block> blocks = blocks(leaf, latest);
      blocks.sort(newestFirst);
      newest.addAll(blocks.subList(0, Math.min(most, blocks.size())));
    }
    newest.sort(newestFirst);
    return newest;
  }

  private static List<Block> blocks(Leaf leaf, long latest) throws IOException {
    List<Block> blocks = new ArrayList<>();
    DocValuesSkipper skipper = leaf.skipper;
    skipper.advance(Math.max(0, leaf.context.reader().maxDoc() - DOCUMENTS));
    while (skipper.minDocID(0) != DocIdSetIterator.NO_MORE_DOCS) {
      int from = skipper.minDocID(0);
      int to = skipper.maxDocID(0) + 1;
      long oldest = skipper.minValue(0);
      if (skipper.docCount(0) == to - from && oldest <= latest) {
        long newest = Math.min(skipper.maxValue(0), latest);
        blocks.add(new Block(leaf.context, from, to, oldest, newest));
      }
      skipper.advance(to);
    }
    return blocks;
  }

  /** Whether stock stops after the first documents of a segment by itself. */
  private static boolean newestFirst(LeafReaderContext leaf, String field) {
    Sort sort = leaf.reader().getMetaData().sort();
    return sort != null
        && field.equals(sort.getSort()[0].getField())
        && sort.getSort()[0].getReverse();
  }

  /** A time from which on there are as many hits as wanted. */
  private static @Nullable Long bound(List<Block> newest, Weight weight, long wanted)
      throws IOException {
    long found = 0;
    long oldest = Long.MAX_VALUE;
    for (Block block : newest) {
      found += matches(block, weight);
      oldest = Math.min(oldest, block.oldest);
      if (found >= wanted) {
        return oldest;
      }
    }
    return null;
  }

  private static long matches(Block block, Weight weight) throws IOException {
    ScorerSupplier supplier = weight.scorerSupplier(block.leaf);
    // below an eighth of what it finds a range is looked up, not collected for each block
    Scorer scorer = supplier == null ? null : supplier.get(supplier.cost() / 16);
    if (scorer == null) {
      return 0;
    }
    TwoPhaseIterator second = scorer.twoPhaseIterator();
    DocIdSetIterator documents = second == null ? scorer.iterator() : second.approximation();
    Bits live = block.leaf.reader().getLiveDocs();
    long matches = 0;
    for (int doc = documents.advance(block.from); doc < block.to; doc = documents.nextDoc()) {
      if ((live == null || live.get(doc)) && (second == null || second.matches())) {
        matches++;
      }
    }
    return matches;
  }
}
