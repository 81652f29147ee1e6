package io.millrace.write.lateinversion;

import io.millrace.kernel.stored.TakenStoredFields;
import java.util.IdentityHashMap;
import java.util.Map;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.FilterCodec;
import org.apache.lucene.codecs.PostingsFormat;
import org.apache.lucene.codecs.StoredFieldsFormat;
import org.apache.lucene.codecs.perfield.PerFieldPostingsFormat;
import org.jspecify.annotations.Nullable;
import org.opensearch.index.mapper.IdFieldMapper;

/**
 * What a shard writes new segments with: the codec beneath, which is told the terms of late fields
 * when the segment is flushed. It writes nothing of its own: every file of a segment is as the
 * codec beneath writes it, and names that codec. Merges do not come here.
 */
public final class LateCodec extends FilterCodec {
  private final LateSegments segments = new LateSegments();
  private final PostingsFormat postings;
  private final StoredFieldsFormat stored;

  private LateCodec(Codec stock, PerFieldPostingsFormat postings) {
    super(stock.getName(), stock);
    this.postings = new Postings(postings, segments);
    this.stored = new TakenStoredFields(stock.storedFieldsFormat(), segments);
  }

  /** Over a codec; that codec itself if it does not choose postings by field. */
  static Codec over(Codec stock) {
    return stock.postingsFormat() instanceof PerFieldPostingsFormat postings
        ? new LateCodec(stock, postings)
        : stock;
  }

  /** What a codec knows of late fields, wherever this one stands in it; null if it does not. */
  static @Nullable LateSegments of(Codec codec) {
    LateSegments segments =
        TakenStoredFields.takers(codec.storedFieldsFormat(), LateSegments.class);
    return segments != null
            && codec.postingsFormat() instanceof PerFieldPostingsFormat postings
            && postings.getPostingsFormatForField(IdFieldMapper.NAME)
                instanceof LatePostingsFormat late
            && late.segments == segments
        ? segments
        : null;
  }

  @Override
  public PostingsFormat postingsFormat() {
    return postings;
  }

  @Override
  public StoredFieldsFormat storedFieldsFormat() {
    return stored;
  }

  /** All fields of one format stay in one group, whether they are late or not. */
  private static final class Postings extends PerFieldPostingsFormat {
    private final PerFieldPostingsFormat stock;
    private final LateSegments segments;
    private final Map<PostingsFormat, PostingsFormat> late = new IdentityHashMap<>();

    Postings(PerFieldPostingsFormat stock, LateSegments segments) {
      this.stock = stock;
      this.segments = segments;
    }

    @Override
    public PostingsFormat getPostingsFormatForField(String field) {
      PostingsFormat format = stock.getPostingsFormatForField(field);
      synchronized (late) {
        return late.computeIfAbsent(format, in -> new LatePostingsFormat(in, segments));
      }
    }
  }
}
