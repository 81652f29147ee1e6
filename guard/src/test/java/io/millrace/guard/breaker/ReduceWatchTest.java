package io.millrace.guard.breaker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.guard.heap.LiveHeap;
import io.millrace.kernel.Feature;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TotalHits;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.opensearch.action.OriginalIndices;
import org.opensearch.action.search.QueryPhaseResultConsumer;
import org.opensearch.action.search.SearchAction;
import org.opensearch.action.search.SearchPhaseController;
import org.opensearch.action.search.SearchProgressListener;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.search.SearchTask;
import org.opensearch.common.io.stream.BytesStreamOutput;
import org.opensearch.common.io.stream.DelayableWriteable;
import org.opensearch.common.lucene.search.TopDocsAndMaxScore;
import org.opensearch.common.util.BigArrays;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.core.common.breaker.NoopCircuitBreaker;
import org.opensearch.core.common.io.stream.NamedWriteableAwareStreamInput;
import org.opensearch.core.common.io.stream.NamedWriteableRegistry;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.core.transport.TransportResponse;
import org.opensearch.search.DocValueFormat;
import org.opensearch.search.SearchShardTarget;
import org.opensearch.search.aggregations.AggregationBuilders;
import org.opensearch.search.aggregations.InternalAggregation;
import org.opensearch.search.aggregations.InternalAggregation.ReduceContext;
import org.opensearch.search.aggregations.InternalAggregations;
import org.opensearch.search.aggregations.metrics.InternalMax;
import org.opensearch.search.aggregations.pipeline.PipelineAggregator.PipelineTree;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.search.internal.AliasFilter;
import org.opensearch.search.internal.ShardSearchContextId;
import org.opensearch.search.internal.ShardSearchRequest;
import org.opensearch.search.query.QuerySearchResult;
import org.opensearch.transport.Transport;
import org.opensearch.transport.TransportException;
import org.opensearch.transport.TransportInterceptor.AsyncSender;
import org.opensearch.transport.TransportRequest;
import org.opensearch.transport.TransportRequestOptions;
import org.opensearch.transport.TransportResponseHandler;

/** Answers as they come from other nodes, reduced by stock's own consumer. */
class ReduceWatchTest {
  private static final long LIMIT = 10_000_000;
  private static final int ANSWER = 50_000;
  private static final NamedWriteableRegistry REGISTRY =
      new NamedWriteableRegistry(
          List.of(
              new NamedWriteableRegistry.Entry(InternalAggregation.class, "max", InternalMax::new),
              new NamedWriteableRegistry.Entry(
                  DocValueFormat.class,
                  DocValueFormat.RAW.getWriteableName(),
                  in -> DocValueFormat.RAW)));

  private final SearchTask task =
      new SearchTask(7, "t", SearchAction.NAME, () -> "d", TaskId.EMPTY_TASK_ID, Map.of());
  private final List<Exception> failures = new ArrayList<>();
  private final ReduceWatch watch;

  ReduceWatchTest() {
    RequestLimits limits = RequestLimitsOf.request(LIMIT);
    LiveHeap heap = new LiveHeap();
    Allocations allocations = new Allocations();
    SearchLedger ledger =
        new SearchLedger(limits, heap, allocations, new AfterRefusal(limits, heap.max()));
    watch =
        new ReduceWatch(
            Feature.switchFor(RequestBreakerFeature.ID, true),
            ledger,
            new HeapFactor(allocations),
            () -> 65_535);
  }

  /**
   * A search of so many shards elsewhere; {@code name} gives each answer's aggregation its name.
   */
  private long search(int shards, int batch, IntFunction<String> name) throws Exception {
    SearchRequest request =
        new SearchRequest("i")
            .source(
                new SearchSourceBuilder()
                    .size(0)
                    .aggregation(AggregationBuilders.max("m").field("f")));
    request.setBatchedReduceSize(batch);
    request.allowPartialSearchResults(true);
    ActionListener<String> listener =
        watch.watch(
            task,
            request.source(),
            ReduceWatch.gaps(request.source()),
            ActionListener.wrap(r -> {}, failures::add));
    long most = 0;
    try (QueryPhaseResultConsumer consumer =
        new QueryPhaseResultConsumer(
            request,
            Runnable::run,
            new NoopCircuitBreaker("request"),
            new SearchPhaseController(REGISTRY, source -> REDUCES),
            task.getProgressListener(),
            REGISTRY,
            shards,
            failures::add)) {
      for (int i = 0; i < shards && !task.isCancelled(); i++) {
        answered(request, consumer, i, name.apply(i));
        most = Math.max(most, watch.gathered());
      }
      if (task.isCancelled()) {
        listener.onFailure(new IllegalStateException("cancelled"));
      } else {
        consumer.reduce();
        assertEquals(1, watch.coordinating());
        if (task.getProgressListener() instanceof Gathering) {
          assertEquals(0, watch.gathered(), "nothing waits after the last reduce");
        }
        listener.onResponse("done");
      }
    }
    assertEquals(0, watch.coordinating());
    assertEquals(0, watch.gathered());
    return most;
  }

  private void answered(
      SearchRequest request, QueryPhaseResultConsumer consumer, int index, String name)
      throws IOException {
    ShardId shard = new ShardId("i", "u", index);
    ShardSearchRequest ask =
        new ShardSearchRequest(
            OriginalIndices.NONE,
            request,
            shard,
            1000,
            AliasFilter.EMPTY,
            1,
            0,
            null,
            new String[0]);
    ask.setParentTask("node", task.getId());
    Sent sent = new Sent();
    watch
        .interceptSender(sent)
        .sendRequest(
            null,
            SearchAction.NAME,
            ask,
            TransportRequestOptions.EMPTY,
            new Handler(result -> {
              // as SearchActionListener does, and only then
              result.setShardIndex(index);
              result.setSearchShardTarget(
                  new SearchShardTarget("node", shard, null, OriginalIndices.NONE));
              consumer.consumeResult(result, () -> {});
            }));
    sent.answer(answer(name));
  }

  private static QuerySearchResult answer(String name) throws IOException {
    QuerySearchResult made = new QuerySearchResult(new ShardSearchContextId("s", 1), null, null);
    TopDocs none = new TopDocs(new TotalHits(0, TotalHits.Relation.EQUAL_TO), new ScoreDoc[0]);
    made.topDocs(new TopDocsAndMaxScore(none, Float.NaN), new DocValueFormat[0]);
    made.aggregations(
        InternalAggregations.from(
            List.of(
                new InternalMax(
                    name, 1, DocValueFormat.RAW, new HashMap<>(Map.of("m", "x".repeat(ANSWER)))))));
    try (BytesStreamOutput out = new BytesStreamOutput()) {
      made.writeTo(out);
      try (StreamInput in =
          new NamedWriteableAwareStreamInput(out.bytes().streamInput(), REGISTRY)) {
        return new QuerySearchResult(in);
      }
    }
  }

  @Test
  void answersThatWereReducedCountNoMore() throws Exception {
    long most = search(1000, 20, i -> "m");
    assertFalse(task.isCancelled(), "200 MB of answers, 4 MB at a time");
    assertEquals(List.of(), failures);
    assertEquals(0, watch.refused.sum());
    // those of a batch, each as bytes and as objects, and what is left of the ones before
    assertTrue(most > 20L * 4 * ANSWER && most < 23L * 4 * ANSWER, "most " + most);
  }

  @Test
  void aBatchThatIsTooLargeIsStoppedAndALowerOneIsTheRemedy() throws Exception {
    search(1000, 512, i -> "m");
    assertTrue(task.isCancelled());
    assertEquals(1, watch.refused.sum());
    CircuitBreakingException e =
        assertInstanceOf(CircuitBreakingException.class, failures.getFirst());
    assertTrue(e.getMessage().contains("lower batched_reduce_size"), e.getMessage());
    assertTrue(e.getBytesWanted() > LIMIT && e.getBytesWanted() < LIMIT + 5 * ANSWER);
  }

  @Test
  void whatReducesLeaveCounts() throws Exception {
    // every shard brings another aggregation, so reducing saves nothing
    search(1000, 5, i -> "m" + i);
    assertTrue(task.isCancelled());
    assertEquals(1, watch.refused.sum());
    assertInstanceOf(CircuitBreakingException.class, failures.getLast());
  }

  @Test
  void anotherPluginsListenerStaysAndAnswersCountUntilTheEnd() throws Exception {
    SearchProgressListener other = new SearchProgressListener() {};
    task.setProgressListener(other);
    search(20, 5, i -> "m");
    assertEquals(other, task.getProgressListener());
    assertFalse(task.isCancelled());
    search(1000, 5, i -> "m");
    assertTrue(task.isCancelled());
  }

  @Test
  void hitsThatAReduceDropsCountNoMore() {
    Gathering search = new Gathering(task, 15, null, new HeapFactor(new Allocations()), g -> {});
    TotalHits total = new TotalHits(0, TotalHits.Relation.EQUAL_TO);
    List<org.opensearch.action.search.SearchShard> shards = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      var shard = new org.opensearch.action.search.SearchShard(null, new ShardId("i", "u", i));
      shards.add(shard);
      search.received(shard, new Gathering.Answer(0, 10, 48));
    }
    assertEquals(40 * 48, search.bytes());
    search.onPartialReduce(shards.subList(0, 1), total, null, 1);
    assertEquals(40 * 48, search.bytes());
    search.onPartialReduce(shards.subList(0, 3), total, null, 2);
    assertEquals((15 + 10) * 48, search.bytes());
    search.onFinalReduce(shards, total, null, 3);
    assertEquals(0, search.bytes());
  }

  @Test
  void onlyMiddlingAnswersAreReadBack() {
    int[] read = new int[1];
    HeapFactor factor = new HeapFactor(new Allocations());
    for (int size : new int[] {40 << 10, 1 << 20, 2 << 20}) {
      for (int i = 0; i < 64; i++) {
        factor.of(serialized(size, read));
      }
      assertEquals(0, read[0], "read back at " + size);
    }
    for (int i = 0; i < 64; i++) {
      factor.of(serialized(1000 << 10, read));
    }
    assertEquals(2, read[0]);
  }

  private static final byte[] ZEROS = new byte[2 << 20];

  private static DelayableWriteable.Serialized<?> serialized(int size, int[] read) {
    Writeable blob = out -> out.writeBytes(ZEROS, 0, size);
    return DelayableWriteable.referencing(blob)
        .asSerialized(
            in -> {
              read[0]++;
              return blob;
            },
            REGISTRY);
  }

  private static final InternalAggregation.ReduceContextBuilder REDUCES =
      new InternalAggregation.ReduceContextBuilder() {
        @Override
        public ReduceContext forPartialReduction() {
          return ReduceContext.forPartialReduction(
              BigArrays.NON_RECYCLING_INSTANCE, null, () -> PipelineTree.EMPTY);
        }

        @Override
        public ReduceContext forFinalReduction() {
          return ReduceContext.forFinalReduction(
              BigArrays.NON_RECYCLING_INSTANCE, null, buckets -> {}, PipelineTree.EMPTY);
        }
      };

  /** Keeps the handler that would go over the wire. */
  private static final class Sent implements AsyncSender {
    private @Nullable TransportResponseHandler<?> handler;

    @Override
    public <T extends TransportResponse> void sendRequest(
        Transport.Connection connection,
        String action,
        TransportRequest request,
        TransportRequestOptions options,
        TransportResponseHandler<T> handler) {
      this.handler = handler;
    }

    @SuppressWarnings("unchecked")
    void answer(QuerySearchResult result) {
      assertTrue(handler != null);
      ((TransportResponseHandler<QuerySearchResult>) handler).handleResponse(result);
    }
  }

  private record Handler(java.util.function.Consumer<QuerySearchResult> then)
      implements TransportResponseHandler<QuerySearchResult> {
    @Override
    public QuerySearchResult read(StreamInput in) throws IOException {
      return new QuerySearchResult(in);
    }

    @Override
    public void handleResponse(QuerySearchResult response) {
      then.accept(response);
    }

    @Override
    public void handleException(TransportException e) {
      throw new AssertionError(e);
    }

    @Override
    public String executor() {
      return "same";
    }
  }
}
