package io.millrace.kernel.hooks;

import java.util.Collection;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver.ExpressionResolver;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.cluster.routing.allocation.ExistingShardsAllocator;
import org.opensearch.cluster.routing.allocation.allocator.ShardsAllocator;
import org.opensearch.cluster.routing.allocation.decider.AllocationDecider;
import org.opensearch.common.settings.ClusterSettings;
import org.opensearch.common.settings.Settings;
import org.opensearch.plugins.ClusterPlugin;

/** Where shards may go and who places them, as {@link ClusterPlugin} takes it. */
public interface ClusterHooks extends HookRegistry.Holder {

  /**
   * A decider beside stock's; made once per node, before any service exists.
   *
   * @param type its class: OpenSearch takes one decider of a class
   */
  default <D extends AllocationDecider> void allocationDecider(
      Class<D> type, BiFunction<Settings, ClusterSettings, D> decider) {
    Collector.of(this).deciders.add(decider, type.getName());
  }

  /** An allocator that {@code cluster.routing.allocation.type} may name. */
  default void shardsAllocator(
      String name, BiFunction<Settings, ClusterSettings, ShardsAllocator> allocator) {
    Collector.of(this).allocators.add(allocator, name);
  }

  /** An allocator that {@code index.allocation.existing_shards_allocator} may name. */
  default void existingShardsAllocator(String name, ExistingShardsAllocator allocator) {
    Collector.of(this).existing.add(allocator, name);
  }

  /** Turns expressions in place of index names into names; one of a class. */
  default void indexNames(ExpressionResolver resolver) {
    Collector.of(this).indexNames.add(resolver, resolver.getClass().getName());
  }

  /** Called once when the node has joined a cluster or given up waiting, before HTTP requests. */
  default void nodeStarted(Consumer<DiscoveryNode> listener) {
    Collector.of(this).nodeStarted.add(listener);
  }

  /** What was declared. */
  final class Collector {
    private final Declarations<BiFunction<Settings, ClusterSettings, ? extends AllocationDecider>>
        deciders;
    private final Declarations<BiFunction<Settings, ClusterSettings, ShardsAllocator>> allocators;
    private final Declarations<ExistingShardsAllocator> existing;
    private final Declarations<ExpressionResolver> indexNames;
    private final Declarations<Consumer<DiscoveryNode>> nodeStarted;

    private Collector(HookRegistry registry) {
      deciders = registry.declarations("allocation decider");
      allocators = registry.declarations("shards allocator");
      existing = registry.declarations("allocator of existing shards");
      indexNames = registry.declarations("resolver of index names");
      nodeStarted = registry.declarations("listener of the node's start");
    }

    private static Collector of(HookRegistry.Holder holder) {
      return holder.registry().collector(Collector.class, Collector::new);
    }
  }

  /** What OpenSearch asks for. */
  interface Adapter extends ClusterPlugin, HookRegistry.Holder {
    @Override
    default Collection<AllocationDecider> createAllocationDeciders(
        Settings settings, ClusterSettings clusterSettings) {
      return Collector.of(this).deciders.values().stream()
          .<AllocationDecider>map(decider -> decider.apply(settings, clusterSettings))
          .toList();
    }

    @Override
    default Map<String, Supplier<ShardsAllocator>> getShardsAllocators(
        Settings settings, ClusterSettings clusterSettings) {
      return Collector.of(this)
          .allocators
          .byName(allocator -> () -> allocator.apply(settings, clusterSettings));
    }

    @Override
    default Map<String, ExistingShardsAllocator> getExistingShardsAllocators() {
      return Collector.of(this).existing.byName();
    }

    @Override
    default Collection<ExpressionResolver> getIndexNameCustomResolvers() {
      return Collector.of(this).indexNames.values();
    }

    @Override
    default void onNodeStarted(DiscoveryNode localNode) {
      Collector.of(this).nodeStarted.values().forEach(listener -> listener.accept(localNode));
    }
  }
}
