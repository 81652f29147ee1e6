package io.millrace.kernel.slot;

import java.util.Set;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.FilterCodec;
import org.jspecify.annotations.Nullable;
import org.opensearch.index.IndexSettings;
import org.opensearch.index.mapper.MapperService;

/** A layer that writes its title before the name of the codec beneath; only its place matters. */
public record NamedLayer(String title, CodecOrder order, Set<String> names) implements CodecLayer {
  @Override
  public boolean wants(@Nullable MapperService mapper, IndexSettings index) {
    return index.getSettings().getAsBoolean("index." + title, true);
  }

  @Override
  public Codec over(Codec beneath, String name, IndexSettings index) {
    return new FilterCodec(title + "0" + beneath.getName(), beneath) {};
  }
}
