package io.millrace.kernel.hooks;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.lucene.search.Query;
import org.opensearch.plugins.SearchPlugin;
import org.opensearch.search.aggregations.support.ValuesSourceRegistry;
import org.opensearch.search.fetch.FetchSubPhase;
import org.opensearch.search.fetch.subphase.highlight.Highlighter;
import org.opensearch.search.internal.SearchContext;
import org.opensearch.search.profile.ProfileMetric;
import org.opensearch.search.query.QueryCollectorContextSpecFactory;

/** Queries, aggregations and what else a search may name, as {@link SearchPlugin} takes them. */
public interface SearchHooks extends HookRegistry.Holder {

  /** A query, by its names. */
  default void query(SearchPlugin.QuerySpec<?> query) {
    Collector.of(this).queries.add(query, Collector.names(query));
  }

  /** An aggregation, by its names. */
  default void aggregation(SearchPlugin.AggregationSpec aggregation) {
    Collector.of(this).aggregationNames.add(aggregation, Collector.names(aggregation));
    Collector.of(this).aggregations.add(aggregation);
  }

  /** An aggregation over the results of others, by its names. */
  default void pipelineAggregation(SearchPlugin.PipelineAggregationSpec aggregation) {
    Collector.of(this).aggregationNames.add(aggregation, Collector.names(aggregation));
    Collector.of(this).pipelineAggregations.add(aggregation);
  }

  /** A source of buckets for the composite aggregation, by its type. */
  default void compositeSource(SearchPlugin.CompositeAggregationSpec source) {
    Collector.of(this).compositeSources.add(source, source.getAggregationType());
  }

  /** Teaches stock's aggregations the values of a field type. */
  default void aggregationExtension(Consumer<ValuesSourceRegistry.Builder> extension) {
    Collector.of(this).aggregationExtensions.add(extension);
  }

  /** Adds something to every hit, after stock's own phases. */
  default void fetchSubPhase(
      Function<SearchPlugin.FetchPhaseConstructionContext, FetchSubPhase> phase) {
    Collector.of(this).fetchSubPhases.add(phase);
  }

  /** A section of its own in {@code ext} of a search, by its names. */
  default void searchExtension(SearchPlugin.SearchExtSpec<?> extension) {
    Collector.of(this).searchExtensions.add(extension, Collector.names(extension));
  }

  /** A suggester, by its names. */
  default void suggester(SearchPlugin.SuggesterSpec<?> suggester) {
    Collector.of(this).suggesters.add(suggester, Collector.names(suggester));
  }

  /** A function of the function_score query, by its names. */
  default void scoreFunction(SearchPlugin.ScoreFunctionSpec<?> function) {
    Collector.of(this).scoreFunctions.add(function, Collector.names(function));
  }

  /** A kind of sort, by its names. */
  default void sort(SearchPlugin.SortSpec<?> sort) {
    Collector.of(this).sorts.add(sort, Collector.names(sort));
  }

  /** A rescorer, by its names. */
  default void rescorer(SearchPlugin.RescorerSpec<?> rescorer) {
    Collector.of(this).rescorers.add(rescorer, Collector.names(rescorer));
  }

  /** A highlighter that {@code type} may name. */
  default void highlighter(String type, Highlighter highlighter) {
    Collector.of(this).highlighters.add(highlighter, type);
  }

  /**
   * May bring the collector of a query in place of stock's; kept in one registry for the whole JVM
   * ({@code QueryCollectorContextSpecRegistry}), where the first that answers wins.
   */
  default void collectorContext(QueryCollectorContextSpecFactory factory) {
    Collector.of(this).collectorContexts.add(factory);
  }

  /** Figures of its own in {@code profile: true}; those of all features are shown. */
  default void profileMetrics(SearchPlugin.ProfileMetricsProvider provider) {
    Collector.of(this).profileMetrics.add(provider);
  }

  /** What was declared. */
  final class Collector {
    private final Declarations<SearchPlugin.QuerySpec<?>> queries;

    /** Both kinds of aggregations stand side by side in a request, under one set of names. */
    private final Declarations<SearchPlugin.SearchExtensionSpec<?, ?>> aggregationNames;

    private final Declarations<SearchPlugin.AggregationSpec> aggregations;
    private final Declarations<SearchPlugin.PipelineAggregationSpec> pipelineAggregations;
    private final Declarations<SearchPlugin.CompositeAggregationSpec> compositeSources;
    private final Declarations<Consumer<ValuesSourceRegistry.Builder>> aggregationExtensions;
    private final Declarations<Function<SearchPlugin.FetchPhaseConstructionContext, FetchSubPhase>>
        fetchSubPhases;
    private final Declarations<SearchPlugin.SearchExtSpec<?>> searchExtensions;
    private final Declarations<SearchPlugin.SuggesterSpec<?>> suggesters;
    private final Declarations<SearchPlugin.ScoreFunctionSpec<?>> scoreFunctions;
    private final Declarations<SearchPlugin.SortSpec<?>> sorts;
    private final Declarations<SearchPlugin.RescorerSpec<?>> rescorers;
    private final Declarations<Highlighter> highlighters;
    private final Declarations<QueryCollectorContextSpecFactory> collectorContexts;
    private final Declarations<SearchPlugin.ProfileMetricsProvider> profileMetrics;

    private Collector(HookRegistry registry) {
      queries = registry.declarations("query");
      aggregationNames = registry.declarations("aggregation");
      aggregations = registry.declarations("aggregation");
      pipelineAggregations = registry.declarations("pipeline aggregation");
      compositeSources = registry.declarations("source of the composite aggregation");
      aggregationExtensions = registry.declarations("extension of aggregations");
      fetchSubPhases = registry.declarations("fetch phase");
      searchExtensions = registry.declarations("search extension");
      suggesters = registry.declarations("suggester");
      scoreFunctions = registry.declarations("score function");
      sorts = registry.declarations("sort");
      rescorers = registry.declarations("rescorer");
      highlighters = registry.declarations("highlighter");
      collectorContexts = registry.declarations("collector of queries");
      profileMetrics = registry.declarations("profile figures");
    }

    private static Collector of(HookRegistry.Holder holder) {
      return holder.registry().collector(Collector.class, Collector::new);
    }

    private static List<String> names(SearchPlugin.SearchExtensionSpec<?, ?> spec) {
      return List.of(spec.getName().getAllNamesIncludedDeprecated());
    }
  }

  /** What OpenSearch asks for. */
  interface Adapter extends SearchPlugin, HookRegistry.Holder {
    @Override
    default List<QuerySpec<?>> getQueries() {
      return Collector.of(this).queries.values();
    }

    @Override
    default List<AggregationSpec> getAggregations() {
      return Collector.of(this).aggregations.values();
    }

    @Override
    default List<PipelineAggregationSpec> getPipelineAggregations() {
      return Collector.of(this).pipelineAggregations.values();
    }

    @Override
    default List<CompositeAggregationSpec> getCompositeAggregations() {
      return Collector.of(this).compositeSources.values();
    }

    @Override
    default List<Consumer<ValuesSourceRegistry.Builder>> getAggregationExtentions() {
      return Collector.of(this).aggregationExtensions.values();
    }

    @Override
    default List<FetchSubPhase> getFetchSubPhases(FetchPhaseConstructionContext context) {
      return Collector.of(this).fetchSubPhases.values().stream()
          .map(phase -> phase.apply(context))
          .toList();
    }

    @Override
    default List<SearchExtSpec<?>> getSearchExts() {
      return Collector.of(this).searchExtensions.values();
    }

    @Override
    default List<SuggesterSpec<?>> getSuggesters() {
      return Collector.of(this).suggesters.values();
    }

    @Override
    default List<ScoreFunctionSpec<?>> getScoreFunctions() {
      return Collector.of(this).scoreFunctions.values();
    }

    @Override
    default List<SortSpec<?>> getSorts() {
      return Collector.of(this).sorts.values();
    }

    @Override
    default List<RescorerSpec<?>> getRescorers() {
      return Collector.of(this).rescorers.values();
    }

    @Override
    default Map<String, Highlighter> getHighlighters() {
      return Collector.of(this).highlighters.byName();
    }

    @Override
    default List<QueryCollectorContextSpecFactory> getCollectorContextSpecFactories() {
      return Collector.of(this).collectorContexts.values();
    }

    @Override
    default Optional<ProfileMetricsProvider> getQueryProfileMetricsProvider() {
      List<ProfileMetricsProvider> all = Collector.of(this).profileMetrics.values();
      return all.isEmpty() ? Optional.empty() : Optional.of(Adapter.together(all));
    }

    private static ProfileMetricsProvider together(List<ProfileMetricsProvider> all) {
      return new ProfileMetricsProvider() {
        @Override
        public Collection<Supplier<ProfileMetric>> getQueryProfileMetrics(
            SearchContext context, Query query) {
          return all.stream()
              .flatMap(each -> each.getQueryProfileMetrics(context, query).stream())
              .toList();
        }
      };
    }
  }
}
