package io.millrace.write.fastengine;

import java.util.List;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.StoredValue;
import org.apache.lucene.index.DocValuesSkipIndexType;
import org.apache.lucene.index.DocValuesType;
import org.apache.lucene.index.IndexableField;
import org.apache.lucene.sandbox.document.HalfFloatPoint;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.NumericUtils;
import org.jspecify.annotations.Nullable;

/**
 * One Lucene field for what stock makes two of: the point and the doc value of a number.
 *
 * <p>Lucene takes every facet of a field from one object (IndexingChain.processField in Lucene
 * 10.5), so that the index is the same and a field costs one look-up instead of two. The value is
 * sortable bits: the number itself, or the bits of a float or double as NumericUtils orders them,
 * of a half-float as HalfFloatPoint does.
 */
final class NumericField extends Field {
  private final boolean wide;
  private long value;

  /**
   * @param type points of 2, 4 or 8 bytes, doc values, or both
   * @param wide whether points have 8 bytes
   */
  NumericField(String name, FieldType type, boolean wide, long value) {
    super(name, type);
    this.wide = wide;
    this.value = value;
  }

  /**
   * Points, doc values or both, as the mapping says; the skip index is what stock made.
   *
   * @param bytes of a point, 2, 4 or 8
   * @param made stock's Lucene fields for the sample
   * @return null if the field has neither
   */
  static @Nullable FieldType type(MappedField field, int bytes, List<IndexableField> made) {
    if (!field.indexed() && !field.docValues()) {
      return null;
    }
    FieldType type = new FieldType();
    if (field.indexed()) {
      type.setDimensions(1, bytes);
    }
    if (field.docValues()) {
      type.setDocValuesType(DocValuesType.SORTED_NUMERIC);
      for (IndexableField one : made) {
        if (one.fieldType().docValuesSkipIndexType() != DocValuesSkipIndexType.NONE) {
          type.setDocValuesSkipIndexType(one.fieldType().docValuesSkipIndexType());
        }
      }
    }
    type.freeze();
    return type;
  }

  @Override
  public Number numericValue() {
    return value;
  }

  @Override
  public void setLongValue(long value) {
    this.value = value;
  }

  @Override
  public BytesRef binaryValue() {
    if (fieldType().pointNumBytes() == HalfFloatPoint.BYTES) {
      // as HalfFloatPoint#pack: the sign bit is flipped, so that bytes order as numbers do
      int half = (int) value ^ 0x8000;
      return new BytesRef(new byte[] {(byte) (half >> 8), (byte) half});
    }
    byte[] bytes = new byte[wide ? Long.BYTES : Integer.BYTES];
    if (wide) {
      NumericUtils.longToSortableBytes(value, bytes, 0);
    } else {
      NumericUtils.intToSortableBytes((int) value, bytes, 0);
    }
    return new BytesRef(bytes);
  }

  @Override
  public @Nullable StoredValue storedValue() {
    return null;
  }
}
