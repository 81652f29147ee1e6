package io.millrace.guard.breaker;

import java.io.IOException;
import java.util.Optional;
import org.opensearch.ExceptionsHelper;
import org.opensearch.Version;
import org.opensearch.core.tasks.TaskCancelledException;
import org.opensearch.core.transport.TransportResponse;
import org.opensearch.tasks.CancellableTask;
import org.opensearch.tasks.Task;
import org.opensearch.transport.TransportChannel;

/**
 * Answers for a stopped search with the reason. Stock's own checks throw "The query has been
 * cancelled" without one (AggregatorBase#checkCancelled), status 500, whatever the task was told.
 */
final class RefusalChannel implements TransportChannel {
  private final TransportChannel in;
  private final Task task;
  private final Ledger ledger;

  RefusalChannel(TransportChannel in, Task task, Ledger ledger) {
    this.in = in;
    this.task = task;
    this.ledger = ledger;
  }

  @Override
  public void sendResponse(TransportResponse response) throws IOException {
    ledger.takeRefusal(task);
    in.sendResponse(response);
  }

  @Override
  public void sendResponse(Exception exception) throws IOException {
    Exception refusal = ledger.takeRefusal(task);
    if (refusal == null
        && task instanceof CancellableTask mine
        && !mine.isCancelled()
        && ExceptionsHelper.unwrapCausesAndSuppressed(
                exception, e -> e instanceof TaskCancelledException)
            .isPresent()) {
      refusal = ledger.neighboursRefusal();
    }
    in.sendResponse(refusal == null ? exception : refusal);
  }

  @Override
  public String getProfileName() {
    return in.getProfileName();
  }

  @Override
  public String getChannelType() {
    return in.getChannelType();
  }

  @Override
  public void sendResponseBatch(TransportResponse response) {
    in.sendResponseBatch(response);
  }

  @Override
  public void sendResponseBatch(TransportResponse response, boolean sync) {
    in.sendResponseBatch(response, sync);
  }

  @Override
  public void completeStream() {
    in.completeStream();
  }

  @Override
  public boolean isCancelled() {
    return in.isCancelled();
  }

  @Override
  public Version getVersion() {
    return in.getVersion();
  }

  @Override
  public <T> Optional<T> get(String name, Class<T> clazz) {
    return in.get(name, clazz);
  }
}
