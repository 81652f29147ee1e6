package io.millrace.search.deadline;

import io.millrace.kernel.settings.Knob;
import io.millrace.kernel.settings.Switch;
import io.millrace.kernel.slot.ActionOrder;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.search.SearchAction;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.support.ActionFilter;
import org.opensearch.action.support.ActionFilterChain;
import org.opensearch.action.support.ActionRequestMetadata;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.search.SearchService;
import org.opensearch.tasks.CancellableTask;
import org.opensearch.tasks.Task;

/**
 * Gives every search with a {@code timeout} that this node coordinates its {@link Deadline}, and
 * stops it where even the grace after it is over.
 */
final class TimedSearches implements ActionFilter {
  final LongAdder cut = new LongAdder();
  final LongAdder stopped = new LongAdder();

  private final Switch enabled;
  private final Deadlines deadlines;
  private final Knob<TimeValue> grace;
  private volatile @Nullable Coordination node;

  TimedSearches(Switch enabled, Deadlines deadlines, Knob<TimeValue> grace) {
    this.enabled = enabled;
    this.deadlines = deadlines;
    this.grace = grace;
  }

  void start(Coordination services) {
    node = services;
  }

  /** Last: what other filters see of an answer is without the hits that were not read. */
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
    Coordination ready = node;
    if (ready == null
        || !enabled.on()
        || !action.equals(SearchAction.NAME)
        || !(request instanceof SearchRequest search)
        || !(task instanceof CancellableTask cancellable)) {
      chain.proceed(task, action, request, listener);
      return;
    }
    TimeValue timeout = ready.timeout(search);
    // as in stock a scroll has none
    if (timeout.equals(SearchService.NO_TIMEOUT) || search.scroll() != null) {
      chain.proceed(task, action, request, listener);
      return;
    }
    Deadline deadline = Deadline.of(timeout.millis(), task.getId(), ready.unread(search));
    TimedAnswer<Response> answer =
        new TimedAnswer<>(listener, deadline, grace.value(), this, deadlines);
    deadlines.begin(deadline);
    answer.net(ready.stopLater(cancellable, timeout, grace.value(), answer));
    chain.proceed(task, action, request, answer);
  }
}
