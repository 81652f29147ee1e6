package io.millrace.pipelines.intake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.ActionType;
import org.opensearch.action.DocWriteRequest;
import org.opensearch.action.bulk.BulkItemResponse;
import org.opensearch.action.bulk.BulkRequest;
import org.opensearch.action.bulk.BulkResponse;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.action.index.IndexResponse;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.concurrency.OpenSearchRejectedExecutionException;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.index.engine.VersionConflictEngineException;
import org.opensearch.test.client.NoOpClient;
import org.opensearch.threadpool.TestThreadPool;
import org.opensearch.threadpool.ThreadPool;

/** What is sent again and what is not, against a client whose answers are scripted. */
class AcknowledgedWriteTest {
  private static final ShardId SHARD = new ShardId("i", "u", 0);

  private final ThreadPool threads = new TestThreadPool("acknowledged-write");
  private final Script client = new Script(threads);

  @AfterEach
  void stop() {
    assertTrue(ThreadPool.terminate(threads, 60, TimeUnit.SECONDS));
  }

  /** Answers each document of a bulk as told, and counts how often it came. */
  private static final class Script extends NoOpClient {
    private final Map<String, Integer> came = new TreeMap<>();
    private final List<Integer> bulks = new ArrayList<>();
    private int wholeRefusals;
    private int refusalsOfOdd;
    private boolean mapping;

    Script(ThreadPool threads) {
      super(threads);
    }

    @Override
    @SuppressWarnings("unchecked")
    protected synchronized <Request extends ActionRequest, Response extends ActionResponse>
        void doExecute(
            ActionType<Response> action, Request request, ActionListener<Response> listener) {
      BulkRequest bulk = (BulkRequest) request;
      if (wholeRefusals-- > 0) {
        listener.onFailure(new OpenSearchRejectedExecutionException("no room", false));
        return;
      }
      bulks.add(bulk.numberOfActions());
      BulkItemResponse[] items = new BulkItemResponse[bulk.numberOfActions()];
      boolean refuse = refusalsOfOdd-- > 0;
      for (int i = 0; i < items.length; i++) {
        String id = bulk.requests().get(i).id();
        int times = came.merge(id, 1, Integer::sum);
        boolean odd = Integer.parseInt(id) % 2 == 1;
        Exception failure =
            odd && refuse
                ? new OpenSearchRejectedExecutionException("no room", false)
                : id.equals("4")
                    ? new VersionConflictEngineException(SHARD, id, "there")
                    : id.equals("6") && mapping ? new IllegalArgumentException("no date") : null;
        assertTrue(times < 100);
        items[i] =
            failure == null
                ? new BulkItemResponse(
                    i, DocWriteRequest.OpType.CREATE, new IndexResponse(SHARD, id, 1, 1, 1, true))
                : new BulkItemResponse(
                    i,
                    DocWriteRequest.OpType.CREATE,
                    new BulkItemResponse.Failure("i", id, failure));
      }
      listener.onResponse((Response) new BulkResponse(items, 1));
    }
  }

  private IntakeOutcome write(int documents, int size, TimeValue retryWithin) throws Exception {
    Iterator<IndexRequest> each =
        IntStream.range(0, documents)
            .mapToObj(n ->
                new IndexRequest("i")
                    .id("" + n)
                    .source("{\"a\":\"" + "x".repeat(size) + "\"}", XContentType.JSON))
            .iterator();
    CompletableFuture<IntakeOutcome> outcome = new CompletableFuture<>();
    AcknowledgedWrite.start(
        client, threads, () -> each.hasNext() ? each.next() : null, retryWithin, outcome::complete);
    return outcome.get(60, TimeUnit.SECONDS);
  }

  @Test
  void onlyWhatMetNoRoomIsSentAgain() throws Exception {
    client.refusalsOfOdd = 2;
    client.mapping = true;
    IntakeOutcome outcome = write(10, 1, TimeValue.timeValueMinutes(5));
    assertEquals(new IntakeOutcome(8, 1, 1, "no date", null), outcome);
    assertEquals(List.of(10, 5, 5), client.bulks);
    client.came.forEach(
        (id, times) -> assertEquals(Integer.parseInt(id) % 2 == 1 ? 3 : 1, times, id));
  }

  @Test
  void aBulkThatIsRefusedAsAWholeIsSentAgain() throws Exception {
    client.wholeRefusals = 2;
    assertEquals(new IntakeOutcome(2, 0, 0, "", null), write(2, 1, TimeValue.timeValueMinutes(5)));
  }

  @Test
  void whereNoRoomComesTheClientIsToldToSendAgain() throws Exception {
    client.refusalsOfOdd = Integer.MAX_VALUE;
    IntakeOutcome outcome = write(3, 1, TimeValue.ZERO);
    IntakeOutcome.Failure failure = outcome.failure();
    assertNotNull(failure);
    assertTrue(failure.passing());
    assertEquals(2, outcome.written());
  }

  @Test
  void documentsGoInPiecesAndNothingIsAnEmptySuccess() throws Exception {
    IntakeOutcome outcome = write(9, 1 << 20, TimeValue.ZERO);
    assertNull(outcome.failure());
    assertEquals(8, outcome.written());
    assertEquals(List.of(4, 4, 1), client.bulks);
    assertEquals(new IntakeOutcome(0, 0, 0, "", null), write(0, 1, TimeValue.ZERO));
  }
}
