package io.millrace.guard.lanes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.action.support.ActionRequestMetadata;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.concurrency.OpenSearchRejectedExecutionException;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.tasks.Task;
import org.opensearch.threadpool.TestThreadPool;
import org.opensearch.threadpool.ThreadPool;

class TemplateFilterTest {
  private static final Task TASK =
      new Task(1, "transport", "action", "", TaskId.EMPTY_TASK_ID, Map.of());

  private static final String NETWORK = "opensearch[n][transport_worker][T#1]";
  private static final String TEMPLATE = "indices:data/read/msearch/template";

  private final List<Runnable> forked = new ArrayList<>();
  private final List<String> rendered = new ArrayList<>();
  private final List<Exception> failures = new ArrayList<>();
  private boolean on = true;
  private boolean full;

  private void ask(String thread, String action) throws InterruptedException {
    TemplateFilter filter =
        new TemplateFilter(
            () -> on,
            () ->
                work -> {
                  if (full) {
                    throw new OpenSearchRejectedExecutionException("full");
                  }
                  forked.add(work);
                });
    Thread asking =
        new Thread(
            () ->
                filter.<SearchRequest, SearchResponse>apply(
                    TASK,
                    action,
                    new SearchRequest(),
                    ActionRequestMetadata.empty(),
                    ActionListener.wrap(response -> {}, failures::add),
                    (task, name, request, listener) -> rendered.add(name)),
            thread);
    asking.start();
    asking.join();
  }

  @Test
  void templatesLeaveTheThreadsOfTheNetwork() throws Exception {
    ask(NETWORK, TEMPLATE);
    assertEquals(List.of(), rendered);
    forked.getFirst().run();
    assertEquals(List.of(TEMPLATE), rendered);
  }

  /** As the pool that the feature gives it does. */
  @Test
  void whoAsksIsKnownOnTheOtherThreadAndItsTaskStays() throws Exception {
    ThreadPool pool = new TestThreadPool("templates");
    try {
      ThreadContext context = pool.getThreadContext();
      CompletableFuture<List<Object>> seen = new CompletableFuture<>();
      TemplateFilter filter = new TemplateFilter(() -> true, pool::generic);
      Thread asking =
          new Thread(
              () -> {
                context.putHeader(Task.X_OPAQUE_ID, "dashboard");
                context.putTransient("user", "ann");
                filter.<SearchRequest, SearchResponse>apply(
                    TASK,
                    TEMPLATE,
                    new SearchRequest(),
                    ActionRequestMetadata.empty(),
                    ActionListener.wrap(response -> {}, seen::completeExceptionally),
                    (task, name, request, listener) ->
                        seen.complete(
                            List.of(
                                task,
                                context.getHeader(Task.X_OPAQUE_ID),
                                context.getTransient("user"),
                                Thread.currentThread().getName().contains("[generic]"))));
              },
              NETWORK);
      asking.start();
      assertEquals(List.of(TASK, "dashboard", "ann", true), seen.get(30, TimeUnit.SECONDS));
    } finally {
      ThreadPool.terminate(pool, 10, TimeUnit.SECONDS);
    }
  }

  @Test
  void allElseStaysWhereItIs() throws Exception {
    ask(NETWORK, "indices:data/read/search");
    ask("opensearch[n][search][T#1]", TEMPLATE);
    on = false;
    ask(NETWORK, TEMPLATE);
    assertEquals(3, rendered.size());
    assertEquals(List.of(), forked);
  }

  @Test
  void whoeverFindsNoThreadIsTold() throws Exception {
    full = true;
    ask(NETWORK, TEMPLATE);
    assertEquals(1, failures.size());
  }
}
