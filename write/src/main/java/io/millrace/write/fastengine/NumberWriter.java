package io.millrace.write.fastengine;

import java.util.List;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.index.IndexableField;
import org.apache.lucene.sandbox.document.HalfFloatPoint;
import org.apache.lucene.util.NumericUtils;
import org.jspecify.annotations.Nullable;

/**
 * Numbers written as JSON numbers: byte, short, integer, long, half_float, float and double.
 *
 * <p>Stock: NumberFieldMapper#parseCreateField and NumberFieldMapper.NumberType#createFields at
 * 3.8.0. Numbers in strings, integers with a fraction (coercion), exponents, negative zero and more
 * digits than are surely exact are left to stock. A fraction of at most 15 digits is one correctly
 * rounded division of two exactly known doubles (W. D. Clinger, "How to Read Floating Point Numbers
 * Accurately", 1990); a float is then exact unless the double lies on the middle of two floats,
 * which is left to stock too.
 */
final class NumberWriter implements FieldWriter {
  /** The widths of numbers. */
  enum Width {
    BYTE(Byte.MIN_VALUE, Byte.MAX_VALUE),
    SHORT(Short.MIN_VALUE, Short.MAX_VALUE),
    INTEGER(Integer.MIN_VALUE, Integer.MAX_VALUE),
    LONG(Long.MIN_VALUE, Long.MAX_VALUE),
    HALF_FLOAT(0, 0),
    FLOAT(0, 0),
    DOUBLE(0, 0);

    final long least;
    final long most;

    Width(long least, long most) {
      this.least = least;
      this.most = most;
    }
  }

  private static final int EXACT_LONG_DIGITS = 18;
  private static final int EXACT_DOUBLE_DIGITS = 15;
  private static final double[] POWERS = {
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15
  };

  private final String name;
  private final Width width;
  private final @Nullable FieldType type;
  private final boolean stored;

  /**
   * @param type points, doc values or both; null if the field has neither
   */
  NumberWriter(String name, Width width, @Nullable FieldType type, boolean stored) {
    this.name = name;
    this.width = width;
    this.type = type;
    this.stored = stored;
  }

  @Override
  public boolean write(JsonBytes json, Kind kind, List<IndexableField> out) {
    if (kind != Kind.NUMBER || (json.negative && json.mantissa == 0)) {
      return false;
    }
    if (width == Width.HALF_FLOAT || width == Width.FLOAT || width == Width.DOUBLE) {
      return writeFloating(json, out);
    }
    if (!json.integral || json.digits > EXACT_LONG_DIGITS) {
      return false;
    }
    long value = json.negative ? -json.mantissa : json.mantissa;
    if (value < width.least || value > width.most) {
      return false;
    }
    if (type != null) {
      out.add(new NumericField(name, type, width == Width.LONG, value));
    }
    if (stored) {
      out.add(
          width == Width.LONG ? new StoredField(name, value) : new StoredField(name, (int) value));
    }
    return true;
  }

  private boolean writeFloating(JsonBytes json, List<IndexableField> out) {
    if (json.hasExponent || json.digits > EXACT_DOUBLE_DIGITS) {
      return false;
    }
    double magnitude = json.mantissa / POWERS[json.fractionDigits];
    double value = json.negative ? -magnitude : magnitude;
    if (width == Width.DOUBLE) {
      if (type != null) {
        out.add(new NumericField(name, type, true, NumericUtils.doubleToSortableLong(value)));
      }
      if (stored) {
        out.add(new StoredField(name, value));
      }
      return true;
    }
    if ((Double.doubleToRawLongBits(value) & 0x1FFF_FFFFL) == 0x1000_0000L) {
      return false;
    }
    float narrow = (float) value;
    if (width == Width.HALF_FLOAT) {
      return writeHalf(narrow, out);
    }
    if (type != null) {
      out.add(new NumericField(name, type, false, NumericUtils.floatToSortableInt(narrow)));
    }
    if (stored) {
      out.add(new StoredField(name, narrow));
    }
    return true;
  }

  private boolean writeHalf(float value, List<IndexableField> out) {
    short sortable = HalfFloatPoint.halfFloatToSortableShort(value);
    if (!Float.isFinite(HalfFloatPoint.sortableShortToHalfFloat(sortable))) {
      return false;
    }
    if (type != null) {
      out.add(new NumericField(name, type, false, sortable));
    }
    if (stored) {
      out.add(new StoredField(name, value));
    }
    return true;
  }
}
