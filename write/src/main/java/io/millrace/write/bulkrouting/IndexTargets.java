package io.millrace.write.bulkrouting;

import org.jspecify.annotations.Nullable;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.metadata.AliasMetadata;
import org.opensearch.cluster.metadata.IndexAbstraction;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.index.IndexSettings;
import org.opensearch.ingest.IngestService;

/** Where a name in a bulk (index, alias, data stream, date math) leads to. */
final class IndexTargets {
  private final ClusterService clusterService;
  private final IndexNameExpressionResolver resolver;
  private final RoutedIndices routed;

  IndexTargets(
      ClusterService clusterService, IndexNameExpressionResolver resolver, RoutedIndices routed) {
    this.clusterService = clusterService;
    this.resolver = resolver;
    this.routed = routed;
  }

  /**
   * @param index the concrete index that is written to
   * @param keys its keys if it opted in, else null
   * @param routedByAlias whether the name is an alias that sets the routing
   * @param pipeline whether the index runs a pipeline, which may send documents elsewhere
   */
  record Target(String index, @Nullable ShardKeys keys, boolean routedByAlias, boolean pipeline) {}

  ClusterState state() {
    return clusterService.state();
  }

  /** The target of a name, or null if there is none (yet) or no single one. */
  @Nullable Target resolve(String name, ClusterState state) {
    String plain = name.startsWith("<") ? resolver.resolveDateMathExpression(name) : name;
    IndexAbstraction abstraction = state.metadata().getIndicesLookup().get(plain);
    if (abstraction == null) {
      return null;
    }
    IndexMetadata index = abstraction.getWriteIndex();
    if (index == null) {
      return null;
    }
    AliasMetadata alias = index.getAliases().get(plain);
    return new Target(
        index.getIndex().getName(),
        routed.get(index.getIndex().getName()),
        alias != null && alias.indexRouting() != null,
        runsPipeline(index));
  }

  /**
   * @param index the concrete index that is read or written
   */
  record Placed(String index, ShardKeys keys) {}

  /**
   * The index behind a name, if documents of it may stand where a bulk placed them and the name
   * brings no routing; else null.
   */
  @Nullable Placed placed(String name, ClusterState state) {
    Target target = resolve(name, state);
    ShardKeys keys = target == null ? null : routed.placed(target.index);
    if (target == null || keys == null || target.routedByAlias) {
      return null;
    }
    return new Placed(target.index, keys);
  }

  private static boolean runsPipeline(IndexMetadata index) {
    return named(IndexSettings.DEFAULT_PIPELINE.get(index.getSettings()))
        || named(IndexSettings.FINAL_PIPELINE.get(index.getSettings()));
  }

  /** Whether a pipeline setting names one; {@code _none} is stock's word for none. */
  static boolean named(@Nullable String pipeline) {
    return pipeline != null && !pipeline.equals(IngestService.NOOP_PIPELINE_NAME);
  }
}
