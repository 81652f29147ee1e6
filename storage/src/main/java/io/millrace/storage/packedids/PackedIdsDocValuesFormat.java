package io.millrace.storage.packedids;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.lucene.codecs.DocValuesConsumer;
import org.apache.lucene.codecs.DocValuesFormat;
import org.apache.lucene.codecs.DocValuesProducer;
import org.apache.lucene.codecs.lucene90.Lucene90DocValuesFormat;
import org.apache.lucene.index.BinaryDocValues;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.DocValuesSkipper;
import org.apache.lucene.index.DocValuesType;
import org.apache.lucene.index.EmptyDocValuesProducer;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.MergeState;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.SegmentReadState;
import org.apache.lucene.index.SegmentWriteState;
import org.apache.lucene.index.SortedDocValues;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.index.TermsEnum;
import org.jspecify.annotations.Nullable;

/**
 * Lucene's doc values with the terms of hexadecimal fields in half their bytes. This comment is the
 * specification of {@code MillracePackedIds1050} among doc values.
 *
 * <p>The files are those of {@link Lucene90DocValuesFormat} under this format's suffix. Sorted and
 * sorted set fields are packed by the rule of {@link PackedIdsPostingsFormat}, on their own terms;
 * each term of the delegate is then width / 2 bytes. The attribute is {@code
 * PackedIdsDocValues.width}. It is written for every sorted and sorted set field; one that the
 * delegate has and that lacks it is damage. Ordinals, skip index and all other kinds of doc values
 * are the delegate's.
 */
public final class PackedIdsDocValuesFormat extends DocValuesFormat {
  static final String NAME = PackedIdsPostingsFormat.NAME;
  static final String WIDTH = "PackedIdsDocValues.width";

  private final DocValuesFormat delegate = new Lucene90DocValuesFormat();

  /** For Lucene's registry, and for each codec that writes. */
  public PackedIdsDocValuesFormat() {
    super(NAME);
  }

  @Override
  public DocValuesConsumer fieldsConsumer(SegmentWriteState state) throws IOException {
    return new Consumer(delegate.fieldsConsumer(state));
  }

  @Override
  public DocValuesProducer fieldsProducer(SegmentReadState state) throws IOException {
    return new Producer(delegate.fieldsProducer(state), state);
  }

  private static final class Consumer extends DocValuesConsumer {
    private final DocValuesConsumer in;

    /** What a merge has found out about the field that it adds next, or null. */
    private @Nullable Integer known;

    Consumer(DocValuesConsumer in) {
      this.in = in;
    }

    private int width(FieldInfo field, TermsEnum terms) throws IOException {
      int width = known != null ? known : HexTerms.commonWidth(terms);
      known = null;
      int allowed = field.name.startsWith("_") ? 0 : width;
      HexTerms.record(field, WIDTH, allowed);
      return allowed;
    }

    @Override
    public void addSortedField(FieldInfo field, DocValuesProducer values) throws IOException {
      int width = width(field, values.getSorted(field).termsEnum());
      in.addSortedField(field, width == 0 ? values : new Packing(values, width));
    }

    @Override
    public void addSortedSetField(FieldInfo field, DocValuesProducer values) throws IOException {
      int width = width(field, values.getSortedSet(field).termsEnum());
      in.addSortedSetField(field, width == 0 ? values : new Packing(values, width));
    }

    @Override
    public void mergeSortedField(FieldInfo field, MergeState state) throws IOException {
      known = packedEverywhere(field, state);
      super.mergeSortedField(field, state);
    }

    @Override
    public void mergeSortedSetField(FieldInfo field, MergeState state) throws IOException {
      known = packedEverywhere(field, state);
      super.mergeSortedSetField(field, state);
    }

    /** The width that all segments with values of this field have, or null if they differ. */
    private static @Nullable Integer packedEverywhere(FieldInfo merged, MergeState state)
        throws IOException {
      Integer width = null;
      for (int i = 0; i < state.docValuesProducers.length; i++) {
        DocValuesProducer producer = state.docValuesProducers[i];
        FieldInfo field = state.fieldInfos[i].fieldInfo(merged.name);
        if (producer == null || field == null) {
          continue;
        }
        int one = 0;
        if (field.getDocValuesType() == DocValuesType.SORTED) {
          one = width(producer.getSorted(field));
        } else if (field.getDocValuesType() == DocValuesType.SORTED_SET) {
          SortedSetDocValues values = producer.getSortedSet(field);
          SortedDocValues single = DocValues.unwrapSingleton(values);
          one =
              single != null
                  ? width(single)
                  : values instanceof PackedSortedSet packed ? packed.width : 0;
        } else {
          continue;
        }
        if (one == 0 || (width != null && width != one)) {
          return null;
        }
        width = one;
      }
      return width;
    }

    private static int width(SortedDocValues values) {
      return values instanceof PackedSorted packed ? packed.width : 0;
    }

    @Override
    public void addNumericField(FieldInfo field, DocValuesProducer values) throws IOException {
      in.addNumericField(field, values);
    }

    @Override
    public void addBinaryField(FieldInfo field, DocValuesProducer values) throws IOException {
      in.addBinaryField(field, values);
    }

    @Override
    public void addSortedNumericField(FieldInfo field, DocValuesProducer values)
        throws IOException {
      in.addSortedNumericField(field, values);
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }

  /** The values of one field on their way to the delegate, which reads terms by iterating. */
  private static final class Packing extends EmptyDocValuesProducer {
    private final DocValuesProducer in;
    private final int width;

    Packing(DocValuesProducer in, int width) {
      this.in = in;
      this.width = width;
    }

    @Override
    public SortedDocValues getSorted(FieldInfo field) throws IOException {
      return new PackingSorted(in.getSorted(field), width);
    }

    @Override
    public SortedSetDocValues getSortedSet(FieldInfo field) throws IOException {
      SortedSetDocValues values = in.getSortedSet(field);
      SortedDocValues single = DocValues.unwrapSingleton(values);
      return single != null
          ? DocValues.singleton(new PackingSorted(single, width))
          : new PackingSortedSet(values, width);
    }
  }

  private static final class Producer extends DocValuesProducer {
    private final DocValuesProducer in;
    private final Map<String, Integer> widths;

    Producer(DocValuesProducer in, SegmentReadState state) throws IOException {
      this.in = in;
      this.widths = new HashMap<>();
      try {
        for (FieldInfo field : state.fieldInfos) {
          DocValuesType type = field.getDocValuesType();
          int width = HexTerms.recorded(field, WIDTH);
          if (width >= 0 && (type == DocValuesType.SORTED || type == DocValuesType.SORTED_SET)) {
            widths.put(field.name, width);
          }
        }
      } catch (CorruptIndexException e) {
        in.close();
        throw e;
      }
    }

    private Producer(DocValuesProducer in, Map<String, Integer> widths) {
      this.in = in;
      this.widths = widths;
    }

    private int width(FieldInfo field) throws CorruptIndexException {
      Integer width = widths.get(field.name);
      if (width == null) {
        throw new CorruptIndexException("the attribute " + WIDTH + " is missing", field.name);
      }
      return width;
    }

    @Override
    public SortedDocValues getSorted(FieldInfo field) throws IOException {
      int width = width(field);
      SortedDocValues values = in.getSorted(field);
      return width == 0 ? values : new PackedSorted(values, width);
    }

    @Override
    public SortedSetDocValues getSortedSet(FieldInfo field) throws IOException {
      int width = width(field);
      SortedSetDocValues values = in.getSortedSet(field);
      if (width == 0) {
        return values;
      }
      SortedDocValues single = DocValues.unwrapSingleton(values);
      return single != null
          ? DocValues.singleton(new PackedSorted(single, width))
          : new PackedSortedSet(values, width);
    }

    @Override
    public NumericDocValues getNumeric(FieldInfo field) throws IOException {
      return in.getNumeric(field);
    }

    @Override
    public BinaryDocValues getBinary(FieldInfo field) throws IOException {
      return in.getBinary(field);
    }

    @Override
    public SortedNumericDocValues getSortedNumeric(FieldInfo field) throws IOException {
      return in.getSortedNumeric(field);
    }

    @Override
    public @Nullable DocValuesSkipper getSkipper(FieldInfo field) throws IOException {
      return in.getSkipper(field);
    }

    @Override
    public DocValuesProducer getMergeInstance() {
      return new Producer(in.getMergeInstance(), widths);
    }

    @Override
    public void checkIntegrity() throws IOException {
      in.checkIntegrity();
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }
}
