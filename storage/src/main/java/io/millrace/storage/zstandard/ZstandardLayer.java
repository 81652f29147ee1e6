package io.millrace.storage.zstandard;

import io.millrace.kernel.slot.CodecLayer;
import io.millrace.kernel.slot.CodecOrder;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.lucene.codecs.Codec;
import org.jspecify.annotations.Nullable;
import org.opensearch.index.IndexSettings;
import org.opensearch.index.engine.EngineConfig;
import org.opensearch.index.mapper.MapperService;

/** Stored fields in Zstandard, over whatever codec stands beneath: one name for each variant. */
final class ZstandardLayer implements CodecLayer {
  private final Supplier<@Nullable String> libraryProblem;

  /**
   * @param libraryProblem why Zstandard cannot be used on this node, or null
   */
  ZstandardLayer(Supplier<@Nullable String> libraryProblem) {
    this.libraryProblem = libraryProblem;
  }

  @Override
  public CodecOrder order() {
    return CodecOrder.STORED_FIELDS;
  }

  @Override
  public Set<String> names() {
    return ZstandardVariant.aliases();
  }

  @Override
  public boolean wants(@Nullable MapperService mapper, IndexSettings index) {
    String chosen = index.getValue(EngineConfig.INDEX_CODEC_SETTING);
    boolean composite = mapper != null && mapper.isCompositeIndexPresent();
    if (ZstandardFeature.isOurs(chosen)) {
      String problem = composite ? ZstandardFeature.compositeRefusal(chosen) : libraryProblem.get();
      if (problem != null) {
        throw new IllegalStateException(
            "index " + index.getIndex() + " has [index.codec: " + chosen + "], but " + problem);
      }
    }
    return !composite;
  }

  @Override
  public Codec over(Codec beneath, String name, IndexSettings index) {
    ZstandardVariant variant = ZstandardVariant.named(name);
    return ZstandardCodec.registered(variant).over(beneath, variant.level(index.getSettings()));
  }
}
