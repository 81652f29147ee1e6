package io.millrace.write.fastengine;

import java.util.Arrays;
import org.apache.lucene.util.BytesRef;
import org.opensearch.index.mapper.Uid;

/**
 * Ids as terms of {@code _id}: what {@link Uid#encodeId} gives, in one pass for the ids that the
 * node makes itself (20 characters of URL-safe base64, TimeBasedUUIDGenerator at 3.8.0), where
 * stock checks every character twice and then decodes through a general decoder. All other ids are
 * stock's.
 */
final class AutoId {
  private static final int CHARACTERS = 20;
  private static final byte NONE = -1;
  private static final byte[] VALUE = new byte[128];

  static {
    Arrays.fill(VALUE, NONE);
    String alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    for (int i = 0; i < alphabet.length(); i++) {
      VALUE[alphabet.charAt(i)] = (byte) i;
    }
  }

  private AutoId() {}

  /** The term of an id. */
  static BytesRef encode(String id) {
    if (id.length() != CHARACTERS) {
      return Uid.encodeId(id);
    }
    byte[] bytes = new byte[CHARACTERS / 4 * 3];
    int all = 0;
    int digits = 0;
    for (int i = 0, to = 0; i < CHARACTERS; i += 4, to += 3) {
      int a = value(id.charAt(i));
      int b = value(id.charAt(i + 1));
      int c = value(id.charAt(i + 2));
      int d = value(id.charAt(i + 3));
      all |= a | b | c | d;
      digits += digit(a) + digit(b) + digit(c) + digit(d);
      int three = a << 18 | b << 12 | c << 6 | d;
      bytes[to] = (byte) (three >> 16);
      bytes[to + 1] = (byte) (three >> 8);
      bytes[to + 2] = (byte) three;
    }
    // another character, a number, or a first byte that stock escapes
    boolean plain = all >= 0 && digits < CHARACTERS && (bytes[0] & 0xff) < 0xfd;
    return plain ? new BytesRef(bytes) : Uid.encodeId(id);
  }

  private static int value(char c) {
    return c < 128 ? VALUE[c] : NONE;
  }

  private static int digit(int value) {
    return value >= 52 && value < 62 ? 1 : 0;
  }
}
