package io.millrace.guard.breaker;

import io.millrace.kernel.settings.Switch;
import io.millrace.kernel.slot.ActionOrder;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.bulk.BulkRequest;
import org.opensearch.action.search.MultiSearchRequest;
import org.opensearch.action.search.SearchAction;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.support.ActionFilter;
import org.opensearch.action.support.ActionFilterChain;
import org.opensearch.action.support.ActionRequestMetadata;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.common.breaker.CircuitBreaker.Durability;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.tasks.CancellableTask;
import org.opensearch.tasks.Task;

/**
 * Refuses a bulk that would hold more than its share, and watches the coordinating side of every
 * search so that {@link ReduceWatch} and {@link SiblingAnswers} can stop it.
 *
 * <p>A bulk is held as its parsed requests (their sources are slices of the body) and, until the
 * last shard has answered, as what goes to the replicas: twice its size, and half a KiB of objects
 * per item. An assumption on the careful side, not a measurement.
 */
final class BulkLimit implements ActionFilter {
  private static final long PER_ITEM = 512;
  private static final int COPIES = 2;

  private final Switch enabled;
  private final Limits limits;
  private final ReduceWatch reduces;
  private final SiblingAnswers siblings;
  private final Supplier<String> node;
  private final long heap;
  final LongAdder refused = new LongAdder();

  /**
   * @param node this node's id, as the parent of a search names it
   */
  BulkLimit(
      Switch enabled,
      Limits limits,
      ReduceWatch reduces,
      SiblingAnswers siblings,
      Supplier<String> node,
      long heap) {
    this.enabled = enabled;
    this.limits = limits;
    this.reduces = reduces;
    this.siblings = siblings;
    this.node = node;
    this.heap = heap;
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
    } else if (request instanceof BulkRequest bulk) {
      long bytes = held(bulk.estimatedSizeInBytes(), bulk.numberOfActions());
      if (bytes > limits.request()) {
        refused.increment();
        listener.onFailure(tooLarge(bulk.numberOfActions(), bulk.estimatedSizeInBytes(), bytes));
      } else {
        chain.proceed(task, action, request, listener);
      }
    } else if (action.equals(SearchAction.NAME) && task instanceof CancellableTask search) {
      SearchSourceBuilder source = request instanceof SearchRequest r ? r.source() : null;
      TaskId parent = task.getParentTaskId();
      CircuitBreakingException full = siblings.refusal(parent);
      if (full == null) {
        ActionListener<Response> counted = siblings.child(parent, listener);
        chain.proceed(task, action, request, reduces.watch(search, source, counted));
      } else {
        listener.onFailure(full);
      }
    } else if (request instanceof MultiSearchRequest && task != null) {
      TaskId parent = new TaskId(node.get(), task.getId());
      chain.proceed(task, action, request, siblings.parent(parent, listener));
    } else {
      chain.proceed(task, action, request, listener);
    }
  }

  /** What a bulk holds until it is answered, bytes. */
  static long held(long estimatedSize, int items) {
    return COPIES * estimatedSize + PER_ITEM * items;
  }

  private CircuitBreakingException tooLarge(int items, long size, long bytes) {
    return new CircuitBreakingException(
        "[request] a bulk of ["
            + items
            + "] items and ["
            + new org.opensearch.core.common.unit.ByteSizeValue(size)
            + "] holds about "
            + HeapShare.of(bytes, heap)
            + " until it is answered, more than the "
            + HeapShare.of(limits.request(), heap)
            + " one request may hold ["
            + limits.requestKey()
            + "]; send smaller bulks, or raise the limit",
        bytes,
        limits.request(),
        Durability.PERMANENT);
  }
}
