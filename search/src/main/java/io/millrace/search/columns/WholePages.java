package io.millrace.search.columns;

import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.Weight;
import org.apache.lucene.util.ArrayUtil;
import org.apache.lucene.util.Bits;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.tasks.TaskCancelledException;
import org.opensearch.search.SearchHit;
import org.opensearch.search.SearchService;
import org.opensearch.search.internal.SearchContext;

/**
 * The rows of pages whose last row alone is a hit of stock's: the fetch phase reads all of them
 * behind it, in the order of documents.
 *
 * <p>Why: stock makes an object for each hit and puts all of them in order twice, which costs more
 * than the values. A page that is read from one shard needs neither: its documents come in order,
 * and the next page begins behind the last of them. Where several shards are asked, the
 * coordinating node has to choose among their rows, and each row is a hit.
 */
final class WholePages {
  /** Rows between two looks whether the search is cancelled. */
  static final int LOOK = 1_024;

  /** In the place of the row of a hit; a hit without a version has -1. */
  private static final long ALL = -2;

  private final Map<IndexSearcher, Page> pages = new ConcurrentHashMap<>();

  /**
   * A page.
   *
   * @param rows documents, counted over the segments of the shard
   * @param cancelled whether the search is
   */
  record Page(int[] rows, BooleanSupplier cancelled) {
    int last() {
      return rows[rows.length - 1];
    }

    void look() {
      if (cancelled.getAsBoolean()) {
        throw new TaskCancelledException("the search was cancelled while a page was read");
      }
    }
  }

  /** The hit stands for all rows of its block. */
  static void carryAll(SearchHit hit) {
    hit.version(ALL);
  }

  static boolean carriesAll(SearchHit hit) {
    return hit.getVersion() == ALL;
  }

  /** Whether all rows of a page come from the shard of this search, without a limit of time. */
  static boolean isWhole(SearchContext context) {
    TimeValue timeout = context.timeout();
    return context.request().numberOfShards() == 1
        && context.from() == 0
        && !context.trackScores()
        && (timeout == null || timeout.equals(SearchService.NO_TIMEOUT));
  }

  /** Keeps the rows of a page until the search ends; null where there are none. */
  @Nullable Page keep(Query all, long from, SearchContext context) throws IOException {
    Page page = new Page(rows(all, from, context.size(), context), context::isCancelled);
    if (page.rows.length == 0) {
      return null;
    }
    IndexSearcher searcher = context.searcher();
    pages.put(searcher, page);
    context.addReleasable(() -> pages.remove(searcher));
    return page;
  }

  /** The page that a searcher has found, if it has. */
  @Nullable Page of(IndexSearcher searcher) {
    return pages.get(searcher);
  }

  /** Pages at work; zero on an idle node. */
  int open() {
    return pages.size();
  }

  private static int[] rows(Query all, long from, int most, SearchContext context)
      throws IOException {
    IndexSearcher searcher = context.searcher();
    Weight weight = searcher.createWeight(all, ScoreMode.COMPLETE_NO_SCORES, 1);
    int[] rows = new int[Math.min(most, LOOK)];
    int count = 0;
    for (LeafReaderContext leaf : searcher.getIndexReader().leaves()) {
      long start = Math.max(0, from - leaf.docBase);
      Scorer scorer = start >= leaf.reader().maxDoc() || count == most ? null : weight.scorer(leaf);
      if (scorer == null) {
        continue;
      }
      Bits live = leaf.reader().getLiveDocs();
      DocIdSetIterator found = scorer.iterator();
      int doc = found.advance((int) start);
      for (; doc != DocIdSetIterator.NO_MORE_DOCS && count < most; doc = found.nextDoc()) {
        if (live == null || live.get(doc)) {
          rows = ArrayUtil.grow(rows, count + 1);
          rows[count++] = leaf.docBase + doc;
          if (count % LOOK == 0 && context.isCancelled()) {
            return new int[0]; // stock ends it
          }
        }
      }
    }
    return Arrays.copyOf(rows, count);
  }
}
