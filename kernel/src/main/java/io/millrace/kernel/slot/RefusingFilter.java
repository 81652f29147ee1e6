package io.millrace.kernel.slot;

import org.jspecify.annotations.Nullable;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.support.ActionFilter;
import org.opensearch.action.support.ActionFilterChain;
import org.opensearch.action.support.ActionRequestMetadata;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.tasks.Task;

/**
 * An action filter that lets a request through as it is or refuses it.
 *
 * <p>{@link ActionFilter} may also change requests and answers; a filter that only says no is
 * written, and tested, as the one question that it answers.
 */
public abstract class RefusingFilter implements ActionFilter {
  private final ActionOrder place;

  /** A filter at this place. */
  protected RefusingFilter(ActionOrder place) {
    this.place = place;
  }

  /**
   * Why a request is refused, or null where it goes on. Asked for every transport action, so what
   * it looks at first has to be cheap.
   *
   * @param action the transport action's name
   */
  protected abstract @Nullable Exception refusal(String action, ActionRequest request);

  @Override
  public final int order() {
    return place.order();
  }

  @Override
  public final <Request extends ActionRequest, Response extends ActionResponse> void apply(
      Task task,
      String action,
      Request request,
      ActionRequestMetadata<Request, Response> metadata,
      ActionListener<Response> listener,
      ActionFilterChain<Request, Response> chain) {
    Exception refusal = refusal(action, request);
    if (refusal == null) {
      chain.proceed(task, action, request, listener);
    } else {
      listener.onFailure(refusal);
    }
  }
}
