package io.millrace.guard.lanes;

import io.millrace.kernel.slot.ActionOrder;
import java.util.function.IntSupplier;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.search.MultiSearchRequest;
import org.opensearch.action.support.ActionFilter;
import org.opensearch.action.support.ActionFilterChain;
import org.opensearch.action.support.ActionRequestMetadata;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.tasks.Task;

/**
 * Bounds how many searches of one request run at once, whatever the request asks for: {@code
 * max_concurrent_group_searches: 1000} sends a thousand light searches to the pool in one moment,
 * which fills its queue, and everybody else's searches are rejected. All of them are made; they
 * only take turns.
 *
 * <p>Collapsed groups, templates and rank evaluation are made of such requests as well.
 */
final class FanFilter implements ActionFilter {
  private final IntSupplier most;

  /**
   * @param most searches of one request at once; 0 for as many as it asks for
   */
  FanFilter(IntSupplier most) {
    this.most = most;
  }

  @Override
  public int order() {
    return ActionOrder.REWRITE.order();
  }

  @Override
  public <Request extends ActionRequest, Response extends ActionResponse> void apply(
      Task task,
      String action,
      Request request,
      ActionRequestMetadata<Request, Response> metadata,
      ActionListener<Response> listener,
      ActionFilterChain<Request, Response> chain) {
    int allowed = most.getAsInt();
    if (allowed > 0
        && request instanceof MultiSearchRequest several
        && several.maxConcurrentSearchRequests() > allowed) {
      several.maxConcurrentSearchRequests(allowed);
    }
    chain.proceed(task, action, request, listener);
  }
}
