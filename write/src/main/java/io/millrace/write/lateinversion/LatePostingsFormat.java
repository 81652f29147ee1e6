package io.millrace.write.lateinversion;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.lucene.codecs.FieldsConsumer;
import org.apache.lucene.codecs.FieldsProducer;
import org.apache.lucene.codecs.NormsProducer;
import org.apache.lucene.codecs.PostingsFormat;
import org.apache.lucene.index.Fields;
import org.apache.lucene.index.FilterLeafReader.FilterFields;
import org.apache.lucene.index.MergeState;
import org.apache.lucene.index.SegmentInfo;
import org.apache.lucene.index.SegmentReadState;
import org.apache.lucene.index.SegmentWriteState;
import org.apache.lucene.index.Terms;
import org.apache.lucene.store.IOContext;
import org.jspecify.annotations.Nullable;

/**
 * A postings format under its own name that is given the late terms of a new segment in place of
 * the placeholders that Lucene has inverted. A field whose every value failed has none.
 */
final class LatePostingsFormat extends PostingsFormat {
  private final PostingsFormat in;
  final LateSegments segments;

  LatePostingsFormat(PostingsFormat in, LateSegments segments) {
    super(in.getName());
    this.in = in;
    this.segments = segments;
  }

  @Override
  public FieldsConsumer fieldsConsumer(SegmentWriteState state) throws IOException {
    FieldsConsumer consumer = in.fieldsConsumer(state);
    return state.context.context() == IOContext.Context.MERGE
        ? consumer
        : new Consumer(consumer, segments, state.segmentInfo);
  }

  @Override
  public FieldsProducer fieldsProducer(SegmentReadState state) throws IOException {
    return in.fieldsProducer(state);
  }

  private static final class Consumer extends FieldsConsumer {
    private final FieldsConsumer in;
    private final LateSegments segments;
    private final SegmentInfo segment;

    Consumer(FieldsConsumer in, LateSegments segments, SegmentInfo segment) {
      this.in = in;
      this.segments = segments;
      this.segment = segment;
    }

    @Override
    public void write(Fields fields, NormsProducer norms) throws IOException {
      Map<String, SortedTerms> late = new HashMap<>();
      for (String field : fields) {
        if (segments.isLate(field)) {
          late.put(field, segments.sorted(segment, field));
        }
      }
      in.write(late.isEmpty() ? fields : new Late(fields, late), norms);
    }

    @Override
    public void merge(MergeState state, NormsProducer norms) throws IOException {
      in.merge(state, norms);
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }

  /** Fields of which some have their late terms. */
  private static final class Late extends FilterFields {
    private final Map<String, SortedTerms> late;

    Late(Fields in, Map<String, SortedTerms> late) {
      super(in);
      this.late = late;
    }

    @Override
    public @Nullable Terms terms(String field) throws IOException {
      return late.containsKey(field) ? late.get(field) : in.terms(field);
    }
  }
}
