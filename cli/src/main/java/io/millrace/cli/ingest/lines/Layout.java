package io.millrace.cli.ingest.lines;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How a line was put together from the fields of its document, as the field {@code layout} holds
 * it: {@code %Y-%m-%d %H:%M:%S,%3N INFO [%{pid}] %{message}}. Lines of one program share a few
 * layouts, so that the field costs next to nothing, and the line can be put back exactly.
 *
 * <p>{@code %{name}} is a field. The other letters are those of {@code date(1)} and are filled from
 * {@code @timestamp}; {@code %-d} is without a leading zero, {@code %3N} has three digits, {@code
 * %L} is milliseconds without zeros, {@code %T} is TAI64N, {@code %%} a percent sign. {@code
 * %{+120}} says that the clock behind it is 120 minutes ahead of UTC.
 */
public final class Layout {
  private Layout() {}

  /** Appends text of a line that is in no field. */
  static void literal(StringBuilder out, String line, int from, int to) {
    for (int i = from; i < to; i++) {
      char c = line.charAt(i);
      out.append(c);
      if (c == '%') {
        out.append('%');
      }
    }
  }

  /**
   * Puts a line back.
   *
   * @param fields the text of a field by its name; null when the document has none of that name
   * @throws IllegalArgumentException when the document lacks a field that the layout names
   */
  public static String line(String layout, Function<String, @Nullable String> fields) {
    StringBuilder out = new StringBuilder();
    int offset = 0;
    for (int i = 0; i < layout.length(); i++) {
      char c = layout.charAt(i);
      if (c != '%') {
        out.append(c);
        continue;
      }
      char code = layout.charAt(++i);
      int digits = 2;
      if (code == '{') {
        int end = layout.indexOf('}', i);
        String name = layout.substring(i + 1, end);
        i = end;
        if (name.startsWith("+") || name.startsWith("-")) {
          offset = Integer.parseInt(name);
        } else {
          out.append(field(fields, name));
        }
        continue;
      }
      if (code == '-') {
        digits = 1;
        code = layout.charAt(++i);
      } else if (code >= '1' && code <= '9') {
        digits = code - '0';
        code = layout.charAt(++i);
      }
      if (code == '%') {
        out.append('%');
      } else {
        time(out, code, digits, Instant.parse(field(fields, "@timestamp")), offset);
      }
    }
    return out.toString();
  }

  /**
   * Puts a JSON document back: takes out what was added, and gives back names and the level.
   *
   * @param layout the field {@code layout} that {@link JsonEvent} wrote
   * @param document what it wrote; it is changed and returned
   */
  public static ObjectNode json(String layout, ObjectNode document) {
    ObjectNode out = document.objectNode();
    Set<String> added = new HashSet<>(Set.of("layout"));
    Map<String, String> names = new HashMap<>();
    Map<String, JsonNode> values = new HashMap<>();
    for (String change : layout.substring("json:".length()).split(" ")) {
      if (change.startsWith("+")) {
        added.add(change.substring(1));
      } else if (change.startsWith("level=")) {
        values.put("level", TextNode.valueOf(change.substring(6)));
      } else if (change.startsWith("level#")) {
        values.put("level", LongNode.valueOf(Long.parseLong(change.substring(6))));
      } else if (change.startsWith("message=")) {
        names.put("message", change.substring(8));
      } else if (change.startsWith("bytes=")) {
        names.put("message", change.substring(6));
        ArrayNode bytes = document.arrayNode();
        for (byte each : document.path("message").asText().getBytes(StandardCharsets.UTF_8)) {
          bytes.add(each & 0xff);
        }
        values.put("message", bytes);
      }
    }
    document
        .properties()
        .forEach(member -> {
          String name = member.getKey();
          if (!added.contains(name)) {
            out.set(names.getOrDefault(name, name), values.getOrDefault(name, member.getValue()));
          }
        });
    return out;
  }

  private static String field(Function<String, @Nullable String> fields, String name) {
    String value = fields.apply(name);
    if (value == null) {
      throw new IllegalArgumentException(
          "the layout names the field " + name + ", which is absent");
    }
    return value;
  }

  private static void time(StringBuilder out, char code, int digits, Instant time, int offset) {
    LocalDateTime wall = LocalDateTime.ofInstant(time.plusSeconds(offset * 60L), ZoneOffset.UTC);
    switch (code) {
      case 'Y' -> number(out, wall.getYear(), 4);
      case 'y' -> number(out, wall.getYear() % 100, 2);
      case 'm' -> number(out, wall.getMonthValue(), digits);
      case 'j' -> number(out, wall.getDayOfYear(), 3);
      case 'd' -> number(out, wall.getDayOfMonth(), digits);
      case 'H' -> number(out, wall.getHour(), digits);
      case 'I' -> number(out, (wall.getHour() + 11) % 12 + 1, digits);
      case 'M' -> number(out, wall.getMinute(), digits);
      case 'S' -> number(out, wall.getSecond(), digits);
      case 'N' -> out.append(padded(time.getNano(), 9), 0, digits);
      case 'L' -> out.append(time.getNano() / 1_000_000);
      case 's' -> out.append(time.getEpochSecond());
      case 'T' ->
          out.append("@4")
              .append(String.format("%015x%08x", time.getEpochSecond() + 10, time.getNano()));
      default -> throw new IllegalArgumentException("%" + code + " is not known in a layout");
    }
  }

  private static void number(StringBuilder out, int value, int digits) {
    out.append(padded(value, digits));
  }

  private static String padded(int value, int digits) {
    String text = Integer.toString(value);
    return "0".repeat(Math.max(0, digits - text.length())) + text;
  }
}
