package io.millrace.write.lenientparsing;

import io.millrace.kernel.slot.ActionOrder;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.opensearch.ExceptionsHelper;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.admin.indices.mapping.put.AutoPutMappingAction;
import org.opensearch.action.admin.indices.mapping.put.PutMappingRequest;
import org.opensearch.action.support.ActionFilter;
import org.opensearch.action.support.ActionFilterChain;
import org.opensearch.action.support.ActionRequestMetadata;
import org.opensearch.action.support.clustermanager.AcknowledgedResponse;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.index.Index;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.tasks.Task;

/**
 * Lets a document go on whose mapping update the cluster manager refused.
 *
 * <p>A primary asks its own mapping first, but two primaries may add the same field with different
 * types, or the last allowed one, at the same time; the manager then refuses the later update, and
 * stock fails the document (TransportShardBulkAction#executeBulkItemRequest). Here the primary is
 * told to go on: it waits for the next cluster state, which holds the earlier update, parses again
 * and finds the conflict in its own mapping.
 */
final class RefusedUpdates implements ActionFilter {
  private static final Logger LOG = LogManager.getLogger(RefusedUpdates.class);

  private final Predicate<Index> lenient;
  private final LongAdder refused = new LongAdder();

  RefusedUpdates(Predicate<Index> lenient) {
    this.lenient = lenient;
  }

  long count() {
    return refused.sum();
  }

  @Override
  public int order() {
    return ActionOrder.VALIDATE.order();
  }

  @Override
  public <Request extends ActionRequest, Response extends ActionResponse> void apply(
      Task task,
      String action,
      Request request,
      ActionRequestMetadata<Request, Response> metadata,
      ActionListener<Response> listener,
      ActionFilterChain<Request, Response> chain) {
    boolean watched =
        action.equals(AutoPutMappingAction.NAME)
            && request instanceof PutMappingRequest put
            && put.getConcreteIndex() != null
            && lenient.test(put.getConcreteIndex());
    chain.proceed(
        task, action, request, watched ? goingOn((PutMappingRequest) request, listener) : listener);
  }

  @SuppressWarnings("unchecked")
  private <Response extends ActionResponse> ActionListener<Response> goingOn(
      PutMappingRequest put, ActionListener<Response> listener) {
    return ActionListener.wrap(
        listener::onResponse,
        failure -> {
          if (ExceptionsHelper.status(failure) != RestStatus.BAD_REQUEST) {
            listener.onFailure(failure);
            return;
          }
          refused.increment();
          LOG.debug("mapping update of {} was refused", put.getConcreteIndex(), failure);
          listener.onResponse((Response) new AcknowledgedResponse(true));
        });
  }
}
