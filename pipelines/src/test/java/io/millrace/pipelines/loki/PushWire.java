package io.millrace.pipelines.loki;

import com.google.protobuf.CodedOutputStream;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.compression.Snappy;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Push requests as a sender would write them. */
final class PushWire {
  private PushWire() {}

  private interface Fields {
    void write(CodedOutputStream out) throws IOException;
  }

  private static byte[] message(Fields fields) {
    try {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      CodedOutputStream out = CodedOutputStream.newInstance(bytes);
      fields.write(out);
      out.flush();
      return bytes.toByteArray();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] time(long seconds, int nanos) {
    return message(out -> {
      out.writeInt64(1, seconds);
      out.writeInt32(2, nanos);
    });
  }

  /** One stream of these lines, a nanosecond apart. */
  static byte[] request(String labels, long seconds, String... lines) {
    byte[] stream =
        message(out -> {
          out.writeString(1, labels);
          for (int i = 0; i < lines.length; i++) {
            int nanos = i;
            out.writeByteArray(
                2,
                message(entry -> {
                  entry.writeByteArray(1, time(seconds, nanos));
                  entry.writeString(2, lines[nanos]);
                }));
          }
        });
    return message(out -> out.writeByteArray(1, stream));
  }

  static byte[] example() {
    byte[] pair =
        message(out -> {
          out.writeString(1, "k");
          out.writeString(2, "v");
        });
    byte[] one =
        message(out -> {
          out.writeByteArray(1, time(1_763_800_000L, 123_456_789));
          out.writeString(2, "one");
          out.writeByteArray(3, pair);
        });
    byte[] two = message(out -> out.writeByteArray(1, time(1_763_800_001L, 0)));
    byte[] stream =
        message(out -> {
          out.writeString(1, "{app=\"shop\", level=\"info\"}");
          out.writeByteArray(2, one);
          out.writeByteArray(2, two);
          out.writeUInt64(3, 42);
        });
    return message(out -> out.writeByteArray(1, stream));
  }

  /** In Snappy's block format. */
  static byte[] block(byte[] body) {
    ByteBuf out = Unpooled.buffer();
    new Snappy().encode(Unpooled.wrappedBuffer(body), out, body.length);
    byte[] block = new byte[out.readableBytes()];
    out.readBytes(block);
    return block;
  }
}
