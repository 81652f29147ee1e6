package io.millrace.guard.phases;

import org.opensearch.index.shard.SearchOperationListener;
import org.opensearch.search.internal.SearchContext;

/**
 * Where the query phase and the fetch phase of a search on a shard begin and end, and the slices of
 * a query that several threads collect.
 *
 * <p>{@link SearchOperationListener} tells a phase that ended well from one that failed, and query
 * from fetch, by nine methods. A listener that has to undo what it did at the beginning must not
 * forget one of them; here every end is the same method.
 */
public abstract class PhaseListener implements SearchOperationListener {

  /** A query phase begins, before its aggregators are built. */
  protected abstract void queryBegins(SearchContext context);

  /** A fetch phase begins. */
  protected abstract void fetchBegins(SearchContext context);

  /** Either phase has ended, well or with a failure. */
  protected abstract void ends(SearchContext context);

  /** This thread begins to collect a slice of the query. */
  protected void sliceBegins(SearchContext context) {}

  /** This thread has collected a slice, or failed to. */
  protected void sliceEnds(SearchContext context) {}

  @Override
  public final void onPreQueryPhase(SearchContext context) {
    queryBegins(context);
  }

  @Override
  public final void onQueryPhase(SearchContext context, long tookInNanos) {
    ends(context);
  }

  @Override
  public final void onFailedQueryPhase(SearchContext context) {
    ends(context);
  }

  @Override
  public final void onPreSliceExecution(SearchContext context) {
    sliceBegins(context);
  }

  @Override
  public final void onSliceExecution(SearchContext context) {
    sliceEnds(context);
  }

  @Override
  public final void onFailedSliceExecution(SearchContext context) {
    sliceEnds(context);
  }

  @Override
  public final void onPreFetchPhase(SearchContext context) {
    fetchBegins(context);
  }

  @Override
  public final void onFetchPhase(SearchContext context, long tookInNanos) {
    ends(context);
  }

  @Override
  public final void onFailedFetchPhase(SearchContext context) {
    ends(context);
  }
}
