package io.millrace.guard.breaker;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.opensearch.OpenSearchException;
import org.opensearch.action.DocWriteRequest;
import org.opensearch.action.DocWriteRequest.OpType;
import org.opensearch.action.bulk.BulkRequest;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.metadata.ComposableIndexTemplate;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.cluster.metadata.MetadataIndexTemplateService;
import org.opensearch.core.index.Index;
import org.opensearch.index.IndexNotFoundException;
import org.opensearch.index.VersionType;

/**
 * The items of a bulk that are answered with an error of their own before any shard sees them,
 * because nothing can be written under the name that they give: no such index, a closed one, an
 * alias without a write index, a data stream.
 *
 * <p>Stock makes an exception with its stack for each of them (TransportBulkAction at 3.8.0,
 * BulkOperation#addFailureIfIndexIsUnavailable), and keeps all until the last one is answered.
 */
final class FailingItems {
  /**
   * What one of these errors holds, bytes: 2.5 KB where the stack has 80 frames, 3.2 KB with 120.
   */
  static final long BYTES = 3 * 1024;

  /** What a name means for an item; the parts of an item on which that depends. */
  private record Target(String index, boolean creates, boolean requiresAlias) {}

  private final ClusterState state;
  private final IndexNameExpressionResolver resolver;
  private final Set<String> created = new HashSet<>();
  private final Map<Target, Boolean> known = new HashMap<>();

  private FailingItems(ClusterState state, IndexNameExpressionResolver resolver) {
    this.state = state;
    this.resolver = resolver;
  }

  /** The number of them. */
  static int of(BulkRequest bulk, ClusterState state, IndexNameExpressionResolver resolver) {
    FailingItems items = new FailingItems(state, resolver);
    Set<String> mustBeAlias = new HashSet<>();
    for (DocWriteRequest<?> item : bulk.requests()) {
      if (creates(item)) {
        (item.isRequireAlias() ? mustBeAlias : items.created).add(item.index());
      }
    }
    items.created.removeAll(mustBeAlias); // one such item is enough: no index is made
    int failing = 0;
    for (DocWriteRequest<?> item : bulk.requests()) {
      failing += items.fails(item) ? 1 : 0;
    }
    return failing;
  }

  /**
   * Whether an index that is missing is made for it, as TransportBulkAction#doInternalExecute
   * decides. Where none may be made, all such items share one error.
   */
  private static boolean creates(@Nullable DocWriteRequest<?> item) {
    return item != null
        && (item.opType() != OpType.DELETE
            || item.versionType() == VersionType.EXTERNAL
            || item.versionType() == VersionType.EXTERNAL_GTE);
  }

  private boolean fails(@Nullable DocWriteRequest<?> item) {
    return item != null
        && item.index() != null
        && known.computeIfAbsent(
            new Target(item.index(), item.opType() == OpType.CREATE, item.isRequireAlias()),
            target -> fails(target, item));
  }

  private boolean fails(Target target, DocWriteRequest<?> item) {
    if (target.requiresAlias && !state.metadata().hasAlias(target.index)) {
      return true;
    }
    try {
      Index index =
          resolver.concreteWriteIndex(
              state, item.indicesOptions(), target.index, false, target.creates);
      return state.metadata().getIndexSafe(index).getState() == IndexMetadata.State.CLOSE;
    } catch (IndexNotFoundException e) {
      boolean there = state.metadata().getIndicesLookup().containsKey(target.index);
      return there
          || !created.contains(target.index)
          || (!target.creates && becomesStream(target.index));
    } catch (OpenSearchException | IllegalArgumentException e) {
      return true;
    }
  }

  /** Whether what is made for this name is a data stream, to which documents are only added. */
  private boolean becomesStream(String index) {
    String template = MetadataIndexTemplateService.findV2Template(state.metadata(), index, false);
    ComposableIndexTemplate found =
        template == null ? null : state.metadata().templatesV2().get(template);
    return found != null && found.getDataStreamTemplate() != null;
  }
}
