package io.millrace.write.logtext;

/**
 * What a byte is in a JSON string, to one who looks for tokens: a letter or digit of ASCII in lower
 * case, which is above zero, or one of the kinds below.
 */
final class StringByte {
  /** Between tokens. */
  static final byte BETWEEN = 0;

  /** Of a text that is not ASCII, or not JSON. */
  static final byte OTHERWISE = -1;

  /** The end of the string. */
  static final byte QUOTE = -2;

  /** Begins an escape. */
  static final byte ESCAPE = -3;

  private static final byte[] KINDS = new byte[256];

  static {
    for (int b = 0; b < KINDS.length; b++) {
      KINDS[b] = b < ' ' || b >= 128 ? OTHERWISE : BETWEEN;
    }
    for (int c = 'a'; c <= 'z'; c++) {
      KINDS[c] = (byte) c;
      KINDS[c - ('a' - 'A')] = (byte) c;
    }
    for (int c = '0'; c <= '9'; c++) {
      KINDS[c] = (byte) c;
    }
    KINDS['"'] = QUOTE;
    KINDS['\\'] = ESCAPE;
  }

  private StringByte() {}

  /** The lower case of a letter or digit, or one of the kinds. */
  static byte kind(byte b) {
    return KINDS[b & 0xff];
  }

  /** Whether an escape may stand for a character of a token; no other than its number can. */
  static boolean isLetter(byte[] json, int escape) {
    return json[escape + 1] == 'u';
  }
}
