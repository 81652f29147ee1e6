package io.millrace.guard.debt;

import io.millrace.guard.phases.CheckPointTask;
import io.millrace.guard.phases.PhaseListener;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.search.SearchShardTask;
import org.opensearch.core.tasks.resourcetracker.ResourceStats;
import org.opensearch.search.internal.SearchContext;

/** The searches at work on this node's shards, and which of them allocated most. */
final class RunningSearches extends PhaseListener {
  private final Set<SearchShardTask> tasks = ConcurrentHashMap.newKeySet();

  @Override
  protected void queryBegins(SearchContext context) {
    add(context);
  }

  @Override
  protected void fetchBegins(SearchContext context) {
    add(context);
  }

  private void add(SearchContext context) {
    SearchShardTask task = CheckPointTask.real(context);
    if (task != null) {
      tasks.add(task);
    }
  }

  @Override
  protected void ends(SearchContext context) {
    SearchShardTask task = CheckPointTask.real(context);
    if (task != null) {
      tasks.remove(task);
    }
  }

  int size() {
    return tasks.size();
  }

  /** The one that allocated most of those not yet cancelled; {@code null} when there is none. */
  @Nullable SearchShardTask largest() {
    SearchShardTask largest = null;
    long most = -1;
    for (SearchShardTask task : tasks) {
      if (!task.isCancelled()) {
        long bytes = task.getTotalResourceUtilization(ResourceStats.MEMORY);
        if (bytes > most) {
          largest = task;
          most = bytes;
        }
      }
    }
    return largest;
  }
}
