package io.millrace.search.preference;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.IndicesRequest;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.cluster.routing.OperationRouting;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.core.index.Index;
import org.opensearch.index.IndexNotFoundException;
import org.opensearch.indices.IndexClosedException;

/** Which indices and values of {@code routing} stand for the shards that a preference names. */
final class ChosenShards {
  private static final String REMEDY =
      "search the indices one by one, or leave out the string behind the bar";

  private final ClusterService clusterService;
  private final IndexNameExpressionResolver resolver;

  ChosenShards(ClusterService clusterService, IndexNameExpressionResolver resolver) {
    this.clusterService = clusterService;
    this.resolver = resolver;
  }

  /**
   * @param indices to search
   * @param routing leads to the chosen shards of each of them and to no other
   */
  record Choice(String[] indices, String routing) {}

  /**
   * @param routing what the request itself says, or null: it limits the shards further
   * @return null for what stock has to answer: indices of other clusters, which choose for
   *     themselves, and names that lead nowhere
   * @throws IllegalArgumentException when no routing leads to these shards and no others
   */
  @Nullable Choice of(IndicesRequest request, @Nullable String routing, ShardsAndString asked) {
    if (Arrays.stream(request.indices()).anyMatch(name -> name.indexOf(':') >= 0)) {
      return null;
    }
    ClusterState state = clusterService.state();
    Index[] indices;
    try {
      indices = resolver.concreteIndices(state, request);
    } catch (IndexNotFoundException | IndexClosedException e) {
      return null;
    }
    if (indices.length == 0) {
      return null;
    }
    if (resolver.resolveSearchRouting(state, null, request.indices()) != null) {
      throw new IllegalArgumentException(
          "[preference] names shards and a string, and an alias of "
              + Arrays.toString(request.indices())
              + " has a routing of its own; name the index instead of the alias");
    }
    return choice(state, request, indices, routing, asked);
  }

  private Choice choice(
      ClusterState state,
      IndicesRequest request,
      Index[] indices,
      @Nullable String routing,
      ShardsAndString asked) {
    RoutingValues values = new RoutingValues();
    List<String> kept = new ArrayList<>();
    Map<String, Set<String>> own =
        routing == null ? null : resolver.resolveSearchRouting(state, routing, request.indices());
    for (Index each : indices) {
      IndexMetadata index = state.metadata().getIndexSafe(each);
      if (index.isRoutingPartitionedIndex()) {
        throw new IllegalArgumentException(
            "[preference] names shards and a string, and a value of routing leads to ["
                + index.getRoutingPartitionSize()
                + "] shards of ["
                + each.getName()
                + "] (index.routing_partition_size); leave out the string behind the bar");
      }
      BitSet shards = (BitSet) asked.shards().clone();
      shards.and(existing(index, own == null ? null : own.get(each.getName())));
      if (!shards.isEmpty()) {
        kept.add(each.getName());
        values.want(index, shards);
      }
    }
    if (kept.isEmpty()) {
      throw new IllegalArgumentException(
          "[preference] names the shards "
              + asked.shards()
              + ", of which "
              + Arrays.toString(request.indices())
              + (routing == null ? " has none" : " has none for the routing [" + routing + "]")
              + "; GET _cat/shards lists those that are there");
    }
    List<String> found = values.find();
    if (found == null) {
      throw new IllegalArgumentException(
          "[preference] names the shards "
              + asked.shards()
              + " and a string, and the indices "
              + Arrays.toString(request.indices())
              + " spread their documents in too many ways to choose them; "
              + REMEDY);
    }
    return new Choice(names(state, request, indices, kept), String.join(",", found));
  }

  /** The shards of an index, or those of them to which the request's own routing leads. */
  private static BitSet existing(IndexMetadata index, @Nullable Set<String> routing) {
    BitSet shards = new BitSet();
    if (routing == null) {
      shards.set(0, index.getNumberOfShards());
    } else {
      routing.forEach(each -> shards.set(OperationRouting.generateShardId(index, null, each)));
    }
    return shards;
  }

  /** The names as they were, for the filters of aliases; those of the kept where some drop out. */
  private String[] names(
      ClusterState state, IndicesRequest request, Index[] indices, List<String> kept) {
    if (kept.size() == indices.length) {
      return request.indices();
    }
    Set<String> expressions = resolver.resolveExpressions(state, request.indices());
    for (String index : kept) {
      if (resolver.filteringAliases(state, index, expressions) != null) {
        throw new IllegalArgumentException(
            "[preference] names shards that not every index of "
                + Arrays.toString(request.indices())
                + " has, and an alias filters ["
                + index
                + "]; "
                + REMEDY);
      }
    }
    return kept.toArray(String[]::new);
  }
}
