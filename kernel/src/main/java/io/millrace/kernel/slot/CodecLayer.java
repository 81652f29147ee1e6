package io.millrace.kernel.slot;

import java.util.Set;
import org.apache.lucene.codecs.Codec;
import org.jspecify.annotations.Nullable;
import org.opensearch.index.IndexSettings;
import org.opensearch.index.mapper.MapperService;

/**
 * What one feature adds to the codec that a shard writes with; {@link CodecSlot} folds all layers.
 *
 * <p>A layer must not change the codec names inside segments that exist: Lucene opens a segment by
 * its name alone, without any layer.
 */
public interface CodecLayer {

  /** Where the layer stands. Only layers with names may share a place. */
  CodecOrder order();

  /**
   * The values of {@code index.codec} that exist because of this layer, which is built for these
   * names alone. Empty for a layer that is built over every name that others bring.
   */
  default Set<String> names() {
    return Set.of();
  }

  /**
   * Whether a shard of this index is written with the layer; asked each time that a shard opens. A
   * layer with names that answers false leaves OpenSearch without them for this index.
   *
   * @param mapper the index's mapping, null where OpenSearch has none at hand
   * @throws IllegalStateException when the index asks for this layer and cannot have it; the index
   *     then does not open on this node
   */
  boolean wants(@Nullable MapperService mapper, IndexSettings index);

  /**
   * The codec with this layer.
   *
   * @param name the value of {@code index.codec} that it is built for
   * @param beneath the codec of the layers before, in the end stock's own default for this shard
   */
  Codec over(Codec beneath, String name, IndexSettings index);
}
