package io.millrace.write.fastengine;

import java.util.List;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.index.IndexableField;
import org.jspecify.annotations.Nullable;

/**
 * Dates of millisecond or nanosecond resolution: ISO-8601 strings ({@link IsoDate}) and
 * milliseconds since 1970.
 *
 * <p>Stock: DateFieldMapper#parseCreateField. Milliseconds are taken with 6 to 15 digits and
 * without a leading zero: fewer digits may be a year to {@code strict_date_optional_time}, which
 * comes first in the default format. Nanoseconds are counted from 1970 to 2262 (DateUtils#toLong);
 * what lies outside is stock's to refuse.
 */
final class DateWriter implements FieldWriter {
  /** What a field counts since 1970. */
  enum Unit {
    MILLIS,
    NANOS
  }

  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final long MOST_MILLIS = Long.MAX_VALUE / NANOS_PER_MILLI - 1;

  private final String name;
  private final Unit unit;
  private final @Nullable FieldType type;
  private final boolean stored;
  private final boolean iso;
  private final boolean epochMillis;

  DateWriter(
      String name,
      Unit unit,
      @Nullable FieldType type,
      boolean stored,
      boolean iso,
      boolean epochMillis) {
    this.name = name;
    this.unit = unit;
    this.type = type;
    this.stored = stored;
    this.iso = iso;
    this.epochMillis = epochMillis;
  }

  @Override
  public boolean write(JsonBytes json, Kind kind, List<IndexableField> out) {
    if (kind == Kind.TRUE || kind == Kind.FALSE) {
      return false;
    }
    long millis = IsoDate.NONE;
    int rest = 0;
    if (iso && kind == Kind.STRING) {
      millis = IsoDate.millis(json.text, json.offset, json.length);
      rest = millis == IsoDate.NONE ? 0 : IsoDate.nanosOfMilli(json.text, json.offset, json.length);
    }
    if (millis == IsoDate.NONE && epochMillis) {
      millis = digits(json.text, json.offset, json.length);
    }
    if (millis == IsoDate.NONE || (unit == Unit.NANOS && (millis < 0 || millis > MOST_MILLIS))) {
      return false;
    }
    long value = unit == Unit.NANOS ? millis * NANOS_PER_MILLI + rest : millis;
    if (type != null) {
      out.add(new NumericField(name, type, true, value));
    }
    if (stored) {
      out.add(new StoredField(name, value));
    }
    return true;
  }

  private static long digits(byte[] text, int offset, int length) {
    if (length < 6 || length > 15 || text[offset] == '0') {
      return IsoDate.NONE;
    }
    long value = 0;
    for (int i = offset; i < offset + length; i++) {
      if (!JsonBytes.isDigit(text[i])) {
        return IsoDate.NONE;
      }
      value = value * 10 + (text[i] - '0');
    }
    return value;
  }
}
