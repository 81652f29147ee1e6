package io.millrace.write.fastengine;

import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.StoredValue;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.NumericUtils;
import org.jspecify.annotations.Nullable;

/**
 * One Lucene field for what stock makes two of: the point and the doc value of a number.
 *
 * <p>Lucene takes every facet of a field from one object (IndexingChain.processField in Lucene
 * 10.5), so that the index is the same and a field costs one look-up instead of two. The value is
 * sortable bits: the number itself, or the bits of a float or double as NumericUtils orders them.
 */
final class NumericField extends Field {
  private final boolean wide;
  private long value;

  /**
   * @param type points of 4 or 8 bytes, doc values, or both
   * @param wide whether points have 8 bytes
   */
  NumericField(String name, FieldType type, boolean wide, long value) {
    super(name, type);
    this.wide = wide;
    this.value = value;
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
