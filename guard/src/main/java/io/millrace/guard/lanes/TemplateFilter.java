package io.millrace.guard.lanes;

import io.millrace.kernel.slot.ActionOrder;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.support.ActionFilter;
import org.opensearch.action.support.ActionFilterChain;
import org.opensearch.action.support.ActionRequestMetadata;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.tasks.Task;
import org.opensearch.transport.Transports;

/**
 * Has templates rendered by a thread that may take long. Stock renders them where the request came
 * in, on a thread of the network that serves hundreds of connections
 * (TransportMultiSearchTemplateAction#doExecute at 3.8.0): three nested loops in each of 50
 * templates are ten seconds in which none of them is read, health among them.
 */
final class TemplateFilter implements ActionFilter {
  /** How the names of all actions end that render templates. */
  private static final String TEMPLATES = "/template";

  private final BooleanSupplier on;
  private final Supplier<Executor> threads;

  /**
   * @param threads that keep the context of who asks
   */
  TemplateFilter(BooleanSupplier on, Supplier<Executor> threads) {
    this.on = on;
    this.threads = threads;
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
    if (!action.endsWith(TEMPLATES)
        || !on.getAsBoolean()
        || !Transports.isTransportThread(Thread.currentThread())) {
      chain.proceed(task, action, request, listener);
      return;
    }
    try {
      threads
          .get()
          .execute(() -> {
            try {
              chain.proceed(task, action, request, listener);
            } catch (RuntimeException e) {
              listener.onFailure(e);
            }
          });
    } catch (RuntimeException e) {
      listener.onFailure(e);
    }
  }
}
