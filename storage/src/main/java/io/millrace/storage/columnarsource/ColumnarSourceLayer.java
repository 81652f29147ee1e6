package io.millrace.storage.columnarsource;

import io.millrace.kernel.slot.CodecLayer;
import io.millrace.kernel.slot.CodecOrder;
import io.millrace.storage.zstandard.ZstandardVariant;
import org.apache.lucene.codecs.Codec;
import org.jspecify.annotations.Nullable;
import org.opensearch.index.IndexSettings;
import org.opensearch.index.mapper.MapperService;

/** {@code _source} in columns, over the zstandard codecs; other names are left as they are. */
final class ColumnarSourceLayer implements CodecLayer {
  @Override
  public CodecOrder order() {
    return CodecOrder.SOURCE;
  }

  @Override
  public boolean wants(@Nullable MapperService mapper, IndexSettings index) {
    return ColumnarSourceFeature.INDEX_ENABLED.get(index.getSettings());
  }

  @Override
  public Codec over(Codec beneath, String name, IndexSettings index) {
    if (!ZstandardVariant.aliases().contains(name)) {
      return beneath;
    }
    int level = ZstandardVariant.named(name).level(index.getSettings());
    return ColumnarSourceCodec.registered().over(beneath, level);
  }
}
