package io.millrace.guard.transport;

import java.util.List;
import java.util.Map;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.util.automaton.TooComplexToDeterminizeException;
import org.jspecify.annotations.Nullable;
import org.opensearch.ExceptionsHelper;

/**
 * Failures of searches on shards that are the request's fault, and that stock answers with 500: too
 * many clauses, a pattern that is too complex, a query for positions that a field does not have.
 * Their clients are told 400 and what to change.
 *
 * <p>Known by their class, or where Lucene and OpenSearch throw a plain {@code
 * IllegalStateException} or {@code RuntimeException} by a part of the message. Any other failure
 * stays what it is.
 */
final class RequestFaults {
  private static final int CAUSES = 10;

  private static final String FEWER_TERMS =
      "write a pattern that fewer terms match, or raise [indices.query.bool.max_clause_count] where"
          + " the limit is that of clauses";

  /** What to do, by a part of the message. */
  private static final List<Map.Entry<String, String>> REMEDIES =
      List.of(
          Map.entry("exceeds maxClauseCount", FEWER_TERMS),
          Map.entry("expanded to too many terms", FEWER_TERMS),
          Map.entry(
              "was indexed without position data",
              "ask a field of type [text] whose [index_options] are [positions]"),
          Map.entry(
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
      return "a pattern of the search is too complex: write a simpler one, or for the queries"
          + " [regexp] and [query_string] raise [max_determinized_states]";
    }
    if (cause instanceof IndexSearcher.TooManyClauses) {
      return "ask with fewer clauses, or raise [indices.query.bool.max_clause_count]";
    }
    String message = cause.getMessage();
    if (message != null) {
      for (Map.Entry<String, String> known : REMEDIES) {
        if (message.contains(known.getKey())) {
          return known.getValue();
        }
      }
    }
    return null;
  }
}
