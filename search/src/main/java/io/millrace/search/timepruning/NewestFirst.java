package io.millrace.search.timepruning;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.index.DocValuesSkipper;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.PointValues;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.SortedNumericSelector;
import org.apache.lucene.search.SortedNumericSortField;
import org.apache.lucene.search.TwoPhaseIterator;
import org.apache.lucene.search.Weight;
import org.apache.lucene.util.Bits;
import org.jspecify.annotations.Nullable;
import org.opensearch.index.mapper.DateFieldMapper.DateFieldType;
import org.opensearch.index.mapper.MappedFieldType;
import org.opensearch.search.approximate.ApproximateScoreQuery;
import org.opensearch.search.internal.SearchContext;
import org.opensearch.search.sort.SortAndFormats;

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

  /** Documents at the end of each whose blocks are looked for; blocks have 4,096. */
  private static final int DOCUMENTS = 2_048 * 4_096;

  /** Blocks of each in which matches are counted, the newest ones. */
  private static final int BLOCKS = 16;

  /** Documents in the blocks of all these segments. */
  private static final int LOOK = SEGMENTS * BLOCKS * 4_096;

  /** A bound that leaves more than one of so many documents saves too little. */
  private static final int LEAST_GAIN = 4;

  /**
   * Beside a bound, which finds few documents, Lucene would find the ranges of the query by doc
   * values. Lucene 10.5.0 then may take the last document of a window though it is outside.
   */
  private static final RangesBesideConditions POINTS =
      new RangesBesideConditions((stock, values, points) -> points);

  /** Fewer matches are visited as quickly as a bound is found. */
  private final long leastMatches;

  NewestFirst(long leastMatches) {
    this.leastMatches = leastMatches;
  }

  /** A range of documents of a segment that all have the field. */
  private record Block(LeafReaderContext leaf, int from, int to, long oldest, long newest) {}

  /** The same query where the hits are not the newest ones, or where no bound is found. */
  Query replace(Query query, SearchContext context) throws IOException {
    String field = field(context);
    int wanted = context.from() + context.size();
    // a range alone is stock's: it stops after enough hits (ApproximatePointRangeQuery)
    if (field == null
        || wanted < 1
        || query instanceof ApproximateScoreQuery
        || !Conditions.areCheap(query)) {
      return query;
    }
    Query byPoints = POINTS.replace(query);
    if (Conditions.haveRange(byPoints)) {
      return query;
    }
    IndexSearcher searcher = new IndexSearcher(context.searcher().getIndexReader());
    if (searcher.getLeafContexts().stream().allMatch(leaf -> newestFirst(leaf, field))) {
      return query;
    }
    searcher.setQueryCache(null); // a look is no use of the query
    Weight weight = searcher.createWeight(searcher.rewrite(query), ScoreMode.COMPLETE_NO_SCORES, 1);
    long matches = cost(searcher, weight);
    // spread evenly, so many would be in the blocks that are looked at
    double near = (double) matches * LOOK / Math.max(1, searcher.getIndexReader().maxDoc());
    if (matches < leastMatches || near < wanted) {
      return query;
    }
    long latest = Conditions.latest(query, field);
    Long bound = bound(newestBlocks(searcher, field, latest), weight, wanted);
    if (bound == null) {
      return query;
    }
    // of several values one may be in the range of the query, and a newer one be sorted by
    long end = hasSingleValues(searcher, field) ? latest : Long.MAX_VALUE;
    Query newer = LongPoint.newRangeQuery(field, bound, end);
    Weight range = searcher.createWeight(searcher.rewrite(newer), ScoreMode.COMPLETE_NO_SCORES, 1);
    if (cost(searcher, range) > searcher.getIndexReader().maxDoc() / LEAST_GAIN) {
      return query;
    }
    // the query phase asserts a query that cannot be rewritten further
    return context
        .searcher()
        .rewrite(
            new BooleanQuery.Builder().add(byPoints, Occur.MUST).add(newer, Occur.FILTER).build());
  }

  /**
   * The date by which the hits are asked for, newest first; null where more of the matches count
   * than the hits.
   */
  private static @Nullable String field(SearchContext context) {
    SortAndFormats sort = context.sort();
    if (sort == null
        || context.aggregations() != null
        || context.trackTotalHitsUpTo() != SearchContext.TRACK_TOTAL_HITS_DISABLED
        || context.trackScores()
        || context.searchAfter() != null
        || context.scrollContext() != null
        || context.collapse() != null
        || context.parsedPostFilter() != null
        || context.minimumScore() != null
        || context.terminateAfter() != SearchContext.DEFAULT_TERMINATE_AFTER
        || !context.rescore().isEmpty()) {
      return null;
    }
    // documents without the field come last, and of several values the newest one counts
    if (!(sort.sort.getSort()[0] instanceof SortedNumericSortField first)
        || !first.getReverse()
        || first.getNumericType() != SortField.Type.LONG
        || first.getSelector() != SortedNumericSelector.Type.MAX
        || !Objects.equals(first.getMissingValue(), Long.MIN_VALUE)) {
      return null;
    }
    MappedFieldType type = context.mapperService().fieldType(first.getField());
    return type instanceof DateFieldType
            && type.isSearchable()
            && type.name().equals(first.getField())
        ? type.name()
        : null;
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
   */
  private static List<Block> newestBlocks(IndexSearcher searcher, String field, long latest)
      throws IOException {
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
      newest.addAll(blocks.subList(0, Math.min(BLOCKS, blocks.size())));
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
  private static @Nullable Long bound(List<Block> newest, Weight weight, int wanted)
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
