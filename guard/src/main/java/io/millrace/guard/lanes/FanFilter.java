package io.millrace.guard.lanes;

import io.millrace.kernel.slot.RewritingFilter;
import java.util.function.IntSupplier;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.search.MultiSearchRequest;

/**
 * Bounds how many searches of one request run at once, whatever the request asks for: {@code
 * max_concurrent_group_searches: 1000} sends a thousand light searches to the pool in one moment,
 * which fills its queue, and everybody else's searches are rejected. All of them are made; they
 * only take turns.
 *
 * <p>Collapsed groups, templates and rank evaluation are made of such requests as well.
 */
final class FanFilter extends RewritingFilter {
  private final IntSupplier most;

  /**
   * @param most searches of one request at once; 0 for as many as it asks for
   */
  FanFilter(IntSupplier most) {
    this.most = most;
  }

  @Override
  protected void rewrite(String action, ActionRequest request) {
    int allowed = most.getAsInt();
    if (allowed > 0
        && request instanceof MultiSearchRequest several
        && several.maxConcurrentSearchRequests() > allowed) {
      several.maxConcurrentSearchRequests(allowed);
    }
  }
}
