package io.millrace.search.columns;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.util.ArrayUtil;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.xcontent.XContentBuilder;

/**
 * Writes a table as a JSON object for each row, one in a line.
 *
 * <p>Why not by an {@code XContentBuilder}: it is one document, so each line needs a builder and
 * its buffers, which cost more than the line. Names, and strings with characters to escape, are
 * still written by one.
 */
final class JsonLines {
  private byte[] bytes = new byte[1 << 14];
  private int length;

  private JsonLines() {}

  static BytesReference of(ColumnTable table) throws IOException {
    JsonLines lines = new JsonLines();
    List<TableColumn> columns = table.columns();
    List<byte[]> names = new ArrayList<>();
    for (TableColumn column : columns) {
      names.add(escaped(column.name()));
    }
    for (int row = 0; row < table.rows(); row++) {
      for (int c = 0; c < names.size(); c++) {
        lines.add(c == 0 ? '{' : ',');
        lines.add(names.get(c));
        lines.add(':');
        lines.row(columns.get(c), row);
      }
      lines.add('}');
      lines.add('\n');
    }
    return new BytesArray(lines.bytes, 0, lines.length);
  }

  /** The values of a row: null, one value, or a list of several. */
  private void row(TableColumn column, int row) throws IOException {
    int count = column.count(row);
    if (column.list() || count > 1) {
      add('[');
      for (int i = 0; i < count; i++) {
        if (i > 0) {
          add(',');
        }
        value(column, row, i);
      }
      add(']');
    } else if (count == 0) {
      ascii("null");
    } else {
      value(column, row, 0);
    }
  }

  private void value(TableColumn column, int row, int value) throws IOException {
    switch (column.kind()) {
      case LONG -> ascii(Long.toString(column.number(row, value)));
      case BOOLEAN -> ascii(Boolean.toString(column.number(row, value) != 0));
      case DOUBLE -> number(column.floating(row, value));
      default -> text(column.text(row, value));
    }
  }

  private void number(double value) throws IOException {
    if (Double.isFinite(value)) {
      ascii(Double.toString(value));
    } else {
      text(Double.toString(value));
    }
  }

  private void text(String text) throws IOException {
    for (int i = 0; i < text.length(); i++) {
      char each = text.charAt(i);
      if (each < ' ' || each > '~' || each == '"' || each == '\\') {
        add(escaped(text));
        return;
      }
    }
    add('"');
    ascii(text);
    add('"');
  }

  private static byte[] escaped(String text) throws IOException {
    try (XContentBuilder builder = JsonXContent.contentBuilder()) {
      // in a list: a string alone is no document
      String list =
          BytesReference.bytes(builder.startArray().value(text).endArray()).utf8ToString();
      return list.substring(1, list.length() - 1).getBytes(StandardCharsets.UTF_8);
    }
  }

  private void ascii(String text) {
    room(text.length());
    for (int i = 0; i < text.length(); i++) {
      bytes[length++] = (byte) text.charAt(i);
    }
  }

  private void add(byte[] all) {
    room(all.length);
    System.arraycopy(all, 0, bytes, length, all.length);
    length += all.length;
  }

  private void add(char one) {
    room(1);
    bytes[length++] = (byte) one;
  }

  private void room(int more) {
    bytes = ArrayUtil.grow(bytes, length + more);
  }
}
