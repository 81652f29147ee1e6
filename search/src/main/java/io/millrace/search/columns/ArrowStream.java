package io.millrace.search.columns;

import com.google.flatbuffers.FlatBufferBuilder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.flatbuf.Bool;
import org.apache.arrow.flatbuf.Buffer;
import org.apache.arrow.flatbuf.Field;
import org.apache.arrow.flatbuf.FieldNode;
import org.apache.arrow.flatbuf.FloatingPoint;
import org.apache.arrow.flatbuf.Int;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.MetadataVersion;
import org.apache.arrow.flatbuf.Precision;
import org.apache.arrow.flatbuf.RecordBatch;
import org.apache.arrow.flatbuf.Schema;
import org.apache.arrow.flatbuf.TimeUnit;
import org.apache.arrow.flatbuf.Timestamp;
import org.apache.arrow.flatbuf.Type;
import org.apache.arrow.flatbuf.Utf8;
import org.opensearch.common.io.stream.BytesStreamOutput;
import org.opensearch.core.common.bytes.BytesReference;

/**
 * Writes a table as an Arrow IPC stream: a schema, one record batch, the end.
 *
 * <p>The messages are flatbuffers, written with Arrow's own generated classes; the body is plain
 * little-endian arrays. Arrow's Java vectors are not used: they need memory outside the heap and
 * opened JDK packages. Types: int64, float64, bool, timestamp (ms or ns, UTC), utf8; a column that
 * was asked for with {@code list} is a list of these.
 *
 * @see <a href="https://arrow.apache.org/docs/format/Columnar.html">Arrow columnar format</a>
 */
final class ArrowStream {
  private static final int CONTINUATION = 0xFFFFFFFF;

  private final BytesStreamOutput out = new BytesStreamOutput();
  private final List<byte[]> body = new ArrayList<>();
  private final List<long[]> nodes = new ArrayList<>();

  private ArrowStream() {}

  /**
   * @throws IllegalArgumentException when a row has several values in a column that is no list
   */
  static BytesReference of(ColumnTable table) throws IOException {
    ArrowStream stream = new ArrowStream();
    stream.schema(table.columns());
    stream.batch(table);
    stream.out.writeBytes(ints(CONTINUATION, 0));
    return stream.out.bytes();
  }

  private void schema(List<TableColumn> columns) throws IOException {
    FlatBufferBuilder flat = new FlatBufferBuilder();
    int[] fields = new int[columns.size()];
    for (int i = 0; i < fields.length; i++) {
      TableColumn column = columns.get(i);
      int value = field(flat, column.list() ? "item" : column.name(), column.kind());
      fields[i] = column.list() ? list(flat, column.name(), value) : value;
    }
    int vector = Schema.createFieldsVector(flat, fields);
    Schema.startSchema(flat);
    Schema.addFields(flat, vector);
    message(flat, MessageHeader.Schema, Schema.endSchema(flat), 0);
  }

  private static int field(FlatBufferBuilder flat, String name, ValueKind kind) {
    int text = flat.createString(name);
    byte type;
    int of;
    switch (kind) {
      case LONG -> {
        type = Type.Int;
        of = Int.createInt(flat, 64, true);
      }
      case DOUBLE -> {
        type = Type.FloatingPoint;
        of = FloatingPoint.createFloatingPoint(flat, Precision.DOUBLE);
      }
      case BOOLEAN -> {
        type = Type.Bool;
        Bool.startBool(flat);
        of = Bool.endBool(flat);
      }
      case MILLIS, NANOS -> {
        type = Type.Timestamp;
        int zone = flat.createString("UTC");
        of =
            Timestamp.createTimestamp(
                flat, kind == ValueKind.MILLIS ? TimeUnit.MILLISECOND : TimeUnit.NANOSECOND, zone);
      }
      default -> {
        type = Type.Utf8;
        Utf8.startUtf8(flat);
        of = Utf8.endUtf8(flat);
      }
    }
    return field(flat, text, type, of, new int[0]);
  }

  private static int list(FlatBufferBuilder flat, String name, int item) {
    int text = flat.createString(name);
    org.apache.arrow.flatbuf.List.startList(flat);
    int of = org.apache.arrow.flatbuf.List.endList(flat);
    return field(flat, text, Type.List, of, new int[] {item});
  }

  private static int field(FlatBufferBuilder flat, int name, byte type, int of, int[] children) {
    int vector = Field.createChildrenVector(flat, children);
    Field.startField(flat);
    Field.addName(flat, name);
    Field.addNullable(flat, true);
    Field.addTypeType(flat, type);
    Field.addType(flat, of);
    Field.addChildren(flat, vector);
    return Field.endField(flat);
  }

  private void batch(ColumnTable table) throws IOException {
    for (TableColumn column : table.columns()) {
      if (column.list()) {
        list(column, table.rows());
      } else {
        single(column, table.rows());
      }
    }
    FlatBufferBuilder flat = new FlatBufferBuilder();
    RecordBatch.startNodesVector(flat, nodes.size());
    for (long[] node : nodes.reversed()) {
      FieldNode.createFieldNode(flat, node[0], node[1]);
    }
    int nodeVector = flat.endVector();
    long[] offsets = new long[body.size()];
    long length = 0;
    for (int i = 0; i < offsets.length; i++) {
      offsets[i] = length;
      length += padded(body.get(i).length);
    }
    RecordBatch.startBuffersVector(flat, offsets.length);
    for (int i = offsets.length - 1; i >= 0; i--) {
      Buffer.createBuffer(flat, offsets[i], body.get(i).length);
    }
    int bufferVector = flat.endVector();
    RecordBatch.startRecordBatch(flat);
    RecordBatch.addLength(flat, table.rows());
    RecordBatch.addNodes(flat, nodeVector);
    RecordBatch.addBuffers(flat, bufferVector);
    message(flat, MessageHeader.RecordBatch, RecordBatch.endRecordBatch(flat), length);
    for (byte[] each : body) {
      out.writeBytes(each);
      out.writeBytes(new byte[padded(each.length) - each.length]);
    }
  }

  private void single(TableColumn column, int rows) throws IOException {
    byte[] valid = new byte[(rows + 7) / 8];
    int nulls = 0;
    for (int row = 0; row < rows; row++) {
      int count = column.count(row);
      if (count > 1) {
        throw new IllegalArgumentException(
            "[columns.field] is ["
                + column.name()
                + "], of which a row has ["
                + count
                + "] values; ask for it as {\"field\": \""
                + column.name()
                + "\", \"list\": true}");
      }
      if (count == 0) {
        nulls++;
      } else {
        valid[row >> 3] |= (byte) (1 << (row & 7));
      }
    }
    nodes.add(new long[] {rows, nulls});
    body.add(nulls == 0 ? new byte[0] : valid);
    values(column, rows, rows);
  }

  private void list(TableColumn column, int rows) throws IOException {
    ByteBuffer ends = little(4 * (rows + 1)).putInt(0);
    int values = 0;
    for (int row = 0; row < rows; row++) {
      values += column.count(row);
      ends.putInt(values);
    }
    nodes.add(new long[] {rows, 0});
    body.add(new byte[0]);
    body.add(ends.array());
    nodes.add(new long[] {values, 0});
    body.add(new byte[0]);
    values(column, rows, values);
  }

  /**
   * @param slots places for values: those of the rows of a list, or one for each row
   */
  private void values(TableColumn column, int rows, int slots) throws IOException {
    boolean list = column.list();
    switch (column.kind()) {
      case LONG, MILLIS, NANOS, DOUBLE -> {
        ByteBuffer numbers = little(8 * slots);
        for (int row = 0; row < rows; row++) {
          int count = column.count(row);
          for (int i = 0; i < count; i++) {
            if (column.kind() == ValueKind.DOUBLE) {
              numbers.putDouble(column.floating(row, i));
            } else {
              numbers.putLong(column.number(row, i));
            }
          }
          if (count == 0 && !list) {
            numbers.putLong(0);
          }
        }
        body.add(numbers.array());
      }
      case BOOLEAN -> {
        byte[] bits = new byte[(slots + 7) / 8];
        int slot = 0;
        for (int row = 0; row < rows; row++) {
          int count = column.count(row);
          for (int i = 0; i < count; i++, slot++) {
            bits[slot >> 3] |= (byte) (column.number(row, i) << (slot & 7));
          }
          slot += count == 0 && !list ? 1 : 0;
        }
        body.add(bits);
      }
      default -> texts(column, rows, slots);
    }
  }

  private void texts(TableColumn column, int rows, int slots) throws IOException {
    ByteBuffer ends = little(4 * (slots + 1)).putInt(0);
    BytesStreamOutput texts = new BytesStreamOutput();
    for (int row = 0; row < rows; row++) {
      int count = column.count(row);
      for (int i = 0; i < count; i++) {
        byte[] bytes = column.text(row, i).getBytes(StandardCharsets.UTF_8);
        texts.write(bytes, 0, bytes.length);
        ends.putInt(texts.size());
      }
      if (count == 0 && !column.list()) {
        ends.putInt(texts.size());
      }
    }
    body.add(ends.array());
    body.add(BytesReference.toBytes(texts.bytes()));
  }

  private void message(FlatBufferBuilder flat, byte type, int header, long bodyLength)
      throws IOException {
    Message.startMessage(flat);
    Message.addVersion(flat, MetadataVersion.V5);
    Message.addHeaderType(flat, type);
    Message.addHeader(flat, header);
    Message.addBodyLength(flat, bodyLength);
    flat.finish(Message.endMessage(flat));
    byte[] metadata = flat.sizedByteArray();
    out.writeBytes(ints(CONTINUATION, padded(metadata.length)));
    out.writeBytes(metadata);
    out.writeBytes(new byte[padded(metadata.length) - metadata.length]);
  }

  private static byte[] ints(int first, int second) {
    return little(8).putInt(first).putInt(second).array();
  }

  private static ByteBuffer little(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Buffers and messages begin at multiples of eight bytes. */
  private static int padded(int length) {
    return (length + 7) & ~7;
  }
}
