package io.millrace.storage.packedids;

import io.millrace.kernel.slot.CodecLayer;
import io.millrace.kernel.slot.CodecOrder;
import org.apache.lucene.codecs.Codec;
import org.jspecify.annotations.Nullable;
import org.opensearch.index.IndexSettings;
import org.opensearch.index.mapper.MapperService;

/** Packed ids in terms and doc values, beneath whatever codec the index names. */
final class PackedIdsLayer implements CodecLayer {
  @Override
  public CodecOrder order() {
    return CodecOrder.TERMS;
  }

  @Override
  public boolean wants(@Nullable MapperService mapper, IndexSettings index) {
    return PackedIdsFeature.INDEX_ENABLED.get(index.getSettings());
  }

  @Override
  public Codec over(Codec beneath, String name, IndexSettings index) {
    return new PackedIdsCodec(beneath);
  }
}
