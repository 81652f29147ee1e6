package io.millrace.search.columns;

import io.millrace.kernel.slot.RunQuery;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.SortField;
import org.jspecify.annotations.Nullable;
import org.opensearch.index.shard.SearchOperationListener;
import org.opensearch.search.approximate.ApproximateScoreQuery;
import org.opensearch.search.internal.SearchContext;
import org.opensearch.search.sort.ShardDocFieldComparatorSource;
import org.opensearch.search.sort.SortAndFormats;

/**
 * A page of columns in the order of documents begins where the page before ended, and ends with its
 * last row.
 *
 * <p>Why: stock's comparator of {@code _shard_doc} jumps over nothing, so each page visits all the
 * matches of the shard ({@code ShardDocFieldComparatorSource#newComparator} at 3.8.0).
 */
final class NextRowsListener implements SearchOperationListener {
  private final WholePages whole;

  NextRowsListener(WholePages whole) {
    this.whole = whole;
  }

  @Override
  public void onPreQueryPhase(SearchContext context) {
    Query query = context.query();
    int rows = context.from() + context.size();
    if (query != null && rows > 0 && isPage(context)) {
      Query page = page(query, context, rows);
      context.parsedQuery(new RunQuery(context.parsedQuery(), page));
    }
  }

  /** Whether nothing but the rows of a page is asked for, in the order of documents. */
  private static boolean isPage(SearchContext context) {
    return context.getSearchExt(ColumnsExt.NAME) != null
        && inOrder(context.sort())
        && context.trackTotalHitsUpTo() == SearchContext.TRACK_TOTAL_HITS_DISABLED
        && context.aggregations() == null
        && context.scrollContext() == null
        && context.collapse() == null
        && context.parsedPostFilter() == null
        && context.minimumScore() == null
        && context.terminateAfter() == SearchContext.DEFAULT_TERMINATE_AFTER
        && context.rescore().isEmpty();
  }

  private static boolean inOrder(@Nullable SortAndFormats sort) {
    if (sort == null) {
      return false;
    }
    SortField first = sort.sort.getSort()[0]; // no two documents are equal in it
    return first.getComparatorSource() instanceof ShardDocFieldComparatorSource
        && !first.getReverse();
  }

  private Query page(Query query, SearchContext context, int rows) {
    long from = 0;
    if (context.searchAfter() != null) {
      // a shard in the upper half, a document in the lower one
      long last = ((Number) context.searchAfter().fields[0]).longValue();
      int shard = context.indexShard().shardId().id();
      if (shard < last >>> 32) {
        return new MatchNoDocsQuery("the shard's rows were before");
      }
      from = shard == last >>> 32 ? (last & 0xFFFF_FFFFL) + 1 : 0;
    }
    try {
      // an approximation may stop after any rows
      Query all =
          query instanceof ApproximateScoreQuery either
              ? context.searcher().rewrite(either.getOriginalQuery())
              : query;
      WholePages.Page page = WholePages.isWhole(context) ? whole.keep(all, from, context) : null;
      Query wanted =
          page == null ? new NextRows(all, from, rows) : new NextRows(all, page.last(), 1);
      return context.searcher().rewrite(wanted);
    } catch (IOException e) {
      throw new UncheckedIOException("the query of a page cannot be rewritten", e);
    }
  }
}
