package io.millrace.write.fastengine;

import java.util.List;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.index.IndexableField;
import org.jspecify.annotations.Nullable;

/**
 * Dates of millisecond resolution: ISO-8601 strings ({@link IsoDate}) and milliseconds since 1970.
 *
 * <p>Stock: DateFieldMapper#parseCreateField. Milliseconds are taken with 6 to 15 digits and
 * without a leading zero: fewer digits may be a year to {@code strict_date_optional_time}, which
 * comes first in the default format.
 */
final class DateWriter implements FieldWriter {
  private final String name;
  private final @Nullable FieldType type;
  private final boolean stored;
  private final boolean iso;
  private final boolean epochMillis;

  DateWriter(
      String name, @Nullable FieldType type, boolean stored, boolean iso, boolean epochMillis) {
    this.name = name;
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
    if (iso && kind == Kind.STRING) {
      millis = IsoDate.millis(json.text, json.offset, json.length);
    }
    if (millis == IsoDate.NONE && epochMillis) {
      millis = digits(json.text, json.offset, json.length);
    }
    if (millis == IsoDate.NONE) {
      return false;
    }
    if (type != null) {
      out.add(new NumericField(name, type, true, millis));
    }
    if (stored) {
      out.add(new StoredField(name, millis));
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
