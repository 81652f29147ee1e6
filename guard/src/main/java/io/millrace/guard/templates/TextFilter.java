package io.millrace.guard.templates;

import io.millrace.kernel.slot.ActionOrder;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.ActionRequestValidationException;
import org.opensearch.action.bulk.BulkAction;
import org.opensearch.action.ingest.SimulatePipelineAction;
import org.opensearch.action.support.ActionFilter;
import org.opensearch.action.support.ActionFilterChain;
import org.opensearch.action.support.ActionRequestMetadata;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.tasks.Task;

/**
 * Opens an account for requests that keep the texts of several templates until they are answered.
 * It travels in the context of their threads.
 */
final class TextFilter implements ActionFilter {
  private static final String KEY = "millrace-rendered-text";

  /** How the names of all actions end that render templates. */
  private static final String TEMPLATES = "/template";

  private static final Set<String> OTHERS =
      Set.of(BulkAction.NAME, SimulatePipelineAction.NAME, "indices:data/read/rank_eval");

  private final BooleanSupplier on;
  private final TextLedger ledger;
  private final Supplier<@Nullable ThreadContext> context;

  TextFilter(BooleanSupplier on, TextLedger ledger, Supplier<@Nullable ThreadContext> context) {
    this.on = on;
    this.ledger = ledger;
    this.context = context;
  }

  /** The account of the request for which the calling thread works. */
  static @Nullable RenderedText ofThread(ThreadContext context) {
    return context.getTransient(KEY);
  }

  /**
   * Where all templates of a request were stopped, stock goes on with a request of no searches, and
   * its client is told "no requests added".
   */
  private static <T> ActionListener<T> telling(ActionListener<T> listener, RenderedText account) {
    return ActionListener.delegateResponse(
        listener,
        (asked, e) -> {
          RuntimeException refusal = account.refusal();
          asked.onFailure(
              refusal != null && e instanceof ActionRequestValidationException ? refusal : e);
        });
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
    ThreadContext threads = context.get();
    if (threads == null
        || !(action.endsWith(TEMPLATES) || OTHERS.contains(action))
        || !on.getAsBoolean()
        || ofThread(threads) != null) {
      chain.proceed(task, action, request, listener);
      return;
    }
    RenderedText account = ledger.open();
    try (ThreadContext.StoredContext ignored = threads.newStoredContext(true)) {
      threads.putTransient(KEY, account);
      chain.proceed(
          task,
          action,
          request,
          ActionListener.runAfter(telling(listener, account), account::close));
    } catch (RuntimeException e) {
      account.close();
      throw e;
    }
  }
}
