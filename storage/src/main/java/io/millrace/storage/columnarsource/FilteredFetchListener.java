package io.millrace.storage.columnarsource;

import io.millrace.kernel.settings.Switch;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.opensearch.index.query.ParsedQuery;
import org.opensearch.index.shard.SearchOperationListener;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.search.fetch.subphase.FetchSourceContext;
import org.opensearch.search.internal.SearchContext;
import org.opensearch.search.rescore.RescoreContext;

/**
 * Finds the fetches that read sources for nothing but a filtered answer, so that no column is
 * decoded that the answer does not show.
 *
 * <p>A hit's source is read once and kept for whoever asks for it (SourceLookup). So a search keeps
 * whole sources if any part of it may ask: highlighting, {@code fields}, scripts, inner hits, and
 * what runs the query on a hit again, which may be a script: explanations, named queries, scores
 * beside a sort. Parts of other plugins announce themselves by {@code ext}.
 */
final class FilteredFetchListener implements SearchOperationListener {
  private final Switch enabled;
  private final FilteredFetches fetches;

  FilteredFetchListener(Switch enabled, FilteredFetches fetches) {
    this.enabled = enabled;
    this.fetches = fetches;
  }

  @Override
  public void onPreFetchPhase(SearchContext context) {
    FetchSourceContext filter =
        context.hasFetchSourceContext() ? context.fetchSourceContext() : null;
    if (enabled.on()
        && filter != null
        && filter.fetchSource()
        && filter.includes().length + filter.excludes().length > 0
        && nothingElseReads(context)) {
      fetches.begins(new WantedFields(filter.includes(), filter.excludes()));
    } else {
      fetches.ends();
    }
  }

  private static boolean nothingElseReads(SearchContext context) {
    return context.highlight() == null
        && !context.hasScriptFields()
        && context.fetchFieldsContext() == null
        && context.docValuesContext() == null
        && context.innerHits().getInnerHits().isEmpty()
        && !context.explain()
        && !(context.sort() != null && context.trackScores())
        && isUnnamed(context.parsedQuery())
        && isUnnamed(context.parsedPostFilter())
        && isEmpty(context.rescore())
        && isWithoutExtensions(context.request().source());
  }

  private static boolean isUnnamed(@Nullable ParsedQuery query) {
    return query == null || query.namedFilters().isEmpty();
  }

  private static boolean isEmpty(@Nullable List<RescoreContext> rescores) {
    return rescores == null || rescores.isEmpty();
  }

  private static boolean isWithoutExtensions(@Nullable SearchSourceBuilder source) {
    return source == null || source.ext().isEmpty();
  }

  @Override
  public void onFetchPhase(SearchContext context, long tookInNanos) {
    fetches.ends();
  }

  @Override
  public void onFailedFetchPhase(SearchContext context) {
    fetches.ends();
  }
}
