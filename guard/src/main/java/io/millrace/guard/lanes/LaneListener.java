package io.millrace.guard.lanes;

import org.jspecify.annotations.Nullable;
import org.opensearch.index.shard.SearchOperationListener;
import org.opensearch.search.internal.SearchContext;

/** Tells the lanes which threads work for which search, and puts the check points into it. */
final class LaneListener implements SearchOperationListener {
  private final Lanes lanes;

  LaneListener(Lanes lanes) {
    this.lanes = lanes;
  }

  private @Nullable Turn of(SearchContext context) {
    return context.getTask() == null ? null : lanes.of(context.getTask().getId());
  }

  private void enter(SearchContext context) {
    Turn turn = of(context);
    if (turn != null) {
      turn.use().enter();
    }
  }

  private void exit(SearchContext context) {
    Turn turn = of(context);
    if (turn != null) {
      turn.use().exit();
    }
  }

  @Override
  public void onPreQueryPhase(SearchContext context) {
    Turn turn = of(context);
    if (turn != null) {
      turn.use().enter();
      context.searcher().addQueryCancellation(turn::look);
    }
  }

  @Override
  public void onQueryPhase(SearchContext context, long tookInNanos) {
    exit(context);
  }

  @Override
  public void onFailedQueryPhase(SearchContext context) {
    exit(context);
  }

  @Override
  public void onPreSliceExecution(SearchContext context) {
    enter(context);
  }

  @Override
  public void onSliceExecution(SearchContext context) {
    exit(context);
  }

  @Override
  public void onFailedSliceExecution(SearchContext context) {
    exit(context);
  }

  @Override
  public void onPreFetchPhase(SearchContext context) {
    enter(context);
  }

  @Override
  public void onFetchPhase(SearchContext context, long tookInNanos) {
    exit(context);
  }

  @Override
  public void onFailedFetchPhase(SearchContext context) {
    exit(context);
  }
}
