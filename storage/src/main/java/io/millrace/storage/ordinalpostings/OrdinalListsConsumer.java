package io.millrace.storage.ordinalpostings;

import java.io.IOException;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.codecs.DocValuesConsumer;
import org.apache.lucene.codecs.DocValuesFormat;
import org.apache.lucene.codecs.DocValuesProducer;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.index.MergeState;
import org.apache.lucene.index.SegmentWriteState;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;

/** Hands all values to the delegate and writes the lists of {@link OrdinalListsDocValuesFormat}. */
final class OrdinalListsConsumer extends DocValuesConsumer {
  private final SegmentWriteState state;
  private final int capacity;
  private final @Nullable GatheredIds ids;
  private final DocValuesConsumer delegate;
  private final IndexOutput meta;
  private final IndexOutput data;
  private boolean closed;

  OrdinalListsConsumer(
      SegmentWriteState state, DocValuesFormat format, int capacity, @Nullable GatheredIds ids)
      throws IOException {
    this.state = state;
    this.capacity = capacity;
    this.ids = state.context.context() == IOContext.Context.MERGE ? null : ids;
    DocValuesConsumer values = null;
    IndexOutput metaOut = null;
    IndexOutput dataOut = null;
    try {
      values = format.fieldsConsumer(state);
      metaOut =
          create(
              OrdinalListsDocValuesFormat.META_EXTENSION, OrdinalListsDocValuesFormat.META_CODEC);
      metaOut.writeString(format.getName());
      dataOut =
          create(
              OrdinalListsDocValuesFormat.DATA_EXTENSION, OrdinalListsDocValuesFormat.DATA_CODEC);
    } catch (Throwable t) {
      IOUtils.closeWhileHandlingException(values, metaOut, dataOut);
      throw t;
    }
    this.delegate = values;
    this.meta = metaOut;
    this.data = dataOut;
  }

  private IndexOutput create(String extension, String codec) throws IOException {
    String name =
        IndexFileNames.segmentFileName(state.segmentInfo.name, state.segmentSuffix, extension);
    IndexOutput out = state.directory.createOutput(name, state.context);
    try {
      CodecUtil.writeIndexHeader(
          out,
          codec,
          OrdinalListsDocValuesFormat.VERSION,
          state.segmentInfo.getId(),
          state.segmentSuffix);
      return out;
    } catch (Throwable t) {
      IOUtils.closeWhileHandlingException(out);
      throw t;
    }
  }

  @Override
  public void addSortedSetField(FieldInfo field, DocValuesProducer lucenes) throws IOException {
    SortedIds gathered =
        ids == null ? null : ids.sorted(state.segmentInfo, field.name, lucenes.getSortedSet(field));
    DocValuesProducer values = gathered == null ? lucenes : gathered;
    delegate.addSortedSetField(field, values);
    if (OrdinalListsDocValuesFormat.lists(field)) {
      writeLists(field, values.getSortedSet(field));
    }
  }

  private void writeLists(FieldInfo field, SortedSetDocValues values) throws IOException {
    long terms = values.getValueCount();
    int documents = 0;
    try (SortedPairs pairs =
        new SortedPairs(
            state.directory,
            state.segmentInfo.name,
            state.context,
            terms,
            values.cost(),
            capacity)) {
      for (int doc = values.nextDoc();
          doc != DocIdSetIterator.NO_MORE_DOCS;
          doc = values.nextDoc()) {
        for (int i = values.docValueCount(); i > 0; i--) {
          pairs.add(values.nextOrd(), doc);
        }
        documents++;
      }
      pairs.finish();
      meta.writeInt(field.number);
      meta.writeVLong(terms);
      meta.writeVLong(pairs.size());
      meta.writeVInt(documents);
      if (terms > 0) {
        TermSamples.write(values, meta, data);
        new ListsWriter(field.name, terms, pairs).write(meta, data);
      }
    }
  }

  /** Where lists are wanted, the merged values are needed here; else the delegate merges alone. */
  @Override
  public void mergeSortedSetField(FieldInfo field, MergeState merge) throws IOException {
    if (OrdinalListsDocValuesFormat.lists(field)) {
      super.mergeSortedSetField(field, merge);
    } else {
      delegate.mergeSortedSetField(field, merge);
    }
  }

  @Override
  public void addNumericField(FieldInfo field, DocValuesProducer values) throws IOException {
    delegate.addNumericField(field, values);
  }

  @Override
  public void addBinaryField(FieldInfo field, DocValuesProducer values) throws IOException {
    delegate.addBinaryField(field, values);
  }

  @Override
  public void addSortedField(FieldInfo field, DocValuesProducer values) throws IOException {
    delegate.addSortedField(field, values);
  }

  @Override
  public void addSortedNumericField(FieldInfo field, DocValuesProducer values) throws IOException {
    delegate.addSortedNumericField(field, values);
  }

  @Override
  public void mergeNumericField(FieldInfo field, MergeState merge) throws IOException {
    delegate.mergeNumericField(field, merge);
  }

  @Override
  public void mergeBinaryField(FieldInfo field, MergeState merge) throws IOException {
    delegate.mergeBinaryField(field, merge);
  }

  @Override
  public void mergeSortedField(FieldInfo field, MergeState merge) throws IOException {
    delegate.mergeSortedField(field, merge);
  }

  @Override
  public void mergeSortedNumericField(FieldInfo field, MergeState merge) throws IOException {
    delegate.mergeSortedNumericField(field, merge);
  }

  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    try {
      meta.writeInt(-1);
      CodecUtil.writeFooter(meta);
      CodecUtil.writeFooter(data);
    } catch (Throwable t) {
      IOUtils.closeWhileHandlingException(delegate, meta, data);
      throw t;
    }
    IOUtils.close(delegate, meta, data);
  }
}
