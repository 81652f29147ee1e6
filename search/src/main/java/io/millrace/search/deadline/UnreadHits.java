package io.millrace.search.deadline;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.action.search.SearchResponseSections;
import org.opensearch.common.document.DocumentField;
import org.opensearch.search.SearchHit;
import org.opensearch.search.SearchHits;
import org.opensearch.search.aggregations.InternalAggregations;
import org.opensearch.search.internal.InternalSearchResponse;
import org.opensearch.search.profile.ProfileShardResult;
import org.opensearch.search.profile.SearchProfileShardResults;

/**
 * Hits that were found and not read in time. A shard has to answer one hit for each document that
 * it was asked for (SearchPhaseController#getHits at 3.8.0 counts them), so it marks these, and the
 * coordinating node leaves them out of the answer.
 */
final class UnreadHits {
  private static final String MARK = "_millrace_unread";

  private UnreadHits() {}

  static SearchHit mark(int doc) {
    return new SearchHit(doc, null, Map.of(), Map.of(MARK, new DocumentField(MARK, List.of(true))));
  }

  static boolean marked(SearchHit hit) {
    return hit.getId() == null && hit.getMetaFields().containsKey(MARK);
  }

  static long count(SearchResponse response) {
    return Arrays.stream(response.getHits().getHits()).filter(UnreadHits::marked).count();
  }

  private static @Nullable SearchProfileShardResults profile(SearchResponse response) {
    Map<String, ProfileShardResult> profile = response.getProfileResults();
    return profile.isEmpty() ? null : new SearchProfileShardResults(profile);
  }

  /** The answer without the hits that were not read, and with {@code timed_out}. */
  static SearchResponse timedOut(SearchResponse response) {
    SearchHits all = response.getHits();
    SearchHit[] read =
        Arrays.stream(all.getHits()).filter(hit -> !marked(hit)).toArray(SearchHit[]::new);
    SearchHits hits =
        new SearchHits(
            read,
            all.getTotalHits(),
            all.getMaxScore(),
            all.getSortFields(),
            all.getCollapseField(),
            all.getCollapseValues());
    SearchResponseSections sections = response.getInternalResponse();
    InternalSearchResponse timedOut =
        new InternalSearchResponse(
            hits,
            (InternalAggregations) response.getAggregations(),
            response.getSuggest(),
            profile(response),
            true,
            response.isTerminatedEarly(),
            response.getNumReducePhases(),
            sections.getSearchExtBuilders(),
            sections.getProcessorResult());
    return new SearchResponse(
        timedOut,
        response.getScrollId(),
        response.getTotalShards(),
        response.getSuccessfulShards(),
        response.getSkippedShards(),
        response.getTook().millis(),
        response.getPhaseTook(),
        response.getShardFailures(),
        response.getClusters(),
        response.pointInTimeId());
  }
}
