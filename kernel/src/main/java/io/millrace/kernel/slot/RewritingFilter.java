package io.millrace.kernel.slot;

import org.opensearch.action.ActionRequest;
import org.opensearch.action.support.ActionFilter;
import org.opensearch.action.support.ActionFilterChain;
import org.opensearch.action.support.ActionRequestMetadata;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.tasks.Task;

/**
 * An action filter that changes what a request asks, after every other filter has seen it as the
 * client sent it, and lets it through.
 *
 * @see RefusingFilter
 */
public abstract class RewritingFilter implements ActionFilter {
  /** A filter at {@link ActionOrder#REWRITE}. */
  protected RewritingFilter() {}

  /**
   * Changes the request, or leaves it as it is. Called for every transport action, so what it looks
   * at first has to be cheap.
   *
   * @param action the transport action's name
   */
  protected abstract void rewrite(String action, ActionRequest request);

  @Override
  public final int order() {
    return ActionOrder.REWRITE.order();
  }

  @Override
  public final <Request extends ActionRequest, Response extends ActionResponse> void apply(
      Task task,
      String action,
      Request request,
      ActionRequestMetadata<Request, Response> metadata,
      ActionListener<Response> listener,
      ActionFilterChain<Request, Response> chain) {
    rewrite(action, request);
    chain.proceed(task, action, request, listener);
  }
}
