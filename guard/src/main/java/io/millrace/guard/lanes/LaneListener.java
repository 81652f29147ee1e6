package io.millrace.guard.lanes;

import io.millrace.guard.phases.CheckPointTask;
import io.millrace.guard.phases.PhaseListener;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.opensearch.search.internal.SearchContext;

/** Tells the lanes which threads work for which search, and puts the check points into it. */
final class LaneListener extends PhaseListener {
  private final Lanes lanes;
  private final Map<Long, Turn> threads = new ConcurrentHashMap<>();

  LaneListener(Lanes lanes) {
    this.lanes = lanes;
  }

  private @Nullable Turn of(SearchContext context) {
    return context.getTask() == null ? null : lanes.of(context.getTask().getId());
  }

  private void enter(SearchContext context) {
    Turn turn = of(context);
    if (turn != null) {
      enter(turn);
    }
  }

  private void enter(Turn turn) {
    if (turn.use().enter()) {
      threads.put(Thread.currentThread().threadId(), turn);
    }
  }

  private void exit(SearchContext context) {
    Turn turn = of(context);
    if (turn != null) {
      leave(turn);
    }
  }

  private void leave(Turn turn) {
    if (turn.use().exit()) {
      threads.remove(Thread.currentThread().threadId(), turn);
    }
  }

  /** The search for which the calling thread works. */
  @Nullable Turn ofThread() {
    return threads.get(Thread.currentThread().threadId());
  }

  @Override
  protected void queryBegins(SearchContext context) {
    Turn turn = of(context);
    if (turn != null) {
      enter(turn);
      CheckPointTask.put(context, turn::lookIfMine);
      context.searcher().addQueryCancellation(turn::look);
    }
  }

  @Override
  protected void fetchBegins(SearchContext context) {
    Turn turn = of(context);
    if (turn != null) {
      enter(turn);
      CheckPointTask.put(context, turn::lookIfMine);
    }
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
