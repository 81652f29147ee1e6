package io.millrace.kernel.slot;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.lucene.codecs.Codec;
import org.jspecify.annotations.Nullable;
import org.opensearch.index.IndexSettings;
import org.opensearch.index.codec.AdditionalCodecs;
import org.opensearch.index.mapper.MapperService;

/**
 * Folds the layers of all features into the codecs that {@code index.codec} may name.
 *
 * <p>OpenSearch takes a codec by its name and refuses a name that comes twice ({@code
 * CodecService}), so features cannot each bring their own {@code zstandard}. They bring layers, and
 * {@link CodecOrder} alone says which wraps which: the order in which features are declared decides
 * nothing about what a segment holds.
 */
public final class CodecSlot implements AdditionalCodecs {
  private final List<CodecLayer> layers;

  /**
   * A slot for these layers.
   *
   * @param layers no two of one place without names, no name twice
   */
  public CodecSlot(Collection<CodecLayer> layers) {
    this.layers = layers.stream().sorted(Comparator.comparing(CodecLayer::order)).toList();
  }

  @Override
  public Map<String, Codec> getCodecs(
      @Nullable MapperService mapper, IndexSettings index, Supplier<Codec> stock) {
    List<CodecLayer> wanting = layers.stream().filter(layer -> layer.wants(mapper, index)).toList();
    Map<String, Codec> codecs = new HashMap<>();
    for (CodecLayer naming : wanting) {
      for (String name : naming.names()) {
        codecs.put(name, fold(wanting, name, index, stock.get()));
      }
    }
    return codecs;
  }

  private static Codec fold(
      List<CodecLayer> layers, String name, IndexSettings index, Codec stock) {
    Codec codec = stock;
    for (CodecLayer layer : layers) {
      if (layer.names().isEmpty() || layer.names().contains(name)) {
        codec = layer.over(codec, name, index);
      }
    }
    return codec;
  }
}
