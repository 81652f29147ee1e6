package io.millrace.guard.lanes;

import io.millrace.guard.phases.PhaseListener;
import org.jspecify.annotations.Nullable;
import org.opensearch.search.internal.SearchContext;

/** Tells the lanes which threads work for which search, and puts the check points into it. */
final class LaneListener extends PhaseListener {
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
  protected void queryBegins(SearchContext context) {
    Turn turn = of(context);
    if (turn != null) {
      turn.use().enter();
      context.searcher().addQueryCancellation(turn::look);
    }
  }

  @Override
  protected void fetchBegins(SearchContext context) {
    enter(context);
  }

  @Override
  protected void ends(SearchContext context) {
    exit(context);
  }

  @Override
  protected void sliceBegins(SearchContext context) {
    enter(context);
  }

  @Override
  protected void sliceEnds(SearchContext context) {
    exit(context);
  }
}
