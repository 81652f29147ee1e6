package io.millrace.write.fastengine;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;

/**
 * Documents for a {@link RandomMapping}: mostly good ones, all kinds of odd ones, and broken ones.
 */
final class RandomDocuments {
  private final Random random;
  private final List<RandomMapping.Leaf> leaves;
  private final int good;
  private final StringBuilder out = new StringBuilder();

  /**
   * @param good how many values in a hundred are plain good ones; so many documents are not damaged
   */
  RandomDocuments(Random random, List<RandomMapping.Leaf> leaves, int good) {
    this.random = random;
    this.leaves = leaves;
    this.good = good;
  }

  byte[] next() {
    out.setLength(0);
    space();
    out.append('{');
    int count = random.nextInt(leaves.size() + 2);
    boolean first = true;
    java.util.Set<String> used = new java.util.HashSet<>();
    for (int i = 0; i < count; i++) {
      RandomMapping.Leaf leaf = leaves.get(random.nextInt(leaves.size()));
      if (!used.add(leaf.path().get(0)) && random.nextInt(40) != 0) {
        continue;
      }
      if (!first) {
        out.append(',');
        space();
      }
      first = false;
      if (odd() && random.nextInt(8) == 0) {
        string(
            pick("", "", "", "_", "a.", " ")
                + "unknown"
                + random.nextInt(3)
                + pick("", "", ".b", "."));
        out.append(':');
        value(pick("keyword", "keyword", "long", "float", "boolean", "binary"));
      } else if (leaf.path().size() > 1 && random.nextInt(3) == 0) {
        string(String.join(".", leaf.path()));
        out.append(':');
        space();
        valueOrArray(leaf.type());
      } else {
        nested(leaf, 0);
      }
    }
    out.append('}');
    space();
    byte[] bytes = out.toString().getBytes(StandardCharsets.UTF_8);
    return odd() && random.nextInt(4) == 0 ? broken(bytes) : bytes;
  }

  private void nested(RandomMapping.Leaf leaf, int depth) {
    string(leaf.path().get(depth));
    space();
    out.append(':');
    space();
    if (depth == leaf.path().size() - 1) {
      valueOrArray(leaf.type());
      return;
    }
    if (random.nextInt(50) == 0) {
      out.append("null");
      return;
    }
    boolean array = random.nextInt(5) == 0;
    out.append(array ? "[" : "");
    int objects = array ? random.nextInt(3) : 1;
    for (int i = 0; i < objects; i++) {
      out.append(i > 0 ? "," : "");
      out.append('{');
      nested(leaf, depth + 1);
      out.append('}');
    }
    out.append(array ? "]" : "");
  }

  private void valueOrArray(String type) {
    if (random.nextInt(6) != 0) {
      value(type);
      return;
    }
    out.append('[');
    for (int i = 0, n = random.nextInt(4); i < n; i++) {
      out.append(i > 0 ? "," : "");
      space();
      if (random.nextInt(10) == 0) {
        valueOrArray(type);
      } else {
        value(type);
      }
      space();
    }
    out.append(']');
  }

  private void value(String type) {
    if (!odd()) {
      plain(type);
      return;
    }
    if (random.nextInt(5) == 0) {
      anything();
      return;
    }
    switch (type) {
      case "keyword", "text", "log_text", "match_only_text", "wildcard", "binary" -> string(text());
      case "date", "date_nanos" -> date();
      case "integer", "long", "short", "byte", "unsigned_long" -> integer();
      case "float", "double", "half_float" -> floating();
      case "boolean" -> out.append(pick("true", "false", "\"true\"", "\"false\"", "\"\""));
      case "ip" ->
          string(
              pick(
                  "127.0.0.1",
                  "10.1.2.255",
                  "255.255.255.255",
                  "0.0.0.0",
                  "1.2.3.256",
                  "01.2.3.4",
                  "1.2.3",
                  "1.2.3.4.5",
                  "::1",
                  "2001:db8::ff00:42:8329",
                  "::ffff:1.2.3.4",
                  "fe80::1%eth0",
                  "",
                  " 1.2.3.4",
                  "1.2.3.4 ",
                  "1..2.3"));
      case "geo_point" -> out.append(pick("\"1,2\"", "{\"lat\":1,\"lon\":2}", "[1,2]"));
      case "integer_range" -> out.append("{\"gte\":1,\"lte\":5}");
      default -> anything();
    }
  }

  private boolean odd() {
    return random.nextInt(100) >= good;
  }

  private void plain(String type) {
    switch (type) {
      case "date", "date_nanos" ->
          string(
              "20"
                  + (10 + random.nextInt(20))
                  + "-0"
                  + (1 + random.nextInt(9))
                  + "-11T10:20:30.456Z");
      case "integer", "long", "short", "byte", "unsigned_long" -> out.append(random.nextInt(100));
      case "float", "double", "half_float" -> out.append(random.nextInt(10_000) / 100.0);
      case "boolean" -> out.append(random.nextBoolean());
      case "ip" -> string("10.0." + random.nextInt(256) + "." + random.nextInt(256));
      case "geo_point" -> out.append("\"1,2\"");
      case "integer_range" -> out.append("{\"gte\":1,\"lte\":5}");
      default -> string(text());
    }
  }

  private void anything() {
    out.append(
        pick(
            "null",
            "true",
            "false",
            "0",
            "-0",
            "-0.0",
            "1",
            "12.5",
            "1e3",
            "1E-2",
            "{}",
            "[]",
            "\"\"",
            "\"x\"",
            "\"12\"",
            "\"1.5\"",
            "\"-7\"",
            "{\"a\":1}",
            "[[1],[2]]",
            "[null]",
            "[{}]",
            "123456789012345678901234567890",
            "3.4028236e38",
            "\"2020-01-01\"",
            "-1"));
  }

  private void integer() {
    switch (random.nextInt(12)) {
      case 0 -> out.append(pick("127", "128", "-128", "-129", "32767", "32768", "-32769"));
      case 1 -> out.append(pick("2147483647", "2147483648", "-2147483648", "-2147483649"));
      case 2 ->
          out.append(
              pick(
                  "9223372036854775807",
                  "9223372036854775808",
                  "-9223372036854775808",
                  "-9223372036854775809",
                  "999999999999999999",
                  "1000000000000000000"));
      case 3 -> out.append(pick("\"5\"", "\"\"", "5.0", "5.7", "\"5.7\"", "1e2", "007", "+1"));
      default -> out.append(random.nextInt(200) - 50);
    }
  }

  private void floating() {
    switch (random.nextInt(10)) {
      case 0 -> out.append(random.nextDouble() * Math.pow(10, random.nextInt(30) - 15));
      case 1 -> out.append(random.nextFloat());
      case 2 -> out.append(random.nextInt());
      case 3 -> out.append(random.nextLong());
      case 4 ->
          out.append(
              pick("16777217", "16777217.0", "8388608.5", "0.1", "1.0e2", "1.", ".5", "0.0"));
      case 5 ->
          out.append(pick("9007199254740993", "65520", "65504.1", "100000000000000000.1", "NaN"));
      default -> out.append(random.nextInt(100_000) / 1000.0);
    }
  }

  private void date() {
    String date =
        String.format(
            java.util.Locale.ROOT,
            "%04d-%02d-%02d",
            random.nextInt(20) == 0 ? random.nextInt(12000) : 1990 + random.nextInt(60),
            1 + random.nextInt(random.nextInt(20) == 0 ? 14 : 12),
            1 + random.nextInt(random.nextInt(20) == 0 ? 33 : 28));
    String time =
        String.format(
            java.util.Locale.ROOT,
            "T%02d:%02d:%02d",
            random.nextInt(random.nextInt(20) == 0 ? 26 : 24),
            random.nextInt(random.nextInt(20) == 0 ? 62 : 60),
            random.nextInt(random.nextInt(20) == 0 ? 62 : 60));
    switch (random.nextInt(10)) {
      case 0 -> string(date);
      case 1 -> out.append(random.nextLong() >>> 20 + random.nextInt(40));
      case 2 -> string(Long.toString(random.nextLong() >>> 20 + random.nextInt(40)));
      case 3 ->
          string(
              pick(
                  "2020",
                  "2020-01",
                  "2020-01-01T",
                  "2020-01-01T10",
                  "2020-01-01T10:11",
                  "12345",
                  "000123456",
                  "1697000000000.5",
                  "-1697000000000",
                  "",
                  " ",
                  "now",
                  "20200101"));
      default ->
          string(
              date
                  + time
                  + pick("", ".1", ".12", ".123", ".123456", ".123456789", ".1234567891", ",5")
                  + pick("Z", "Z", "", "+01:00", "-11:30", "+0100", "+01", "z", "+18:00", "[UTC]"));
    }
  }

  private String text() {
    return switch (random.nextInt(12)) {
      case 0 -> "";
      case 1 -> "Grüße aus Köln";
      case 2 -> "日本語 \uD83D\uDE00 ok";
      case 3 -> "line\nbreak\ttab \"quoted\" back\\slash /";
      case 4 -> "x".repeat(random.nextInt(600));
      case 5 -> random.nextInt(20) == 0 ? "y".repeat(40_000) : "short";
      case 6 -> String.valueOf((char) (1 + random.nextInt(0x2FF)));
      default -> "GET /v2/servers/" + random.nextInt(1000) + " took 0.25 s_x it's";
    };
  }

  private void string(String text) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < ' ') {
        out.append(
            c == '\n' && random.nextBoolean()
                ? "\\n"
                : String.format(java.util.Locale.ROOT, "\\u%04x", (int) c));
      } else if (random.nextInt(200) == 0) {
        out.append(String.format(java.util.Locale.ROOT, "\\u%04X", (int) c));
      } else {
        out.append(c);
      }
    }
    out.append('"');
  }

  private void space() {
    if (random.nextInt(10) == 0) {
      out.append(pick(" ", "\n", "\t\r ", "  ", "/* c */", ""));
    }
  }

  /** Damages a few bytes. */
  private byte[] broken(byte[] bytes) {
    ByteArrayOutputStream to = new ByteArrayOutputStream();
    int at = random.nextInt(bytes.length);
    to.write(bytes, 0, at);
    switch (random.nextInt(7)) {
      case 0 -> {}
      case 1 -> to.write(bytes, at + 1, bytes.length - at - 1);
      case 2 -> {
        to.write(random.nextInt(256));
        to.write(bytes, at, bytes.length - at);
      }
      case 3 -> {
        to.write(random.nextInt(256));
        to.write(bytes, at + 1, bytes.length - at - 1);
      }
      case 4 -> {
        to.write(bytes, at, bytes.length - at);
        to.writeBytes(pick("}", "{}", " x", ",", "\u0000", "//").getBytes(StandardCharsets.UTF_8));
      }
      case 5 -> {
        to.writeBytes(
            pick("\"", ",", "\\u12", "\\x", "\\ud800", ":", "[", "]", "null", "/")
                .getBytes(StandardCharsets.UTF_8));
        to.write(bytes, at, bytes.length - at);
      }
      default -> {
        to.write(
            new byte[] {(byte) 0xC0, (byte) 0x80, (byte) 0xED, (byte) 0xA0, (byte) 0x80},
            random.nextInt(4),
            2);
        to.write(bytes, at, bytes.length - at);
      }
    }
    return to.toByteArray();
  }

  private String pick(String... values) {
    return values[random.nextInt(values.length)];
  }
}
