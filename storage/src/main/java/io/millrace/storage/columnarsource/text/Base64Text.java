package io.millrace.storage.columnarsource.text;

import io.millrace.storage.columnarsource.bytes.ByteSink;
import java.util.Arrays;

/**
 * Bytes that JSON carries in base64, as fields of OpenSearch's type {@code binary} do. Decoded they
 * are a quarter shorter, and what repeats in them repeats for a compressor too: in base64 the same
 * bytes look different at each of three alignments.
 *
 * <p>Accepted is what the encoder of RFC 4648 with padding writes, and nothing else: no line ends,
 * no letters of the URL alphabet, no bits behind the last byte. {@link java.util.Base64} also
 * decodes other texts to the same bytes, and works on whole arrays.
 */
public final class Base64Text {
  private static final byte[] LETTERS =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
          .getBytes(java.nio.charset.StandardCharsets.US_ASCII);
  private static final byte[] VALUES = values();
  private static final byte OTHER = -1;
  private static final byte PADDING = '=';

  private Base64Text() {}

  private static byte[] values() {
    byte[] values = new byte[256];
    Arrays.fill(values, OTHER);
    for (byte i = 0; i < LETTERS.length; i++) {
      values[LETTERS[i]] = i;
    }
    return values;
  }

  private static int value(byte letter) {
    return VALUES[letter & 0xFF];
  }

  /** Whether the text comes back from its bytes; an empty one does. */
  public static boolean fits(byte[] text, int from, int length) {
    if (length % 4 != 0) {
      return false;
    }
    int padding = padding(text, from, length);
    int letters = from + length - padding;
    for (int i = from; i < letters; i++) {
      if (value(text[i]) == OTHER) {
        return false;
      }
    }
    int behind = padding == 2 ? 15 : padding == 1 ? 3 : 0;
    return padding == 0 || (value(text[letters - 1]) & behind) == 0;
  }

  private static int padding(byte[] text, int from, int length) {
    if (length == 0 || text[from + length - 1] != PADDING) {
      return 0;
    }
    return text[from + length - 2] == PADDING ? 2 : 1;
  }

  /** Appends the bytes of a text that {@link #fits}. */
  public static void decode(byte[] text, int from, int length, ByteSink out) {
    int padding = padding(text, from, length);
    out.ensure(length / 4 * 3);
    for (int i = from; i < from + length; i += 4) {
      boolean last = i + 4 == from + length;
      int third = last && padding == 2 ? 0 : value(text[i + 2]);
      int fourth = last && padding > 0 ? 0 : value(text[i + 3]);
      int bits = value(text[i]) << 18 | value(text[i + 1]) << 12 | third << 6 | fourth;
      out.bytes[out.length++] = (byte) (bits >> 16);
      out.bytes[out.length++] = (byte) (bits >> 8);
      out.bytes[out.length++] = (byte) bits;
    }
    out.length -= padding;
  }

  /** Bytes of the text of so many bytes. */
  public static long length(long bytes) {
    return (bytes + 2) / 3 * 4;
  }

  /** Appends the text of these bytes. */
  public static void append(byte[] bytes, int from, int length, ByteSink out) {
    out.ensure(Math.toIntExact(length(length)));
    for (int i = 0; i < length; i += 3) {
      int left = length - i;
      int bits =
          (bytes[from + i] & 0xFF) << 16
              | (left > 1 ? (bytes[from + i + 1] & 0xFF) << 8 : 0)
              | (left > 2 ? bytes[from + i + 2] & 0xFF : 0);
      out.bytes[out.length++] = LETTERS[bits >> 18];
      out.bytes[out.length++] = LETTERS[bits >> 12 & 63];
      out.bytes[out.length++] = left > 1 ? LETTERS[bits >> 6 & 63] : PADDING;
      out.bytes[out.length++] = left > 2 ? LETTERS[bits & 63] : PADDING;
    }
  }
}
