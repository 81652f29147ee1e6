package io.millrace.guard.transport;

import io.millrace.kernel.channel.PassingTransportChannel;
import java.io.IOException;
import org.opensearch.ExceptionsHelper;
import org.opensearch.core.tasks.TaskCancelledException;
import org.opensearch.core.transport.TransportResponse;
import org.opensearch.tasks.CancellableTask;
import org.opensearch.tasks.Task;
import org.opensearch.transport.TransportChannel;

/**
 * Answers for a stopped search with the reason. Stock's own checks throw "The query has been
 * cancelled" without one (AggregatorBase#checkCancelled), status 500, whatever the task was told.
 */
final class RefusalChannel extends PassingTransportChannel {
  private final Task task;
  private final Refusals refusals;

  RefusalChannel(TransportChannel in, Task task, Refusals refusals) {
    super(in);
    this.task = task;
    this.refusals = refusals;
  }

  @Override
  public void sendResponse(TransportResponse response) throws IOException {
    refusals.take(task);
    super.sendResponse(response);
  }

  @Override
  public void sendResponse(Exception exception) throws IOException {
    Exception refusal = refusals.take(task);
    if (refusal == null
        && task instanceof CancellableTask mine
        && !mine.isCancelled()
        && ExceptionsHelper.unwrapCausesAndSuppressed(
                exception, e -> e instanceof TaskCancelledException)
            .isPresent()) {
      refusal = refusals.neighbours();
    }
    super.sendResponse(refusal == null ? RequestFaults.told(exception) : refusal);
  }
}
