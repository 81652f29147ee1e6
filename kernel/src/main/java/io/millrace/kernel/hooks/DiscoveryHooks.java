package io.millrace.kernel.hooks;

import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.plugins.DiscoveryPlugin;

/** Which cluster a node may join, as {@link DiscoveryPlugin} takes it. */
public interface DiscoveryHooks extends HookRegistry.Holder {

  /** May keep this node out of a cluster by an IllegalStateException; all validators are asked. */
  default void joinValidator(BiConsumer<DiscoveryNode, ClusterState> validator) {
    Collector.of(this).joinValidators.add(validator);
  }

  /** What was declared. */
  final class Collector {
    private final Declarations<BiConsumer<DiscoveryNode, ClusterState>> joinValidators;

    private Collector(HookRegistry registry) {
      joinValidators = registry.declarations("join validator");
    }

    private static Collector of(HookRegistry.Holder holder) {
      return holder.registry().collector(Collector.class, Collector::new);
    }
  }

  /** What OpenSearch asks for. */
  interface Adapter extends DiscoveryPlugin, HookRegistry.Holder {
    @Override
    default @Nullable BiConsumer<DiscoveryNode, ClusterState> getJoinValidator() {
      List<BiConsumer<DiscoveryNode, ClusterState>> all =
          Collector.of(this).joinValidators.values();
      return all.isEmpty() ? null : all.stream().reduce(BiConsumer::andThen).orElseThrow();
    }
  }
}
