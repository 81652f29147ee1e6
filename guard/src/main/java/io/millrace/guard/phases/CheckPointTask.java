package io.millrace.guard.phases;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.search.SearchShardTask;
import org.opensearch.core.tasks.resourcetracker.ResourceStats;
import org.opensearch.core.tasks.resourcetracker.TaskResourceUsage;
import org.opensearch.core.tasks.resourcetracker.ThreadResourceInfo;
import org.opensearch.search.internal.SearchContext;
import org.opensearch.tasks.CancellableTask;

/**
 * The task of a search on a shard as the search itself sees it: whenever it asks whether it is
 * cancelled, it passes a check point, which may hold it. Aggregators ask for each bucket whose
 * results they build (AggregatorBase#checkCancelled at 3.8.0), where no other check point is.
 *
 * <p>Everything else is the real task's, which alone is registered. Who keeps tasks by identity
 * keeps {@link #real}.
 */
public final class CheckPointTask extends SearchShardTask {
  private final SearchShardTask real;
  private final Runnable checkPoint;

  CheckPointTask(SearchShardTask real, Runnable checkPoint) {
    super(
        real.getId(),
        real.getType(),
        real.getAction(),
        real.getDescription(),
        real.getParentTaskId(),
        Map.of(),
        real::getTaskMetadata);
    this.real = real;
    this.checkPoint = checkPoint;
  }

  /** Puts a check point into a search, in place of one that it may have. */
  public static void put(SearchContext context, Runnable checkPoint) {
    SearchShardTask task = context.getTask();
    if (task != null) {
      context.setTask(
          new CheckPointTask(task instanceof CheckPointTask old ? old.real : task, checkPoint));
    }
  }

  /** The task that is registered. */
  public static CancellableTask real(CancellableTask task) {
    return task instanceof CheckPointTask mine ? mine.real : task;
  }

  /** The task that is registered for a search; null when it has none. */
  public static @Nullable SearchShardTask real(SearchContext context) {
    SearchShardTask task = context.getTask();
    return task instanceof CheckPointTask mine ? mine.real : task;
  }

  @Override
  public boolean isCancelled() {
    checkPoint.run();
    return real.isCancelled();
  }

  @Override
  public void cancel(String reason) {
    real.cancel(reason);
  }

  @Override
  public @Nullable String getReasonCancelled() {
    return real.getReasonCancelled();
  }

  @Override
  public @Nullable Long getCancellationStartTime() {
    return real.getCancellationStartTime();
  }

  @Override
  public @Nullable Long getCancellationStartTimeNanos() {
    return real.getCancellationStartTimeNanos();
  }

  @Override
  public @Nullable String getHeader(String header) {
    return real.getHeader(header);
  }

  @Override
  public long getStartTime() {
    return real.getStartTime();
  }

  @Override
  public long getStartTimeNanos() {
    return real.getStartTimeNanos();
  }

  @Override
  public Map<Long, List<ThreadResourceInfo>> getResourceStats() {
    return real.getResourceStats();
  }

  @Override
  public TaskResourceUsage getTotalResourceStats() {
    return real.getTotalResourceStats();
  }

  @Override
  public long getTotalResourceUtilization(ResourceStats stats) {
    return real.getTotalResourceUtilization(stats);
  }
}
