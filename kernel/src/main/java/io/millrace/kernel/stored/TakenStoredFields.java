package io.millrace.kernel.stored;

import java.io.IOException;
import org.apache.lucene.codecs.StoredFieldsFormat;
import org.apache.lucene.codecs.StoredFieldsReader;
import org.apache.lucene.codecs.StoredFieldsWriter;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.FieldInfos;
import org.apache.lucene.index.MergeState;
import org.apache.lucene.index.SegmentInfo;
import org.apache.lucene.index.StoredFieldDataInput;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * Stored fields of which some never reach the file: in a new segment somebody takes their values.
 * So a codec is given what a document brings for it, document by document and in their order,
 * beside what Lucene gathers. Merges are not looked at.
 */
public final class TakenStoredFields extends StoredFieldsFormat {
  private final StoredFieldsFormat in;
  private final Takers takers;

  /** Who takes values, for each segment that is written. */
  public interface Takers {
    /** For a new segment; called once, before its first document. */
    Taker open(SegmentInfo segment);
  }

  /** Who takes the values of one segment; for one thread. */
  public interface Taker {
    /** Whether the binary values of a field are taken; always the same answer for a field. */
    boolean takes(FieldInfo field);

    /** Takes a value, which is valid during the call; documents come in order. */
    void take(FieldInfo field, int document, BytesRef value);

    /** All documents were there. */
    default void finish() {}

    /** Heap that is held, bytes; asked after each document. */
    long ramBytesUsed();
  }

  /** Takes values before the format beneath sees them. */
  public TakenStoredFields(StoredFieldsFormat in, Takers takers) {
    this.in = in;
    this.takers = takers;
  }

  /** The takers of a class that a format has, wherever they stand in it; null if it has none. */
  public static <T extends Takers> @Nullable T takers(StoredFieldsFormat format, Class<T> kind) {
    StoredFieldsFormat at = format;
    while (at instanceof TakenStoredFields taken) {
      if (kind.isInstance(taken.takers)) {
        return kind.cast(taken.takers);
      }
      at = taken.in;
    }
    return null;
  }

  @Override
  public StoredFieldsWriter fieldsWriter(Directory directory, SegmentInfo info, IOContext context)
      throws IOException {
    StoredFieldsWriter writer = in.fieldsWriter(directory, info, context);
    return context.context() == IOContext.Context.MERGE
        ? writer
        : new Writer(writer, takers.open(info));
  }

  @Override
  public StoredFieldsReader fieldsReader(
      Directory directory, SegmentInfo info, FieldInfos fields, IOContext context)
      throws IOException {
    return in.fieldsReader(directory, info, fields, context);
  }

  private static final class Writer extends StoredFieldsWriter {
    private final StoredFieldsWriter in;
    private final Taker taker;
    private int document = -1;

    Writer(StoredFieldsWriter in, Taker taker) {
      this.in = in;
      this.taker = taker;
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
      if (taker.takes(field)) {
        taker.take(field, document, value);
      } else {
        in.writeField(field, value);
      }
    }

    /** So they come in a sorted segment, which Lucene writes from a temporary file. */
    @Override
    public void writeField(FieldInfo field, StoredFieldDataInput value) throws IOException {
      if (taker.takes(field)) {
        byte[] bytes = new byte[value.getLength()];
        value.getDataInput().readBytes(bytes, 0, bytes.length);
        taker.take(field, document, new BytesRef(bytes));
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
      taker.finish();
    }

    @Override
    public void close() throws IOException {
      in.close();
    }

    @Override
    public long ramBytesUsed() {
      return in.ramBytesUsed() + taker.ramBytesUsed();
    }
  }
}
