package io.millrace.cli.ingest;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PushbackInputStream;
import java.io.Reader;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Reads UTF-16, which Windows tools write, as UTF-8. Known by its byte order mark, or by a zero in
 * every other of the first four bytes.
 */
final class Utf16 extends FilterInputStream {
  private final Reader reader;
  private final CharsetEncoder encoder =
      StandardCharsets.UTF_8
          .newEncoder()
          .onMalformedInput(CodingErrorAction.REPLACE)
          .onUnmappableCharacter(CodingErrorAction.REPLACE);
  private final CharBuffer chars = CharBuffer.allocate(1 << 14);
  private final ByteBuffer bytes = ByteBuffer.allocate(1 << 16);
  private boolean end;

  private Utf16(InputStream in, Charset charset) {
    super(in);
    reader = new InputStreamReader(in, charset);
    chars.flip();
    bytes.flip();
  }

  /** The charset that these first bytes of a file show, or null when they are not UTF-16. */
  static @Nullable Charset of(byte[] first) {
    if (first.length < 2) {
      return null;
    }
    int mark = (first[0] & 0xff) << 8 | (first[1] & 0xff);
    if (mark == 0xfeff) {
      return StandardCharsets.UTF_16BE;
    }
    if (mark == 0xfffe) {
      return StandardCharsets.UTF_16LE;
    }
    if (first.length < 4) {
      return null;
    }
    boolean little = first[0] != 0 && first[1] == 0 && first[2] != 0 && first[3] == 0;
    boolean big = first[0] == 0 && first[1] != 0 && first[2] == 0 && first[3] != 0;
    return little ? StandardCharsets.UTF_16LE : big ? StandardCharsets.UTF_16BE : null;
  }

  /** The stream as UTF-8; the same one when it is not UTF-16. */
  static InputStream decoded(InputStream in) throws IOException {
    byte[] first = in.readNBytes(4);
    PushbackInputStream whole = new PushbackInputStream(in, 4);
    whole.unread(first);
    Charset charset = of(first);
    return charset == null ? whole : new Utf16(whole, charset);
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    int got = read(one, 0, 1);
    return got < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    while (!bytes.hasRemaining()) {
      if (end) {
        return -1;
      }
      fill();
    }
    int count = Math.min(length, bytes.remaining());
    bytes.get(target, offset, count);
    return count;
  }

  private void fill() throws IOException {
    chars.compact();
    end = reader.read(chars) < 0;
    chars.flip();
    bytes.clear();
    encoder.encode(chars, bytes, end);
    if (end) {
      encoder.flush(bytes);
    }
    bytes.flip();
  }

  @Override
  public int available() {
    return bytes.remaining();
  }

  @Override
  public boolean markSupported() {
    return false;
  }
}
