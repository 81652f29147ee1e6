package io.millrace.guard.breaker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.guard.heap.HeapView;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.lucene.search.TotalHits;
import org.junit.jupiter.api.Test;
import org.opensearch.action.search.MultiSearchRequest;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.action.search.ShardSearchFailure;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.tasks.TaskId;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.search.SearchHit;
import org.opensearch.search.SearchHits;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.search.internal.InternalSearchResponse;

/** Answers that are written at the same time: one begins while another is being written. */
class SiblingAnswersTest {
  private static final int LIMIT = 1 << 20;

  private final SiblingAnswers answers =
      new SiblingAnswers(RequestLimitsOf.request(LIMIT), new HeapFactor(new Allocations()), heap());
  private long survived;
  private final List<SearchResponse> written = new ArrayList<>();
  private final List<Exception> refused = new ArrayList<>();

  private HeapView heap() {
    return new HeapView() {
      @Override
      public long bytes() {
        return survived;
      }

      @Override
      public long max() {
        return 1 << 30;
      }

      @Override
      public long collectingMillis() {
        return 0;
      }
    };
  }

  private static SearchResponse answer(int bytes) {
    SearchHit hit = new SearchHit(1);
    hit.sourceRef(new BytesArray("{" + " ".repeat(bytes) + "}"));
    SearchHits hits =
        new SearchHits(new SearchHit[] {hit}, new TotalHits(1, TotalHits.Relation.EQUAL_TO), 1);
    return new SearchResponse(
        new InternalSearchResponse(hits, null, null, null, false, null, 1),
        null,
        1,
        1,
        0,
        1,
        ShardSearchFailure.EMPTY_ARRAY,
        SearchResponse.Clusters.EMPTY);
  }

  private void write(SearchResponse answer, Runnable meanwhile) {
    answers
        .child(
            TaskId.EMPTY_TASK_ID,
            ActionListener.<SearchResponse>wrap(
                response -> {
                  written.add(response);
                  meanwhile.run();
                },
                refused::add))
        .onResponse(answer);
  }

  @Test
  void thoseThatAreWrittenAtOnceCountTogether() {
    survived = Long.MAX_VALUE;
    SearchResponse large = answer(LIMIT * 3 / 4);
    write(large, () -> write(large, () -> {}));
    assertEquals(List.of(large), written);
    assertTrue(
        refused.getFirst().getMessage().contains("[millrace.guard.request_breaker.limit]"),
        refused::toString);
    assertEquals(0, answers.held());
    write(large, () -> write(answer(10), () -> {}));
    assertEquals(3, written.size());
    assertEquals(0, answers.held());
  }

  @Test
  void thoseForWhichTheHeapHasRoomAreWritten() {
    SearchResponse large = answer(LIMIT * 3 / 4);
    write(large, () -> write(large, () -> write(large, () -> {})));
    assertEquals(3, written.size());
    assertEquals(List.of(), refused);
    assertEquals(0, answers.held());
  }

  @Test
  void oneAloneIsWrittenWhateverItTakes() {
    write(answer(3 * LIMIT), () -> {});
    assertEquals(1, written.size());
    assertEquals(List.of(), refused);
    assertEquals(0, answers.held());
  }

  @Test
  void whatIsAskedCountsUntilItIsAnswered() {
    TaskId parent = new TaskId("n", 1);
    ActionListener<SearchResponse> family =
        answers.parent(parent, 2 * LIMIT, ActionListener.wrap(written::add, refused::add));
    Exception full = Objects.requireNonNull(answers.refusal(parent));
    assertTrue(full.getMessage().contains("send fewer searches"), full::getMessage);
    assertEquals(2 * LIMIT, answers.held());
    family.onFailure(full);
    assertEquals(1, refused.size());
    assertEquals(0, answers.held());
    SearchRequest search =
        new SearchRequest("i")
            .source(
                new SearchSourceBuilder()
                    .query(QueryBuilders.matchQuery("m", "w".repeat(1_000_000))));
    long asked = AskedBytes.of(new MultiSearchRequest().add(search).add(search));
    assertEquals(16_000_000, asked, 16_000);
  }

  @Test
  void whatFailsToBeWrittenIsGivenBack() {
    write(
        answer(LIMIT),
        () -> {
          throw new IllegalStateException("the client has gone");
        });
    assertEquals(0, answers.held());
  }
}
