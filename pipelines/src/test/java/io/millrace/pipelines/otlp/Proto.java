package io.millrace.pipelines.otlp;

import com.google.protobuf.CodedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** Messages of protobuf, field by field, as a sender would write them. */
final class Proto {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final CodedOutputStream out = CodedOutputStream.newInstance(bytes);

  private interface Write {
    void run() throws IOException;
  }

  private Proto write(Write write) {
    try {
      write.run();
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Proto message() {
    return new Proto();
  }

  Proto text(int field, String value) {
    return write(() -> out.writeByteArray(field, value.getBytes(StandardCharsets.UTF_8)));
  }

  Proto hex(int field, String value) {
    return write(() -> out.writeByteArray(field, HexFormat.of().parseHex(value)));
  }

  Proto number(int field, long value) {
    return write(() -> out.writeInt64(field, value));
  }

  Proto fixed64(int field, long value) {
    return write(() -> out.writeFixed64(field, value));
  }

  Proto fixed32(int field, int value) {
    return write(() -> out.writeFixed32(field, value));
  }

  Proto real(int field, double value) {
    return write(() -> out.writeDouble(field, value));
  }

  Proto flag(int field, boolean value) {
    return write(() -> out.writeBool(field, value));
  }

  Proto with(int field, Proto message) {
    return write(() -> out.writeByteArray(field, message.bytes()));
  }

  byte[] bytes() {
    write(out::flush);
    return bytes.toByteArray();
  }

  /** {@code KeyValue} of a string. */
  static Proto pair(String key, String value) {
    return pair(key, message().text(1, value));
  }

  /** {@code KeyValue} of any value. */
  static Proto pair(String key, Proto value) {
    return message().text(1, key).with(2, value);
  }

  /** A request for logs or traces with these records of one service. */
  static byte[] request(String service, Proto... records) {
    Proto scope = message().with(1, message().text(1, "lib").text(2, "1.2"));
    for (Proto record : records) {
      scope.with(2, record);
    }
    return message()
        .with(1, message().with(1, message().with(1, pair("service.name", service))).with(2, scope))
        .bytes();
  }

  /** A log record with a time and a body. */
  static Proto log(long nanos, String body) {
    return message().fixed64(1, nanos).with(5, message().text(1, body));
  }
}
