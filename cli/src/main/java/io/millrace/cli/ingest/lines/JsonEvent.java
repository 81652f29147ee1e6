package io.millrace.cli.ingest.lines;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.millrace.cli.ingest.lines.KnownNames.Role;
import io.millrace.corpus.JsonBuffer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A JSON document of a program that does not call its time {@code @timestamp}: finds time, level,
 * message and host under the names of {@link KnownNames}, and writes the document with {@code
 * @timestamp}, {@code level}, {@code message} and {@code host}. Everything else stays byte for byte.
 *
 * <p>What was changed stands in the field {@code layout}: {@code json:+@timestamp +host level=30
 * message=msg} says that two members were added, that the level was 30, and that the message was
 * called msg. A document with {@code @timestamp}, or without any time, is not touched.
 */
public final class JsonEvent {
  private static final byte[] STAMP = {'"', '@', 't', 'i', 'm', 'e', 's', 't', 'a', 'm', 'p', '"'};
  private static final JsonFactory JSON = new JsonFactory();

  /** A member that was found, with the bytes of its value. */
  private record Member(String name, JsonToken kind, String text, int from, int to, int rank) {}

  private final LineParser lines;
  private final JsonTimes times;
  private final @Nullable String timeField;
  private final Map<Role, Member> found = new EnumMap<>(Role.class);
  private boolean stamped;
  private boolean levelTaken;
  private boolean messageTaken;
  private boolean hostTaken;
  private boolean requested;
  private boolean empty;
  private @Nullable String level;

  /** The name of the object at each depth. */
  private final String[] above = new String[7];

  /**
   * @param lines reads the level out of a message
   * @param timeField the name of the time, or null to look for one
   */
  public JsonEvent(
      LineParser lines, TimeScanner scanner, TimeFormats formats, @Nullable String timeField) {
    this.lines = lines;
    this.times = new JsonTimes(scanner, formats);
    this.timeField = timeField;
  }

  /** What became of a document. */
  public enum Outcome {
    /** It has a time already, or it is no JSON: it goes as it is. */
    AS_IT_IS,
    /** It has no time that could be read: it goes as it is. */
    TIMELESS,
    /** It was written to the buffer. */
    WRITTEN
  }

  /** The level of the last document, or null. */
  public @Nullable String level() {
    return level;
  }

  /** The name under which the last document had its time. */
  public String timeName() {
    Member member = found.get(Role.TIME);
    return member == null ? "@timestamp" : member.name();
  }

  /** Looks at a document and writes it with its time, when that is needed. */
  public Outcome write(byte[] bytes, int from, int length, JsonBuffer out) {
    if (timeField == null && contains(bytes, from, length)) {
      return Outcome.AS_IT_IS;
    }
    try {
      if (!look(bytes, from, length)) {
        return Outcome.AS_IT_IS;
      }
    } catch (IOException e) {
      return Outcome.AS_IT_IS; // the node says what is wrong with it
    }
    Member time = found.get(Role.TIME);
    if (stamped && timeField == null) {
      return Outcome.AS_IT_IS;
    }
    if (time == null) {
      return Outcome.TIMELESS;
    }
    rewrite(bytes, from, length, out);
    return Outcome.WRITTEN;
  }

  /** The elements of {@code {"Records":[...]}}, from and to; none when it is anything else. */
  public static List<int[]> records(byte[] bytes, int length) {
    List<int[]> elements = new ArrayList<>();
    String head = new String(bytes, 0, Math.min(12, length), StandardCharsets.ISO_8859_1);
    if (!head.equalsIgnoreCase("{\"records\":[")) {
      return elements;
    }
    try (JsonParser parser = JSON.createParser(bytes, 0, length)) {
      parser.nextToken();
      parser.nextToken();
      parser.nextToken();
      while (parser.nextToken() == JsonToken.START_OBJECT) {
        int from = (int) parser.currentTokenLocation().getByteOffset();
        parser.skipChildren();
        elements.add(new int[] {from, (int) parser.currentLocation().getByteOffset()});
      }
      boolean alone =
          parser.currentToken() == JsonToken.END_ARRAY
              && parser.nextToken() == JsonToken.END_OBJECT
              && parser.nextToken() == null;
      return alone ? elements : List.of();
    } catch (IOException e) {
      return List.of(); // the node says what is wrong with it
    }
  }

  private static boolean contains(byte[] bytes, int from, int length) {
    // near the front only: a document that has it further behind is found by the parser
    int last = from + Math.min(length, 200) - STAMP.length;
    for (int i = from; i <= last; i++) {
      if (bytes[i] == '"' && bytes[i + 1] == '@' && bytes[i + 2] == 't') {
        int k = 3;
        while (k < STAMP.length && bytes[i + k] == STAMP[k]) {
          k++;
        }
        if (k == STAMP.length) {
          return true;
        }
      }
    }
    return false;
  }

  private boolean look(byte[] bytes, int from, int length) throws IOException {
    found.clear();
    stamped = false;
    levelTaken = false;
    messageTaken = false;
    hostTaken = false;
    requested = false;
    empty = true;
    level = null;
    times.start();
    try (JsonParser parser = JSON.createParser(bytes, from, length)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        return false;
      }
      int depth = 1;
      String name = "";
      above[1] = "";
      while (depth > 0) {
        JsonToken token = parser.nextToken();
        if (token == null) {
          return false;
        }
        switch (token) {
          case START_OBJECT -> {
            depth++;
            if (depth < above.length) {
              above[depth] = name;
            }
          }
          case END_OBJECT -> depth--;
          case FIELD_NAME -> {
            name = parser.currentName();
            empty = false;
            if (depth == 1) {
              taken(name);
            }
          }
          case START_ARRAY -> {
            if (depth == 1 && name.equals("MESSAGE")) {
              bytes(parser, from);
            } else if (depth == 1 && timeField == null) {
              array(parser, name);
            } else {
              parser.skipChildren();
            }
          }
          case END_ARRAY, NOT_AVAILABLE, VALUE_EMBEDDED_OBJECT -> {}
          default -> value(parser, token, name, depth, from);
        }
      }
      return parser.nextToken() == null;
    }
  }

  private void taken(String name) {
    stamped |= name.equals("@timestamp");
    levelTaken |= name.equals("level");
    messageTaken |= name.equals("message");
    hostTaken |= name.equals("host");
    requested |= name.equals("reqId");
  }

  private void value(JsonParser parser, JsonToken token, String name, int depth, int base)
      throws IOException {
    String parent = depth > 1 && depth < above.length ? above[depth] : "";
    boolean pair = isSeconds(name) && !parent.isEmpty();
    String known = pair ? parent : name;
    boolean chosen = timeField != null && timeField.equals(known);
    int rank = chosen ? 0 : timeField != null ? KnownNames.UNKNOWN : KnownNames.timeRank(known);
    times.part(name, parser.getText());
    if (name.equals("nanos") && KnownNames.rank(Role.TIME, parent) != KnownNames.UNKNOWN) {
      times.nanos(parser.getText());
    }
    if (rank != KnownNames.UNKNOWN && depth <= 5) {
      String text = parser.getText();
      boolean clear = !KnownNames.onlySounds(rank) || JsonTimes.isWhole(text);
      if (clear && better(Role.TIME, rank + depth * 1000) && times.read(text, token.isNumeric())) {
        put(Role.TIME, parser, token, known, rank + depth * 1000, base);
        if (pair) {
          times.seconds();
        }
      }
    }
    if (depth == 3 && name.equals("name") && KnownNames.rank(Role.LEVEL, parent) == 0) {
      if (found.get(Role.LEVEL) == null && Level.of(parser.getText()) != null) {
        put(Role.LEVEL, parser, token, "level.name", 1000, base); // Loguru
      }
    }
    if (depth > 1 || !token.isScalarValue()) {
      return;
    }
    for (Role role : new Role[] {Role.LEVEL, Role.MESSAGE, Role.HOST}) {
      int other = KnownNames.rank(role, name);
      boolean fits = role == Role.LEVEL || token == JsonToken.VALUE_STRING;
      if (other != KnownNames.UNKNOWN
          && fits
          && better(role, other)
          && (role != Role.LEVEL || Level.ofValue(name, parser.getText()) != null)) {
        put(role, parser, token, name, other, base);
      }
    }
  }

  private static boolean isSeconds(String name) {
    return name.equals("seconds") || name.equals("epochSeconds");
  }

  /** A time as a list of numbers; any other list is passed over. */
  private void array(JsonParser parser, String name) throws IOException {
    int rank = KnownNames.timeRank(name);
    if (rank == KnownNames.UNKNOWN) {
      parser.skipChildren();
      return;
    }
    List<Integer> numbers = new ArrayList<>();
    boolean plain = true;
    for (JsonToken token = parser.nextToken();
        token != JsonToken.END_ARRAY && token != null;
        token = parser.nextToken()) {
      plain &= token == JsonToken.VALUE_NUMBER_INT && numbers.size() < 8 && isInt(parser);
      if (plain) {
        numbers.add(parser.getIntValue());
      } else {
        parser.skipChildren();
      }
    }
    if (plain && better(Role.TIME, rank + 1000) && times.read(numbers)) {
      found.put(Role.TIME, new Member(name, JsonToken.START_ARRAY, "", 0, 0, rank + 1000));
    }
  }

  private static boolean isInt(JsonParser parser) throws IOException {
    return parser.getNumberType() == JsonParser.NumberType.INT && parser.getIntValue() >= 0;
  }

  private boolean better(Role role, int rank) {
    Member before = found.get(role);
    return before == null || rank < before.rank();
  }

  private void put(Role role, JsonParser parser, JsonToken token, String name, int rank, int base)
      throws IOException {
    int start = base + (int) parser.currentTokenLocation().getByteOffset();
    parser.finishToken();
    int end = base + (int) parser.currentLocation().getByteOffset();
    found.put(role, new Member(name, token, parser.getText(), start, end, rank));
  }

  /** journald writes a message that is not plain text as an array of bytes. */
  private void bytes(JsonParser parser, int base) throws IOException {
    int start = base + (int) parser.currentTokenLocation().getByteOffset();
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      text.write(parser.getIntValue());
    }
    int end = base + (int) parser.currentLocation().getByteOffset();
    String decoded = text.toString(StandardCharsets.UTF_8);
    found.put(Role.MESSAGE, new Member("MESSAGE", JsonToken.START_ARRAY, decoded, start, end, -1));
  }

  private void rewrite(byte[] bytes, int from, int length, JsonBuffer out) {
    StringBuilder layout = new StringBuilder("json:");
    out.raw('{');
    if (!stamped) {
      out.raw("\"@timestamp\":\"");
      times.write(out);
      out.raw("\",");
      layout.append("+@timestamp ");
    }
    Member levelMember = found.get(Role.LEVEL);
    Member message = found.get(Role.MESSAGE);
    Member host = found.get(Role.HOST);
    boolean replaceLevel = levelMember != null && levelMember.name().equals("level");
    level =
        levelMember != null
            ? Level.ofValue(requested ? Level.NEXTCLOUD : levelMember.name(), levelMember.text())
            : timeName().equals("@t") && !levelTaken
                ? "INFO" // compact JSON of Serilog leaves out what is most common
                : fromMessage(message);
    if (level != null && !replaceLevel && !levelTaken) {
      out.raw("\"level\":").quoted(level).raw(',');
      layout.append("+level ");
    }
    if (host != null && !hostTaken) {
      out.raw("\"host\":").quoted(host.text()).raw(',');
      layout.append("+host ");
    }
    Member renamed = message != null && !messageTaken ? message : null;
    int keyAt = renamed == null ? -1 : keyBefore(bytes, renamed);
    if (renamed != null && keyAt < 0) {
      out.raw("\"message\":").quoted(renamed.text()).raw(',');
      layout.append("+message ");
      renamed = null;
    } else if (renamed != null) {
      layout.append(renamed.kind() == JsonToken.START_ARRAY ? "bytes=" : "message=");
      layout.append(renamed.name()).append(' ');
    }
    if (replaceLevel && levelMember != null && !levelMember.text().equals(level)) {
      layout.append(levelMember.kind() == JsonToken.VALUE_STRING ? "level=" : "level#");
      layout.append(levelMember.text()).append(' ');
    } else {
      replaceLevel = false;
    }
    out.raw("\"layout\":").quoted(layout.toString().stripTrailing());
    out.raw(empty ? "" : ",");
    Member first = replaceLevel ? levelMember : null;
    body(bytes, bodyStart(bytes, from), from + length, first, renamed, keyAt, out);
  }

  private static int bodyStart(byte[] bytes, int from) {
    int at = from;
    while (bytes[at] != '{') {
      at++;
    }
    return at + 1;
  }

  /** Copies the members, with another value of the level and another name of the message. */
  private void body(
      byte[] bytes,
      int from,
      int end,
      @Nullable Member levelMember,
      @Nullable Member message,
      int keyAt,
      JsonBuffer out) {
    int at = from;
    boolean levelFirst = levelMember != null && (message == null || levelMember.from() < keyAt);
    for (int step = 0; step < 2; step++) {
      if (levelFirst == (step == 0)) {
        if (levelMember != null) {
          out.raw(bytes, at, levelMember.from() - at).quoted(String.valueOf(level));
          at = levelMember.to();
        }
      } else if (message != null) {
        out.raw(bytes, at, keyAt - at).raw("\"message\":");
        if (message.kind() == JsonToken.START_ARRAY) {
          out.quoted(message.text());
        } else {
          out.raw(bytes, message.from(), message.to() - message.from());
        }
        at = message.to();
      }
    }
    out.raw(bytes, at, end - at);
  }

  /** Where the key of a member starts, when it is written without escapes; otherwise -1. */
  private static int keyBefore(byte[] bytes, Member member) {
    int at = member.from() - 1;
    while (at > 0 && (bytes[at] == ' ' || bytes[at] == ':' || bytes[at] == '\t')) {
      at--;
    }
    int start = at - member.name().length() - 1;
    if (start < 0 || bytes[at] != '"' || bytes[start] != '"') {
      return -1;
    }
    for (int i = 0; i < member.name().length(); i++) {
      if (bytes[start + 1 + i] != member.name().charAt(i)) {
        return -1;
      }
    }
    return start;
  }

  private @Nullable String fromMessage(@Nullable Member message) {
    return message == null ? null : lines.levelOf(message.text());
  }
}
