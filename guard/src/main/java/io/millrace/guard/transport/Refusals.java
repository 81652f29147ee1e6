package io.millrace.guard.transport;

import io.millrace.guard.phases.CheckPointTask;
import io.millrace.kernel.settings.Switch;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.search.SearchAction;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.tasks.CancellableTask;
import org.opensearch.tasks.Task;
import org.opensearch.transport.TransportRequest;
import org.opensearch.transport.TransportRequestHandler;

/**
 * Why a feature stopped searches of this node's shards, so that their clients are told: 429 and the
 * reason, in place of a cancelled task's 500 without one.
 */
public final class Refusals {
  private static final long NEIGHBOURS_NANOS = 60_000_000_000L;

  private record Stopped(CircuitBreakingException reason, long nanos) {}

  private final Map<Task, CircuitBreakingException> reasons =
      Collections.synchronizedMap(new WeakHashMap<>());
  private volatile @Nullable Stopped last;

  /** Cancels a search, unless it is cancelled already, and keeps why for its answer. */
  public void stop(CancellableTask search, CircuitBreakingException reason) {
    CancellableTask task = CheckPointTask.real(search); // whoever stops it passes no check point
    reasons.put(task, reason);
    last = new Stopped(reason, System.nanoTime());
    if (!task.isCancelled()) {
      task.cancel(reason.getMessage());
    }
  }

  /**
   * A handler whose answers tell why a search was stopped; for the requests of searches to shards,
   * any other handler is given back as it is.
   *
   * @param enabled whether answers are looked at, asked for each request
   */
  public <T extends TransportRequest> TransportRequestHandler<T> telling(
      String action, TransportRequestHandler<T> handler, Switch enabled) {
    if (!action.startsWith(SearchAction.NAME + "[")) {
      return handler;
    }
    return (request, channel, task) ->
        handler.messageReceived(
            request, enabled.on() ? new RefusalChannel(channel, task, this) : channel, task);
  }

  /** Why the search of this task was stopped, once; {@code null} when it was not. */
  @Nullable CircuitBreakingException take(@Nullable Task task) {
    // most nodes have never stopped any; the reason of one stands there before its task knows of it
    return task == null || last == null ? null : reasons.remove(task);
  }

  /**
   * Why a search failed that was itself not stopped: identical searches that may be cached run once
   * and fail together (IndicesRequestCache), so the reason is another's. {@code null} when nothing
   * was stopped lately.
   */
  @Nullable CircuitBreakingException neighbours() {
    Stopped lately = last;
    return lately == null || System.nanoTime() - lately.nanos > NEIGHBOURS_NANOS
        ? null
        : lately.reason;
  }
}
