package io.millrace.corpus;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * One message shape: fixed text and placeholders, compiled once, written straight into the bytes of
 * a JSON string.
 *
 * <p>Placeholders: {@code ip port uuid mac status bytes latency money user path domain host word
 * class method thread namespace pod table unicode}, {@code hex:N} (N digits, at most 32), {@code
 * int:LOW-HIGH}, {@code pick:A|B|C}. A brace that opens no known placeholder is text. Fixed text is
 * escaped for JSON when the template is compiled; every placeholder writes JSON-safe text.
 */
final class Template {
  /** Writes one placeholder's value. */
  @FunctionalInterface
  interface Part {
    void write(JsonBuffer out, Prng random, LogGenerator.Document document);
  }

  final String service;
  final int weight;
  final String level;
  private final Part[] parts;

  private Template(String service, int weight, String level, List<Part> parts) {
    this.service = service;
    this.weight = weight;
    this.level = level;
    this.parts = parts.toArray(Part[]::new);
  }

  void write(JsonBuffer out, Prng random, LogGenerator.Document document) {
    for (Part part : parts) {
      part.write(out, random, document);
    }
  }

  /** Compiles {@code service|weight|level|text}. */
  static Template parse(String line, Vocabulary words) {
    String[] columns = line.split("\\|", 4);
    if (columns.length != 4) {
      throw new IllegalArgumentException("a template has four columns: " + line);
    }
    String text = columns[3].replace("\\n", "\n").replace("\\t", "\t");
    List<Part> parts = new ArrayList<>();
    StringBuilder literal = new StringBuilder();
    int at = 0;
    while (at < text.length()) {
      int close = text.charAt(at) == '{' ? text.indexOf('}', at) : -1;
      Part part = close < 0 ? null : placeholder(text.substring(at + 1, close), words);
      if (part == null) {
        literal.append(text.charAt(at++));
      } else {
        flush(literal, parts);
        parts.add(part);
        at = close + 1;
      }
    }
    flush(literal, parts);
    return new Template(columns[0], Integer.parseInt(columns[1]), columns[2], parts);
  }

  private static void flush(StringBuilder literal, List<Part> parts) {
    if (!literal.isEmpty()) {
      byte[] bytes = new JsonBuffer().escaped(literal.toString()).toByteArray();
      parts.add((out, random, document) -> out.raw(bytes));
      literal.setLength(0);
    }
  }

  private static @org.jspecify.annotations.Nullable Part placeholder(
      String name, Vocabulary words) {
    int colon = name.indexOf(':');
    String argument = colon < 0 ? "" : name.substring(colon + 1);
    switch (colon < 0 ? name : name.substring(0, colon)) {
      case "int" -> {
        int dash = argument.indexOf('-');
        if (dash < 0) {
          return null;
        }
        long low = Long.parseLong(argument.substring(0, dash));
        long high = Long.parseLong(argument.substring(dash + 1));
        return (out, random, document) -> out.number(random.between(low, high));
      }
      case "hex" -> {
        int digits = Integer.parseInt(argument);
        return (out, random, document) -> {
          for (int left = digits; left > 0; left -= 16) {
            out.hex(random.bits(), Math.min(16, left));
          }
        };
      }
      case "pick" -> {
        String[] choices = argument.split("\\|");
        byte[][] bytes = new byte[choices.length][];
        for (int i = 0; i < bytes.length; i++) {
          bytes[i] = choices[i].getBytes(StandardCharsets.UTF_8);
        }
        return (out, random, document) -> out.raw(bytes[random.below(bytes.length)]);
      }
      default -> {
        return colon >= 0 ? null : simple(name, words);
      }
    }
  }

  private static @org.jspecify.annotations.Nullable Part simple(String name, Vocabulary words) {
    return switch (name) {
      case "ip" -> (out, random, document) -> words.ip(out, random);
      case "port" -> (out, random, document) -> out.number(random.between(1024, 65535));
      case "uuid" -> (out, random, document) -> uuid(out, random);
      case "mac" -> (out, random, document) -> mac(out, random);
      case "status" -> (out, random, document) -> out.number(document.status);
      case "bytes" -> (out, random, document) -> out.number(document.bytes);
      case "latency" -> (out, random, document) -> out.thousandths(document.latencyMicros);
      case "host" -> (out, random, document) -> out.raw(words.host(random));
      case "money" ->
          (out, random, document) ->
              out.number(random.between(1, 4999)).raw('.').padded(random.below(100), 2);
      case "pod" ->
          (out, random, document) ->
              out.raw(words.word(random))
                  .raw('-')
                  .hex(random.bits(), 9)
                  .raw('-')
                  .hex(random.bits(), 5);
      case "thread" ->
          (out, random, document) -> out.raw(Vocabulary.THREAD).number(random.between(1, 64));
      case "user", "path", "domain", "word", "class", "method", "namespace", "table", "unicode" ->
          words.list(name);
      default -> null;
    };
  }

  private static void uuid(JsonBuffer out, Prng random) {
    long high = random.bits();
    long low = random.bits();
    out.hex(high >>> 32, 8).raw('-').hex(high >>> 16, 4).raw('-').raw('4').hex(high, 3).raw('-');
    out.hex(8 | (low >>> 62), 1).hex(low >>> 48, 3).raw('-').hex(low, 12);
  }

  private static void mac(JsonBuffer out, Prng random) {
    long bits = random.bits();
    for (int i = 0; i < 6; i++) {
      if (i > 0) {
        out.raw(':');
      }
      out.hex(bits >>> (i * 8), 2);
    }
  }
}
