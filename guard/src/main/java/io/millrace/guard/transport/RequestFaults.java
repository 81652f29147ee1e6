package io.millrace.guard.transport;

import java.util.List;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.util.automaton.TooComplexToDeterminizeException;
import org.jspecify.annotations.Nullable;
import org.opensearch.ExceptionsHelper;
import org.opensearch.search.aggregations.AggregationExecutionException;

/**
 * Failures of searches on shards that are the request's fault, and that stock answers with 500: too
 * many clauses, a pattern that is too complex, a query for positions that a field does not have.
 * Their clients are told 400 and what to change.
 *
 * <p>Known by their class, and by a part of the message where Lucene and OpenSearch throw that
 * class for other reasons too. Any other failure stays what it is.
 */
final class RequestFaults {
  private static final int CAUSES = 10;

  private static final String FEWER_TERMS =
      "write a pattern that fewer terms match, or raise [indices.query.bool.max_clause_count] where"
          + " the limit is that of clauses";

  /**
   * A failure that says by its message alone what it is.
   *
   * @param thrown its class, no class below it: a message may quote what the client has sent
   */
  private record Fault(Class<? extends RuntimeException> thrown, String message, String remedy) {
    boolean is(Throwable cause) {
      return cause.getClass() == thrown
          && cause.getMessage() != null
          && cause.getMessage().contains(message);
    }
  }

  private static final List<Fault> FAULTS =
      List.of(
          // SpanBooleanQueryRewriteWithMaxClause at 3.8.0
          new Fault(RuntimeException.class, "exceeds maxClauseCount", FEWER_TERMS),
          // Lucene's MultiTermIntervalsSource
          new Fault(IllegalStateException.class, "expanded to too many terms", FEWER_TERMS),
          // MatchQuery at 3.8.0; Lucene's PhraseQuery and span queries
          new Fault(
              IllegalStateException.class,
              "was indexed without position data",
              "ask a field of type [text] whose [index_options] are [positions]"),
          // SamplerAggregator at 3.8.0
          new Fault(
              AggregationExecutionException.class,
              "Sampler aggregation must be used with child aggregations",
              "give the [sampler] sub-aggregations"));

  private RequestFaults() {}

  /** The failure as its client should be told. */
  static Exception told(Exception failure) {
    Throwable cause = failure;
    for (int i = 0; i < CAUSES && cause != null; i++) {
      String remedy = remedy(cause);
      if (remedy != null && ExceptionsHelper.status(failure).getStatus() >= 500) {
        return new IllegalArgumentException(
            "the search asks for what cannot be done: " + cause.getMessage() + "; " + remedy,
            failure);
      }
      cause = cause.getCause();
    }
    return failure;
  }

  private static @Nullable String remedy(Throwable cause) {
    if (cause instanceof TooComplexToDeterminizeException) {
      return "write a simpler pattern, or for the queries [regexp] and [query_string] raise"
          + " [max_determinized_states]";
    }
    if (cause instanceof IndexSearcher.TooManyClauses) {
      return "ask with fewer clauses, or raise [indices.query.bool.max_clause_count]";
    }
    return FAULTS.stream()
        .filter(fault -> fault.is(cause))
        .map(Fault::remedy)
        .findFirst()
        .orElse(null);
  }
}
