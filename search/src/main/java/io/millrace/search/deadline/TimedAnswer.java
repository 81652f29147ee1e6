package io.millrace.search.deadline;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.tasks.TaskCancelledException;
import org.opensearch.threadpool.Scheduler.Cancellable;

/**
 * The one answer to a search with a deadline: without hits that were not read, and with a reason.
 * What stock answers after {@link #giveUp} is dropped.
 */
final class TimedAnswer<T extends ActionResponse> implements ActionListener<T>, Runnable {
  private final ActionListener<T> in;
  private final Deadline deadline;
  private final TimeValue grace;
  private final TimedSearches searches;
  private final Deadlines deadlines;
  private final AtomicBoolean ended = new AtomicBoolean();
  private volatile boolean stopped;
  private volatile @Nullable Cancellable net;

  TimedAnswer(
      ActionListener<T> in,
      Deadline deadline,
      TimeValue grace,
      TimedSearches searches,
      Deadlines deadlines) {
    this.in = in;
    this.deadline = deadline;
    this.grace = grace;
    this.searches = searches;
    this.deadlines = deadlines;
  }

  /** What stops the search when it is not answered. */
  void net(Cancellable scheduled) {
    net = scheduled;
    if (ended.get()) {
      scheduled.cancel();
    }
  }

  /** The search is about to be stopped. */
  @Override
  public void run() {
    if (!ended.get()) {
      stopped = true;
      searches.stopped.increment();
    }
  }

  /** Why it is stopped. */
  String reason() {
    return "the search was stopped ["
        + grace
        + "] after the end of its [timeout] of ["
        + deadline.timeout()
        + "ms]";
  }

  /** The search was stopped, and does something that does not see it. */
  void giveUp() {
    if (end()) {
      in.onFailure(withReason(new TaskCancelledException(reason())));
    }
  }

  /** Whether this answer is the first. */
  private boolean end() {
    if (!ended.compareAndSet(false, true)) {
      return false;
    }
    deadlines.end(deadline);
    Cancellable scheduled = net;
    if (scheduled != null) {
      scheduled.cancel();
    }
    return true;
  }

  @Override
  public void onResponse(T response) {
    if (end()) {
      in.onResponse(partial(response));
    }
  }

  @SuppressWarnings("unchecked") // the answer to a search is a SearchResponse
  private T partial(T response) {
    if (response instanceof SearchResponse answer && (stopped || UnreadHits.count(answer) > 0)) {
      searches.cut.increment();
      return (T) UnreadHits.timedOut(answer);
    }
    return response;
  }

  @Override
  public void onFailure(Exception e) {
    if (end()) {
      in.onFailure(stopped ? withReason(e) : e);
    }
  }

  private Exception withReason(Exception e) {
    return new OpenSearchStatusException(
        reason()
            + ", while it did work that has no partial answer; ask for less, allow it more time, or"
            + " raise [millrace.search.deadline.grace]",
        RestStatus.GATEWAY_TIMEOUT,
        e);
  }
}
