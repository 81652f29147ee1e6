package io.millrace.guard.breaker;

import io.millrace.kernel.settings.Switch;
import io.millrace.kernel.slot.ActionOrder;
import java.util.function.Supplier;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.search.MultiSearchRequest;
import org.opensearch.action.search.SearchAction;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.support.ActionFilter;
import org.opensearch.action.support.ActionFilterChain;
import org.opensearch.action.support.ActionRequestMetadata;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.tasks.CancellableTask;
import org.opensearch.tasks.Task;

/**
 * Hands every search that this node coordinates to {@link ReduceWatch}, and the searches of one
 * request with several to {@link SiblingAnswers}, so that they can be stopped.
 */
final class CoordinatedSearches implements ActionFilter {
  private final Switch enabled;
  private final ReduceWatch reduces;
  private final SiblingAnswers siblings;
  private final Supplier<String> node;

  /**
   * @param node this node's id, as the parent of a search names it
   */
  CoordinatedSearches(
      Switch enabled, ReduceWatch reduces, SiblingAnswers siblings, Supplier<String> node) {
    this.enabled = enabled;
    this.reduces = reduces;
    this.siblings = siblings;
    this.node = node;
  }

  @Override
  public int order() {
    return ActionOrder.LIMIT.order();
  }

  @Override
  public <Request extends ActionRequest, Response extends ActionResponse> void apply(
      Task task,
      String action,
      Request request,
      ActionRequestMetadata<Request, Response> metadata,
      ActionListener<Response> listener,
      ActionFilterChain<Request, Response> chain) {
    if (!enabled.on()) {
      chain.proceed(task, action, request, listener);
    } else if (action.equals(SearchAction.NAME) && task instanceof CancellableTask search) {
      SearchSourceBuilder source = request instanceof SearchRequest r ? r.source() : null;
      TaskId parent = task.getParentTaskId();
      GapBuckets gaps = ReduceWatch.gaps(source);
      CircuitBreakingException full = siblings.refusal(parent);
      if (full == null) {
        full = reduces.refusal(gaps);
      }
      if (full == null) {
        ActionListener<Response> counted = siblings.child(parent, listener);
        chain.proceed(task, action, request, reduces.watch(search, source, gaps, counted));
      } else {
        listener.onFailure(full);
      }
    } else if (request instanceof MultiSearchRequest several && task != null) {
      TaskId parent = new TaskId(node.get(), task.getId());
      ActionListener<Response> counted = siblings.parent(parent, AskedBytes.of(several), listener);
      CircuitBreakingException full = siblings.refusal(parent);
      if (full == null) {
        chain.proceed(task, action, request, counted);
      } else {
        counted.onFailure(full);
      }
    } else {
      chain.proceed(task, action, request, listener);
    }
  }
}
