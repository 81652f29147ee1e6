package io.millrace.cli.ingest;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/**
 * The text of a line: UTF-8, and Windows-1252 for each byte that is none. So a line of an old
 * program keeps its umlauts, and one that is cut in the middle of a character loses nothing else.
 */
final class LineText {
  private static final Charset WINDOWS = Charset.forName("windows-1252");
  private static final char REPLACED = '\ufffd';

  private LineText() {}

  /**
   * Decodes the first bytes of an array.
   *
   * @param foreign runs when there are bytes that are not UTF-8
   */
  static String of(byte[] bytes, int length, Runnable foreign) {
    String text = new String(bytes, 0, length, StandardCharsets.UTF_8);
    if (text.indexOf(REPLACED) < 0) {
      return text;
    }
    String mixed = mixed(bytes, length);
    if (!mixed.equals(text)) {
      foreign.run();
    }
    return mixed;
  }

  private static String mixed(byte[] bytes, int length) {
    CharsetDecoder decoder =
        StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);
    ByteBuffer in = ByteBuffer.wrap(bytes, 0, length);
    CharBuffer out = CharBuffer.allocate(length);
    CoderResult result = decoder.decode(in, out, true);
    while (result.isError()) {
      for (int i = 0; i < result.length(); i++) {
        out.put(windows(in.get()));
      }
      result = decoder.reset().decode(in, out, true);
    }
    return out.flip().toString();
  }

  /** Five of its bytes mean nothing in Windows-1252: they stay the control characters they are. */
  private static char windows(byte each) {
    char read = WINDOWS.decode(ByteBuffer.wrap(new byte[] {each})).get(0);
    return read == REPLACED ? (char) (each & 0xff) : read;
  }
}
