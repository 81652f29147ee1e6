package io.millrace.kernel.hooks;

import io.millrace.kernel.slot.CodecLayer;
import io.millrace.kernel.slot.CodecSlot;
import io.millrace.kernel.slot.EngineExtension;
import io.millrace.kernel.slot.EngineSlot;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.opensearch.index.IndexSettings;
import org.opensearch.index.codec.AdditionalCodecs;
import org.opensearch.index.engine.EngineFactory;
import org.opensearch.plugins.EnginePlugin;

/** What a shard writes with, as {@link EnginePlugin} takes it, folded in the slots. */
public interface EngineHooks extends HookRegistry.Holder {

  /** A part of the engine of every shard that wants it; all parts share one engine. */
  default void engine(EngineExtension extension) {
    Collector.of(this).extensions.add(extension);
  }

  /**
   * A layer of the codecs that {@code index.codec} may name; its names, or else its place, belong
   * to one feature.
   */
  default void codecLayer(CodecLayer layer) {
    Set<String> names = layer.names();
    Collector.of(this).layers.add(layer, names.isEmpty() ? Set.of(layer.order().name()) : names);
  }

  /** What was declared. */
  final class Collector {
    private final Declarations<EngineExtension> extensions;
    private final Declarations<CodecLayer> layers;

    private Collector(HookRegistry registry) {
      extensions = registry.declarations("engine extension");
      layers = registry.declarations("codec layer");
    }

    private static Collector of(HookRegistry.Holder holder) {
      return holder.registry().collector(Collector.class, Collector::new);
    }
  }

  /** What OpenSearch asks for. */
  interface Adapter extends EnginePlugin, HookRegistry.Holder {
    @Override
    default Optional<EngineFactory> getEngineFactory(IndexSettings settings) {
      return EngineSlot.factoryFor(Collector.of(this).extensions.values(), settings);
    }

    @Override
    default Optional<AdditionalCodecs> getAdditionalCodecs(IndexSettings settings) {
      List<CodecLayer> layers = Collector.of(this).layers.values();
      return layers.isEmpty() ? Optional.empty() : Optional.of(new CodecSlot(layers));
    }
  }
}
