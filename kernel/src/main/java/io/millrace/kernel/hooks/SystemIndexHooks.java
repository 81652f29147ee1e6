package io.millrace.kernel.hooks;

import java.util.Collection;
import org.opensearch.common.settings.Settings;
import org.opensearch.indices.SystemIndexDescriptor;
import org.opensearch.plugins.SystemIndexPlugin;

/** Indices that belong to the node and not to a user, as {@link SystemIndexPlugin} takes them. */
public interface SystemIndexHooks extends HookRegistry.Holder {

  /** A pattern of system indices; it must overlap with no other. */
  default void systemIndex(SystemIndexDescriptor descriptor) {
    Collector.of(this).descriptors.add(descriptor, descriptor.getIndexPattern());
  }

  /** What was declared. */
  final class Collector {
    private final Declarations<SystemIndexDescriptor> descriptors;

    private Collector(HookRegistry registry) {
      descriptors = registry.declarations("pattern of system indices");
    }

    private static Collector of(HookRegistry.Holder holder) {
      return holder.registry().collector(Collector.class, Collector::new);
    }
  }

  /** What OpenSearch asks for. */
  interface Adapter extends SystemIndexPlugin, HookRegistry.Holder {
    @Override
    default Collection<SystemIndexDescriptor> getSystemIndexDescriptors(Settings settings) {
      return Collector.of(this).descriptors.values();
    }
  }
}
