package io.millrace.kernel.hooks;

/**
 * Everything that a feature may hook into, in {@code Feature.declare} and at no other time.
 *
 * <p>A name (of an analyzer, a query, a route, ...) belongs to one feature: a second declaration is
 * refused with an error that names both.
 *
 * <p>Not offered, because OpenSearch takes one per node or index and another plugin may need it:
 * the REST wrapper ({@code ActionPlugin#getRestHandlerWrapper}), the reader wrapper ({@code
 * IndexModule#setReaderWrapper}), the query-phase searcher and the search executor ({@code
 * SearchPlugin#getQueryPhaseSearcher}, {@code #getIndexSearcherExecutorProvider}), the codec
 * service factory, the translog deletion policy and the committer ({@code EnginePlugin}), an
 * identity ({@code IdentityPlugin}). A circuit breaker ({@code CircuitBreakerPlugin}) is not
 * optional for a plugin that offers one, so none is. The feature name of a plugin ({@code
 * Plugin#getFeature}) would add a setting to every node. What is left (scripts, repositories, store
 * types, search pipelines, persistent tasks) has no user yet.
 *
 * <p>Listeners of the cluster state need no hook: {@code Feature.start} is given the cluster
 * service.
 */
public interface Hooks
    extends ActionHooks,
        AnalysisHooks,
        ClusterHooks,
        DiscoveryHooks,
        EngineHooks,
        IndexHooks,
        IngestHooks,
        MapperHooks,
        NetworkHooks,
        NodeHooks,
        ProfileHooks,
        ReportHooks,
        SearchHooks,
        SystemIndexHooks {}
