package io.millrace.guard.http;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * HTTP/2 by hand over one socket, prior knowledge: streams that stop in the middle of a body, and a
 * client that grants no window.
 */
final class Http2Wire implements Closeable {
  private static final int DATA = 0;
  private static final int HEADERS = 1;
  private static final int RST_STREAM = 3;
  private static final int SETTINGS = 4;
  private static final int PING = 6;
  private static final int GOAWAY = 7;
  private static final int WINDOW_UPDATE = 8;
  private static final int END_STREAM = 1;
  private static final int ACK = 1;
  private static final int END_HEADERS = 4;
  private static final int MOST_IN_A_FRAME = 16_384;

  private final Socket socket;
  private final DataOutputStream out;
  private final boolean reads;
  private final Thread reader = new Thread(this::read, "http2-wire");
  private final Map<Integer, Stream> streams = new HashMap<>();
  private int initialWindow = 65_535;
  private long connectionWindow = 65_535;
  private boolean ended;
  private int next = 1;

  /** One exchange as it stands. */
  static final class Stream {
    private long window;
    private @Nullable Http2Headers headers;
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private boolean whole;
    private boolean reset;
  }

  /**
   * @param socket connected; over TLS with {@code h2} agreed on
   * @param reads whether the server may send more than the first 64 KB
   */
  Http2Wire(Socket socket, boolean reads) throws IOException {
    this.socket = socket;
    this.reads = reads;
    socket.setTcpNoDelay(true);
    out = new DataOutputStream(socket.getOutputStream());
    out.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    frame(SETTINGS, 0, 0, new byte[0]);
    reader.setDaemon(true);
    reader.start();
  }

  /** Begins a request; {@code headers} are pairs of name and value. */
  int request(String method, String path, boolean whole, String... headers) throws IOException {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    literal(block, ":method", method);
    literal(block, ":scheme", "http");
    literal(block, ":path", path);
    literal(block, ":authority", "x");
    for (int i = 0; i < headers.length; i += 2) {
      literal(block, headers[i], headers[i + 1]);
    }
    int id;
    synchronized (this) {
      id = next;
      next += 2;
      Stream stream = new Stream();
      stream.window = initialWindow;
      streams.put(id, stream);
    }
    frame(HEADERS, END_HEADERS | (whole ? END_STREAM : 0), id, block.toByteArray());
    return id;
  }

  /** A bulk's head, with a length when it is not negative. */
  int bulk(String index, long length) throws IOException {
    String type = "application/x-ndjson";
    return length < 0
        ? request("POST", "/" + index + "/_bulk", false, "content-type", type)
        : request(
            "POST",
            "/" + index + "/_bulk",
            false,
            "content-type",
            type,
            "content-length",
            Long.toString(length));
  }

  private static void literal(ByteArrayOutputStream block, String name, String value) {
    block.write(0);
    block.write(name.length());
    block.writeBytes(name.getBytes(StandardCharsets.US_ASCII));
    block.write(value.length());
    block.writeBytes(value.getBytes(StandardCharsets.US_ASCII));
  }

  /** Sends a part of a body as the windows allow; waits for them at most 30 s. */
  void data(int id, String text, boolean last) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    int at = 0;
    do {
      int count = Math.min(bytes.length - at, MOST_IN_A_FRAME);
      count = take(id, count);
      byte[] part = java.util.Arrays.copyOfRange(bytes, at, at + count);
      at += count;
      frame(DATA, last && at == bytes.length ? END_STREAM : 0, id, part);
    } while (at < bytes.length);
  }

  private synchronized int take(int id, int wanted) throws IOException {
    Stream stream = stream(id);
    await(
        "window for stream " + id,
        () -> stream.reset || wanted == 0 || (stream.window > 0 && connectionWindow > 0));
    if (stream.reset) {
      throw new IOException("stream " + id + " was reset");
    }
    int count = (int) Math.min(wanted, Math.min(stream.window, connectionWindow));
    stream.window -= count;
    connectionWindow -= count;
    return count;
  }

  /** Gives a stream up. */
  void reset(int id) throws IOException {
    frame(RST_STREAM, 0, id, new byte[] {0, 0, 0, 8});
  }

  /** The status of a stream's answer, which is waited for with its body. */
  synchronized int status(int id) throws IOException {
    Stream stream = stream(id);
    await("an answer to stream " + id, () -> stream.whole || stream.reset);
    if (stream.headers == null) {
      throw new IOException("stream " + id + " was reset");
    }
    return Integer.parseInt(stream.headers.status().toString());
  }

  /** A header of a stream's answer. */
  synchronized String header(int id, String name) {
    return String.valueOf(java.util.Objects.requireNonNull(stream(id).headers).get(name));
  }

  /** What has come of a stream's body. */
  synchronized String body(int id) {
    return stream(id).body.toString(StandardCharsets.UTF_8);
  }

  /** Waits until the server gives a stream up. */
  synchronized void awaitReset(int id) throws IOException {
    Stream stream = stream(id);
    await("stream " + id + " to be reset", () -> stream.reset);
  }

  private Stream stream(int id) {
    return java.util.Objects.requireNonNull(streams.get(id));
  }

  private void await(String what, java.util.function.BooleanSupplier condition) throws IOException {
    long end = System.nanoTime() + 30_000_000_000L;
    try {
      while (!condition.getAsBoolean()) {
        long left = (end - System.nanoTime()) / 1_000_000;
        if (ended || left <= 0) {
          throw new IOException((ended ? "closed, waiting for " : "no ") + what);
        }
        wait(left);
      }
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  private void frame(int type, int flags, int id, byte[] payload) throws IOException {
    synchronized (out) {
      out.writeByte(payload.length >> 16);
      out.writeShort(payload.length);
      out.writeByte(type);
      out.writeByte(flags);
      out.writeInt(id);
      out.write(payload);
      out.flush();
    }
  }

  private void read() {
    DefaultHttp2HeadersDecoder decoder = new DefaultHttp2HeadersDecoder(false);
    try {
      DataInputStream in = new DataInputStream(socket.getInputStream());
      while (true) {
        int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
        int type = in.readUnsignedByte();
        int flags = in.readUnsignedByte();
        int id = in.readInt() & Integer.MAX_VALUE;
        byte[] payload = in.readNBytes(length);
        if (type == DATA && reads && length > 0) {
          byte[] more = Unpooled.buffer(4).writeInt(length).array();
          frame(WINDOW_UPDATE, 0, 0, more);
          if ((flags & END_STREAM) == 0) {
            frame(WINDOW_UPDATE, 0, id, more);
          }
        } else if (type == SETTINGS && (flags & ACK) == 0) {
          frame(SETTINGS, ACK, 0, new byte[0]);
        } else if (type == PING && (flags & ACK) == 0) {
          frame(PING, ACK, 0, payload);
        }
        took(decoder, type, flags, id, payload);
        if (type == GOAWAY) {
          break;
        }
      }
    } catch (IOException | Http2Exception e) {
      // whoever waits is told below
    }
    synchronized (this) {
      ended = true;
      notifyAll();
    }
  }

  private synchronized void took(
      DefaultHttp2HeadersDecoder decoder, int type, int flags, int id, byte[] payload)
      throws Http2Exception {
    Stream stream = streams.get(id);
    if (type == SETTINGS) {
      for (int i = 0; i + 6 <= payload.length; i += 6) {
        var setting = Unpooled.wrappedBuffer(payload, i, 6);
        if (setting.readUnsignedShort() == 4) {
          int window = setting.readInt();
          int by = window - initialWindow;
          streams.values().forEach(each -> each.window += by);
          initialWindow = window;
        }
      }
    } else if (type == WINDOW_UPDATE) {
      int more = Unpooled.wrappedBuffer(payload).readInt();
      if (stream != null) {
        stream.window += more;
      } else if (id == 0) {
        connectionWindow += more;
      }
    } else if (stream != null && type == HEADERS) {
      stream.headers = decoder.decodeHeaders(id, Unpooled.wrappedBuffer(payload));
      stream.whole = (flags & END_STREAM) != 0;
    } else if (stream != null && type == DATA) {
      stream.body.writeBytes(payload);
      stream.whole = (flags & END_STREAM) != 0;
    } else if (stream != null && type == RST_STREAM) {
      stream.reset = true;
    }
    notifyAll();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
