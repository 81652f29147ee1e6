package io.millrace.storage.ordinalpostings;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.codecs.DocValuesFormat;
import org.apache.lucene.codecs.DocValuesProducer;
import org.apache.lucene.index.BinaryDocValues;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.DocValuesSkipper;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.SegmentReadState;
import org.apache.lucene.index.SortedDocValues;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.store.ChecksumIndexInput;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;

/** The delegate's doc values, and the lists of {@link OrdinalListsDocValuesFormat}. */
final class OrdinalListsProducer extends DocValuesProducer {
  private final DocValuesProducer delegate;
  private final IndexInput data;
  private final Map<Integer, OrdinalLists> lists;

  private OrdinalListsProducer(
      DocValuesProducer delegate, IndexInput data, Map<Integer, OrdinalLists> lists) {
    this.delegate = delegate;
    this.data = data;
    this.lists = lists;
  }

  static OrdinalListsProducer open(SegmentReadState state) throws IOException {
    IndexInput data = null;
    DocValuesProducer delegate = null;
    try {
      data = openData(state);
      Map<Integer, OrdinalLists> lists = new HashMap<>();
      delegate = DocValuesFormat.forName(readMeta(state, data, lists)).fieldsProducer(state);
      return new OrdinalListsProducer(delegate, data, lists);
    } catch (Throwable t) {
      IOUtils.closeWhileHandlingException(data, delegate);
      throw t;
    }
  }

  private static String name(SegmentReadState state, String extension) {
    return IndexFileNames.segmentFileName(state.segmentInfo.name, state.segmentSuffix, extension);
  }

  private static IndexInput openData(SegmentReadState state) throws IOException {
    IndexInput data =
        state.directory.openInput(
            name(state, OrdinalListsDocValuesFormat.DATA_EXTENSION), state.context);
    try {
      checkHeader(data, state, OrdinalListsDocValuesFormat.DATA_CODEC);
      CodecUtil.retrieveChecksum(data);
      return data;
    } catch (Throwable t) {
      IOUtils.closeWhileHandlingException(data);
      throw t;
    }
  }

  private static void checkHeader(IndexInput in, SegmentReadState state, String codec)
      throws IOException {
    CodecUtil.checkIndexHeader(
        in,
        codec,
        OrdinalListsDocValuesFormat.VERSION,
        OrdinalListsDocValuesFormat.VERSION,
        state.segmentInfo.getId(),
        state.segmentSuffix);
  }

  /** Fills the lists; gives the delegate's name. */
  private static String readMeta(
      SegmentReadState state, IndexInput data, Map<Integer, OrdinalLists> lists)
      throws IOException {
    try (ChecksumIndexInput meta =
        state.directory.openChecksumInput(
            name(state, OrdinalListsDocValuesFormat.META_EXTENSION))) {
      Throwable failure = null;
      String format = "";
      try {
        checkHeader(meta, state, OrdinalListsDocValuesFormat.META_CODEC);
        format = meta.readString();
        for (int number = meta.readInt(); number != -1; number = meta.readInt()) {
          FieldInfo field = state.fieldInfos.fieldInfo(number);
          if (field == null || !OrdinalListsDocValuesFormat.lists(field)) {
            throw new CorruptIndexException("field " + number + " cannot have lists", meta);
          }
          lists.put(number, OrdinalLists.read(field, state.segmentInfo.maxDoc(), meta, data));
        }
      } catch (Throwable t) {
        failure = t;
      } finally {
        CodecUtil.checkFooter(meta, failure);
      }
      return format;
    }
  }

  /** The lists of a field, or null if the segment has none for it. */
  @Nullable OrdinalLists lists(FieldInfo field) {
    return lists.get(field.number);
  }

  @Override
  public NumericDocValues getNumeric(FieldInfo field) throws IOException {
    return delegate.getNumeric(field);
  }

  @Override
  public BinaryDocValues getBinary(FieldInfo field) throws IOException {
    return delegate.getBinary(field);
  }

  @Override
  public SortedDocValues getSorted(FieldInfo field) throws IOException {
    return delegate.getSorted(field);
  }

  @Override
  public SortedNumericDocValues getSortedNumeric(FieldInfo field) throws IOException {
    return delegate.getSortedNumeric(field);
  }

  @Override
  public SortedSetDocValues getSortedSet(FieldInfo field) throws IOException {
    return delegate.getSortedSet(field);
  }

  @Override
  public DocValuesSkipper getSkipper(FieldInfo field) throws IOException {
    return delegate.getSkipper(field);
  }

  @Override
  public DocValuesProducer getMergeInstance() {
    return new OrdinalListsProducer(delegate.getMergeInstance(), data, lists);
  }

  @Override
  public void checkIntegrity() throws IOException {
    delegate.checkIntegrity();
    CodecUtil.checksumEntireFile(data);
  }

  @Override
  public void close() throws IOException {
    IOUtils.close(delegate, data);
  }
}
