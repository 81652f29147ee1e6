package io.millrace.search.columns;

import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.time.DateFormatter;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;

/**
 * A column that a client asks for.
 *
 * @param field a field of the mapping, or {@code _id}, {@code _index}, {@code _score}
 * @param format the date format of its strings in JSON, null for that of the mapping
 * @param list whether each row of it is a list, also where there is one value or none
 */
record ColumnSpec(String field, @Nullable String format, boolean list) implements Writeable {
  static final String ID = "_id";
  static final String INDEX = "_index";
  static final String SCORE = "_score";

  ColumnSpec(StreamInput in) throws IOException {
    this(in.readString(), in.readOptionalString(), in.readBoolean());
  }

  @Override
  public void writeTo(StreamOutput out) throws IOException {
    out.writeString(field);
    out.writeOptionalString(format);
    out.writeBoolean(list);
  }

  /**
   * @param item a name, or an object with {@code field}, {@code format} and {@code list}
   * @throws IllegalArgumentException when it is neither
   */
  static ColumnSpec parse(Object item) {
    if (item instanceof String name) {
      return checked(name, null, false);
    }
    if (!(item instanceof Map<?, ?> map)) {
      throw new IllegalArgumentException(
          "[columns] has [" + item + "]; write the name of a field or {\"field\": \"name\"}");
    }
    for (Object key : map.keySet()) {
      if (!key.equals("field") && !key.equals("format") && !key.equals("list")) {
        throw new IllegalArgumentException(
            "[columns] has the unknown key [" + key + "]; known are [field], [format] and [list]");
      }
    }
    Object list = map.get("list");
    if (list != null && !(list instanceof Boolean)) {
      throw new IllegalArgumentException("[columns.list] is [" + list + "]; use true or false");
    }
    Object format = map.get("format");
    return checked(
        map.get("field"), format == null ? null : format.toString(), Boolean.TRUE.equals(list));
  }

  private static ColumnSpec checked(@Nullable Object name, @Nullable String format, boolean list) {
    if (!(name instanceof String field) || field.isBlank()) {
      throw new IllegalArgumentException("[columns.field] is [" + name + "]; name a field");
    }
    if (field.indexOf('*') >= 0) {
      throw new IllegalArgumentException(
          "[columns.field] is [" + field + "]; name each field, patterns are not expanded");
    }
    if (format != null) {
      try {
        DateFormatter.forPattern(format);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            "[columns.format] is [" + format + "]; use a date format: " + e.getMessage(), e);
      }
    }
    return new ColumnSpec(field, format, list);
  }
}
