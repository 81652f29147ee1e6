package io.millrace.guard.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.lucene.search.IndexSearcher;
import org.junit.jupiter.api.Test;
import org.opensearch.ExceptionsHelper;
import org.opensearch.OpenSearchException;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.search.aggregations.AggregationExecutionException;

class RequestFaultsTest {
  private static void isTheRequests(Exception failure, String remedy) {
    Exception told = RequestFaults.told(failure);
    assertEquals(RestStatus.BAD_REQUEST, ExceptionsHelper.status(told));
    assertTrue(told.getMessage().contains(remedy), told.getMessage());
    assertSame(failure, told.getCause());
  }

  @Test
  void tooManyTermsOfAPattern() {
    for (RuntimeException failure :
        new RuntimeException[] {
          new RuntimeException(
              "[trace_id:*1* ] exceeds maxClauseCount [ Boolean maxClauseCount is set to 1024]"),
          new IllegalStateException("Automaton [*] expanded to too many terms (limit 128)")
        }) {
      isTheRequests(failure, "fewer terms match");
      isTheRequests(new IllegalStateException(failure), "fewer terms match");
    }
  }

  @Test
  void aMessageThatQuotesWhatTheClientSentIsNoFault() {
    String quoted = "failed to search for [expanded to too many terms, exceeds maxClauseCount]";
    for (Exception other :
        new Exception[] {
          new OpenSearchException(quoted), new UncheckedIOException(new IOException(quoted))
        }) {
      assertSame(other, RequestFaults.told(other));
    }
  }

  @Test
  void tooManyClauses() {
    isTheRequests(new IndexSearcher.TooManyNestedClauses(), "fewer clauses");
  }

  @Test
  void positionsThatAFieldDoesNotHave() {
    isTheRequests(
        new IllegalStateException(
            "field \"host\" was indexed without position data; cannot run SpanTermQuery"),
        "index_options");
  }

  @Test
  void aSamplerOfNothing() {
    isTheRequests(
        new AggregationExecutionException(
            "Sampler aggregation must be used with child aggregations."),
        "sub-aggregations");
  }

  @Test
  void anythingElseStaysWhatItIs() {
    for (Exception other :
        new Exception[] {
          new IllegalStateException("the shard is broken"),
          new RuntimeException((String) null),
          new IllegalArgumentException("exceeds maxClauseCount, and is told as 400 already")
        }) {
      assertSame(other, RequestFaults.told(other));
    }
  }
}
