package io.millrace.cli.ingest;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tells text from what is none by the first bytes of an input, after gzip, zstd and UTF-16.
 * Archives and compressed files that are not read here are named, with what reads them. Everything
 * else is judged by its bytes: text of any encoding has few zeros and few kinds of control
 * characters.
 *
 * @param what it is, with its article
 * @param remedy what to do instead, or null
 */
record NotText(String what, @Nullable String remedy) {
  /** How many bytes are looked at. */
  static final int BYTES = 4096;

  private static final int FEWEST = 64;
  private static final int MOST_KINDS = 6;

  private record Magic(int at, byte[] bytes, String what, @Nullable String command) {
    static Magic of(int at, String latin1, String what, @Nullable String command) {
      return new Magic(at, latin1.getBytes(StandardCharsets.ISO_8859_1), what, command);
    }

    boolean fits(byte[] first) {
      if (first.length < at + bytes.length) {
        return false;
      }
      for (int i = 0; i < bytes.length; i++) {
        if (first[at + i] != bytes[i]) {
          return false;
        }
      }
      return true;
    }
  }

  private static final List<Magic> KNOWN =
      List.of(
          Magic.of(0, "\u00fd7zXZ\0", "compressed with xz", "xz -dc"),
          Magic.of(0, "BZh", "compressed with bzip2", "bzip2 -dc"),
          Magic.of(0, "\u0004\"M\u0018", "compressed with lz4", "lz4 -dc"),
          Magic.of(0, "\u001f\u009d", "compressed with compress", "gzip -dc"),
          Magic.of(0, "PK\u0003\u0004", "a zip archive", "unzip -p"),
          Magic.of(0, "7z\u00bc\u00af\u0027\u001c", "a 7z archive", "7z x -so"),
          Magic.of(257, "ustar", "a tar archive", "tar -xOf"),
          Magic.of(0, "LPKSHHRH", "a binary journal of systemd", "journalctl -o export --file"),
          Magic.of(0, "ElfFile\0", "a binary event log of Windows", null),
          Magic.of(0, "PAR1", "a Parquet file", null),
          Magic.of(0, "SQLite format 3\0", "a SQLite database", null),
          Magic.of(0, "\u007fELF", "a program", null));

  /**
   * What stands in front of a stream that can be marked, which is left where it was. Waits for the
   * first byte only, so that a pipe which has little to say is not held up.
   *
   * @return null for text, and for an input that is empty
   */
  static @Nullable NotText in(InputStream stream, String name) throws IOException {
    stream.mark(BYTES);
    byte[] first = new byte[BYTES];
    int length = Math.max(0, stream.read(first, 0, BYTES));
    stream.reset();
    return of(Arrays.copyOf(first, length), name);
  }

  /** The same for bytes that were read. */
  static @Nullable NotText of(byte[] first, String name) {
    for (Magic magic : KNOWN) {
      if (magic.fits(first) && !(magic.what.endsWith("bzip2") && !bzip2(first))) {
        return new NotText(
            magic.what,
            magic.command == null
                ? null
                : "Give its text: " + magic.command + " " + name + " | millrace ingest -");
      }
    }
    return binary(first) ? new NotText("not text", null) : null;
  }

  /** {@code BZh} and the block's own mark: three letters alone may begin a word. */
  private static boolean bzip2(byte[] first) {
    return first.length >= 10 && first[4] == '1' && first[5] == 'A' && first[6] == 'Y';
  }

  /**
   * Zeros in front do not count: a writer that keeps its place while its file is truncated leaves
   * them. A few kinds of control characters may be separators, as those of FIX are.
   */
  private static boolean binary(byte[] bytes) {
    int from = 0;
    while (from < bytes.length && bytes[from] == 0) {
      from++;
    }
    int length = bytes.length - from;
    if (length < FEWEST) {
      return false;
    }
    int zeros = 0;
    int controls = 0;
    int kinds = 0;
    for (int i = from; i < bytes.length; i++) {
      int b = bytes[i] & 0xff;
      if (b == 0) {
        zeros++;
      } else if (b < 0x20 && (b < '\b' || b > '\r') && b != 0x1b) {
        controls++;
        kinds |= 1 << b;
      }
    }
    return zeros * 10 > length || (controls * 25 > length && Integer.bitCount(kinds) > MOST_KINDS);
  }
}
