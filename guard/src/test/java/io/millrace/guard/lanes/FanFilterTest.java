package io.millrace.guard.lanes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.search.MultiSearchAction;
import org.opensearch.action.search.MultiSearchRequest;
import org.opensearch.action.search.MultiSearchResponse;
import org.opensearch.action.support.ActionRequestMetadata;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.tasks.Task;

class FanFilterTest {
  private static final Task TASK =
      new Task(1, "transport", "action", "", TaskId.EMPTY_TASK_ID, Map.of());

  private final AtomicInteger most = new AtomicInteger(8);
  private final List<ActionRequest> passed = new ArrayList<>();

  private int asked(MultiSearchRequest request) {
    new FanFilter(most::get)
        .<MultiSearchRequest, MultiSearchResponse>apply(
            TASK,
            MultiSearchAction.NAME,
            request,
            ActionRequestMetadata.empty(),
            ActionListener.wrap(response -> {}, failure -> {}),
            (task, action, given, listener) -> passed.add(given));
    assertEquals(List.of(request), passed);
    passed.clear();
    return request.maxConcurrentSearchRequests();
  }

  @Test
  void searchesOfOneRequestTakeTurns() {
    assertEquals(8, asked(new MultiSearchRequest().maxConcurrentSearchRequests(1_000)));
    assertEquals(3, asked(new MultiSearchRequest().maxConcurrentSearchRequests(3)));
    assertEquals(0, asked(new MultiSearchRequest())); // as many as stock thinks right
  }

  @Test
  void switchedOffTheyRunAsTheyAskFor() {
    most.set(0);
    assertEquals(1_000, asked(new MultiSearchRequest().maxConcurrentSearchRequests(1_000)));
  }
}
