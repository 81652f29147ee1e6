package io.millrace.storage.columnarsource;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import java.util.Random;

/**
 * Documents that are JSON, almost JSON or no JSON: a few keys with values of every kind that the
 * columns know, near misses of each, odd white space, duplicate keys, arrays, depth, escapes, and
 * now and then something broken.
 */
final class RandomSources {
  private static final String[] NUMBERS = {
    "0",
    "-0",
    "1.0e5",
    "1E+9",
    "007",
    "-1",
    "1.",
    ".5",
    "1.50",
    "1.5",
    "-0.0",
    "12.0",
    "0.001",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "123456789012345678901",
    "999999999999999999",
    "1234567890123456789",
    "100000000000000000.1",
    "true",
    "false",
    "null",
    "NaN",
    "+1",
    "-",
    "1e400",
    "0.1234567890123456789"
  };
  private static final String[] TIMES = {
    "2026-11-21T05:40:00.123Z", "2026-11-21T05:40:00Z", "2026-02-30T05:40:00.123Z",
    "2024-02-29T23:59:59.999Z", "2023-02-29T23:59:59.999Z", "1969-12-31T23:59:59.999Z",
    "2026-11-21 05:40:00,123", "2026-11-21T05:40:00.123456789+02:00", "2026-11-21T05:40:60.123Z",
    "2026-11-21T24:00:00.000Z", "0000-00-00T00:00:00.000Z", "1700-01-01T00:00:00.000Z",
    "2199-12-31T23:59:59.999999999Z", "2026-11-21", "9999-12-31T23:59:59.999Z"
  };
  private static final String[] TEXTS = {
    "",
    " ",
    "\\\"",
    "\\\\",
    "\\u0001",
    "\\u00e9 \\ud83d\\ude00",
    "\u00e9\u4e2d\ud83d\ude00",
    "GET",
    "deadBEEF",
    "DEADBEEF",
    "0123456789abcdef",
    "0123456789abcdeg",
    "\\n\\t",
    "\u007f",
    "550e8400-e29b-41d4-a716-446655440000",
    "550E8400-E29B-41D4-A716-446655440000",
    "550e8400-e29b-41d4-a716-44665544000-",
    "a:b",
    "{\\\"a\\\":1}",
    "\u0001",
    "x\u0001y17"
  };

  private final Random random;
  private final String space;
  private final int columns;
  private final String[] phrases = new String[200];

  RandomSources(Random random) {
    this.random = random;
    this.columns = 1 + random.nextInt(13);
    for (int i = 0; i < phrases.length; i++) {
      phrases[i] =
          Long.toString(random.nextLong(), 36) + " \\n " + Long.toString(random.nextLong(), 7);
    }
    this.space = random.nextInt(3) == 0 ? " " : "";
  }

  byte[] next() {
    int kind = random.nextInt(60);
    if (kind == 0) {
      return null;
    }
    if (kind == 1) {
      byte[] bytes = new byte[random.nextInt(60)];
      random.nextBytes(bytes);
      if (bytes.length > 0 && random.nextBoolean()) {
        bytes[0] = '{';
      }
      return bytes;
    }
    StringBuilder out = new StringBuilder();
    object(out, 0);
    if (kind == 2) {
      out.setLength(random.nextInt(out.length()));
    }
    if (kind == 3) {
      out.append("\n");
    }
    if (kind == 4) {
      out.setCharAt(random.nextInt(out.length()), (char) random.nextInt(128));
    }
    return out.toString().getBytes(StandardCharsets.UTF_8);
  }

  private void object(StringBuilder out, int depth) {
    out.append('{').append(space);
    for (int i = 0; i < columns; i++) {
      if (random.nextInt(10) == 0) {
        continue;
      }
      if (out.charAt(out.length() - 1) != '{' && out.length() > 1 + space.length()) {
        out.append(',').append(space);
      }
      int key = random.nextInt(30) == 0 ? 0 : i;
      out.append('"').append(key == 1 ? "k\\\"1\u00e9" : "k" + key).append('"');
      out.append(random.nextInt(50) == 0 ? " \n: \t" : ":").append(space);
      value(out, i, depth);
    }
    out.append('}');
  }

  private void value(StringBuilder out, int column, int depth) {
    int deviate = random.nextInt(200);
    if (deviate == 0 && depth < 4) {
      out.append('[');
      for (int i = random.nextInt(4); i > 0; i--) {
        value(out, column, depth + 1);
        out.append(i > 1 ? "," : "");
      }
      out.append(']');
      return;
    }
    if (deviate == 1 && depth < 3) {
      object(out, depth + 1);
      return;
    }
    if (deviate == 2) {
      out.append(NUMBERS[random.nextInt(NUMBERS.length)]);
      return;
    }
    if (deviate == 3) {
      quoted(out, TEXTS[random.nextInt(TEXTS.length)]);
      return;
    }
    switch (column) {
      case 0 -> out.append(random.nextInt());
      case 1 -> quoted(out, time(random.nextInt(100) == 0));
      case 2 -> quoted(out, Long.toHexString(random.nextLong() | Long.MIN_VALUE));
      case 3 -> out.append(random.nextInt(100_000) / 1000.0);
      case 4 -> quoted(out, "level" + random.nextInt(5));
      case 5 -> quoted(out, message());
      case 6 -> out.append(1_000_000 + random.nextInt(50) + column * 7L);
      case 7 -> quoted(out, TEXTS[random.nextInt(TEXTS.length)]);
      case 8 -> out.append(NUMBERS[random.nextInt(NUMBERS.length)]);
      case 9 -> quoted(out, TIMES[random.nextInt(TIMES.length)]);
      case 10 -> quoted(out, String.format(Locale.ROOT, "%06d", random.nextInt(1_000_000)));
      case 11 -> quoted(out, base64());
      case 12 -> quoted(out, phrases());
      default -> out.append(random.nextLong() >> random.nextInt(64));
    }
  }

  private String time(boolean miss) {
    return miss
        ? TIMES[random.nextInt(TIMES.length)]
        : String.format(
            Locale.ROOT,
            "2026-11-21T05:%02d:%02d.%03dZ",
            random.nextInt(60),
            random.nextInt(60),
            random.nextInt(1000));
  }

  private String base64() {
    byte[] bytes = new byte[random.nextInt(50) == 0 ? random.nextInt(4) : 60 + random.nextInt(90)];
    random.nextBytes(bytes);
    String text = Base64.getEncoder().encodeToString(bytes);
    return switch (random.nextInt(2000)) {
      case 0 -> text.replace("=", "");
      case 1 -> text + "=";
      case 2 -> text.replace('/', '_');
      case 3 -> text.replace("A", "");
      default -> text;
    };
  }

  /** Long texts that share their parts with others far away. */
  private String phrases() {
    StringBuilder text = new StringBuilder("!");
    for (int i = random.nextInt(12); i >= 0; i--) {
      text.append(phrases[random.nextInt(phrases.length)]);
    }
    return text.toString();
  }

  private String message() {
    return switch (random.nextInt(6)) {
      case 0 -> "connection from 10.0." + random.nextInt(256) + "." + random.nextInt(256) + ":80";
      case 1 -> "took " + random.nextInt(1000) + "ms for user" + random.nextInt(50);
      case 2 ->
          "id " + Integer.toHexString(random.nextInt()) + " at 20261121T05" + random.nextInt(60);
      case 3 ->
          "rare \\u00e9 " + random.nextLong() + " word" + Long.toString(random.nextLong(), 36);
      case 4 -> "no variable here at all";
      default -> "x" + "y1 ".repeat(random.nextInt(200));
    };
  }

  private static void quoted(StringBuilder out, String text) {
    out.append('"').append(text).append('"');
  }
}
