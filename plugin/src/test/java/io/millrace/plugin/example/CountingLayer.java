package io.millrace.plugin.example;

import io.millrace.kernel.slot.CodecLayer;
import io.millrace.kernel.slot.CodecOrder;
import java.io.IOException;
import java.util.concurrent.atomic.LongAdder;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.FilterCodec;
import org.apache.lucene.codecs.SegmentInfoFormat;
import org.apache.lucene.index.SegmentInfo;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.jspecify.annotations.Nullable;
import org.opensearch.index.IndexSettings;
import org.opensearch.index.mapper.MapperService;

/** Counts the documents of every segment that is written, and changes nothing in it. */
final class CountingLayer implements CodecLayer {
  final LongAdder documents = new LongAdder();

  @Override
  public CodecOrder order() {
    return CodecOrder.SUMMARIES;
  }

  @Override
  public boolean wants(@Nullable MapperService mapper, IndexSettings index) {
    return true;
  }

  @Override
  public Codec over(Codec beneath, String name, IndexSettings index) {
    SegmentInfoFormat infos = beneath.segmentInfoFormat();
    return new FilterCodec(beneath.getName(), beneath) {
      @Override
      public SegmentInfoFormat segmentInfoFormat() {
        return new SegmentInfoFormat() {
          @Override
          public SegmentInfo read(Directory directory, String segment, byte[] id, IOContext context)
              throws IOException {
            return infos.read(directory, segment, id, context);
          }

          @Override
          public void write(Directory directory, SegmentInfo info, IOContext context)
              throws IOException {
            infos.write(directory, info, context);
            documents.add(info.maxDoc());
          }
        };
      }
    };
  }
}
