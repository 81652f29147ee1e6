package io.millrace.write.lateinversion;

import java.io.IOException;
import org.apache.lucene.codecs.StoredFieldsWriter;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.MergeState;
import org.apache.lucene.index.SegmentInfo;
import org.apache.lucene.index.StoredFieldDataInput;
import org.apache.lucene.util.BytesRef;

/** Takes the terms of late fields out of the stored fields of a new segment. */
final class LateStoredFieldsWriter extends StoredFieldsWriter {
  private final StoredFieldsWriter in;
  private final LateSegments segments;
  private final SegmentInfo segment;
  private final SegmentTerms terms = new SegmentTerms();
  private int document = -1;

  LateStoredFieldsWriter(StoredFieldsWriter in, LateSegments segments, SegmentInfo segment) {
    this.in = in;
    this.segments = segments;
    this.segment = segment;
  }

  @Override
  public void startDocument() throws IOException {
    document++;
    in.startDocument();
  }

  @Override
  public void finishDocument() throws IOException {
    in.finishDocument();
  }

  @Override
  public void writeField(FieldInfo field, BytesRef value) throws IOException {
    if (segments.isLate(field.name)) {
      terms.add(field.name, document, value);
    } else {
      in.writeField(field, value);
    }
  }

  /** So they come in a sorted segment, which Lucene writes from a temporary file. */
  @Override
  public void writeField(FieldInfo field, StoredFieldDataInput value) throws IOException {
    if (segments.isLate(field.name)) {
      byte[] bytes = new byte[value.getLength()];
      value.getDataInput().readBytes(bytes, 0, bytes.length);
      terms.add(field.name, document, new BytesRef(bytes));
    } else {
      in.writeField(field, value);
    }
  }

  @Override
  public void writeField(FieldInfo field, int value) throws IOException {
    in.writeField(field, value);
  }

  @Override
  public void writeField(FieldInfo field, long value) throws IOException {
    in.writeField(field, value);
  }

  @Override
  public void writeField(FieldInfo field, float value) throws IOException {
    in.writeField(field, value);
  }

  @Override
  public void writeField(FieldInfo field, double value) throws IOException {
    in.writeField(field, value);
  }

  @Override
  public void writeField(FieldInfo field, String value) throws IOException {
    in.writeField(field, value);
  }

  @Override
  public int merge(MergeState state) throws IOException {
    return in.merge(state);
  }

  @Override
  public void finish(int count) throws IOException {
    in.finish(count);
    segments.gathered(segment, terms);
  }

  @Override
  public void close() throws IOException {
    in.close();
  }

  @Override
  public long ramBytesUsed() {
    return in.ramBytesUsed() + terms.ramBytesUsed();
  }
}
