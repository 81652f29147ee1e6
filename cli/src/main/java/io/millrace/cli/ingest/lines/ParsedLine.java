package io.millrace.cli.ingest.lines;

import io.millrace.corpus.JsonBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a line was taken apart into: its time, its level, fields with their places in the line, and
 * the message. Reused from line to line; not thread-safe.
 *
 * <p>Nothing is lost on the way: what the message lacks of the line, the {@link Layout} or a field
 * has. Where a layout cannot say it ({@link #exact}), the reader keeps the whole line.
 */
public final class ParsedLine {
  /** Names that a field of a line must not take: the reader writes them itself. */
  private static final List<String> OWN =
      List.of("@timestamp", "level", "message", "layout", "file", "event");

  private record Field(String name, String value, int from, int to) {}

  private String line = "";
  private final List<Field> fields = new ArrayList<>();
  private final StringBuilder timeLayout = new StringBuilder();
  private boolean timed;
  private boolean dateGuessed;
  private boolean zoned;
  private long second;
  private int nanos;
  private int timeFrom = -1;
  private int timeTo = -1;
  private @Nullable String level;
  private int messageFrom;
  private int messageTo;
  private boolean exact;
  private boolean partial;
  private boolean goesOn;
  private String reader = "";
  private String lastLayout = "";

  /** Starts a line; its message is the whole of it until somebody knows better. */
  void reset(String text) {
    line = text;
    fields.clear();
    timed = false;
    dateGuessed = false;
    zoned = false;
    timeFrom = -1;
    timeTo = -1;
    level = null;
    messageFrom = 0;
    messageTo = text.length();
    exact = true;
    partial = false;
    goesOn = false;
    reader = "";
  }

  String line() {
    return line;
  }

  /** Which format, or which general rule, took the line apart; for {@code --explain}. */
  public String reader() {
    return reader;
  }

  void reader(String name) {
    reader = name;
  }

  /** Takes the time that the scanner has just found at {@code from}. */
  void time(TimeScanner found, int from) {
    time(found);
    if (found.unlaid) {
      inexact();
    }
    timeFrom = from;
    timeTo = found.end();
    timeLayout.setLength(0);
    if (found.offset() != 0) {
      timeLayout.append(found.offset() > 0 ? "%{+" : "%{").append(found.offset()).append('}');
    }
    found.layout(timeLayout, line, from);
  }

  /** Takes a time whose text stays in a field or in the message. */
  void time(TimeScanner found) {
    time(found.second(), found.nanos());
    dateGuessed = found.dateGuessed() && !found.dated();
    zoned = found.zoned;
    timeFrom = -1;
    timeTo = -1;
  }

  /** Whether the place of the time in the line is known. */
  boolean placed() {
    return timeFrom >= 0;
  }

  int nanos() {
    return nanos;
  }

  void time(long epochSecond, int nanoOfSecond) {
    timed = true;
    second = epochSecond;
    nanos = nanoOfSecond;
  }

  /** A field whose value stands in the line. */
  void span(String name, int from, int to) {
    if (from < to) {
      add(name, line.substring(from, to), from, to);
    }
  }

  /** A field whose value was made from the line; its text stays in the layout or the message. */
  void value(String name, String value) {
    if (!value.isEmpty()) {
      add(name, value, -1, -1);
    }
  }

  private void add(String name, String value, int from, int to) {
    boolean number = name.equals("status") || name.equals("bytes");
    if (number && value.equals("-")) {
      return; // access logs have a dash for none
    }
    String key = number && !isNumber(name, value) ? name + '_' : name;
    if (!has(key)) {
      fields.add(new Field(key, value, from, to));
    }
  }

  private boolean has(String name) {
    for (int i = 0; i < fields.size(); i++) {
      if (fields.get(i).name().equals(name)) {
        return true;
      }
    }
    return false;
  }

  /** The name under which a field of the line's own naming is indexed. */
  static String ownName(String name) {
    String plain = name.replace('.', '_').replaceFirst("^[+-]", "_");
    return OWN.contains(plain) ? plain + "_" : plain;
  }

  void level(@Nullable String name) {
    if (level == null) {
      level = name;
    }
  }

  /** Takes back what was taken for a level. */
  void noLevel() {
    level = null;
  }

  public @Nullable String level() {
    return level;
  }

  void message(int from) {
    messageFrom = Math.min(from, line.length());
    messageTo = line.length();
  }

  void message(int from, int to) {
    messageFrom = from;
    messageTo = to;
  }

  /** Whether the runtime of a container cut the line here, and the next line goes on with it. */
  public boolean partial() {
    return partial;
  }

  public void partial(boolean value) {
    partial = value;
  }

  /** Whether the text behind its time goes on with the line before, as in a stack trace. */
  public boolean continues() {
    return goesOn;
  }

  void goesOn() {
    goesOn = true;
  }

  /** The line cannot be put back from its fields. */
  void inexact() {
    exact = false;
  }

  /** Whether message, layout and fields hold all of the line. */
  public boolean exact() {
    return exact;
  }

  /** Whether the message ends where the line does, so that more lines can follow it. */
  public boolean open() {
    return messageTo == line.length();
  }

  public boolean timed() {
    return timed;
  }

  /** Whether the line names the zone of its time. */
  boolean timedWithZone() {
    return timed && zoned;
  }

  /** Whether the line has a clock only, and its day is a guess. */
  public boolean dateGuessed() {
    return dateGuessed;
  }

  /** Milliseconds since 1970. */
  public long millis() {
    return second * 1000 + nanos / 1_000_000;
  }

  public String message() {
    return messageFrom == 0 && messageTo == line.length()
        ? line
        : line.substring(messageFrom, messageTo);
  }

  /** The value of a field, or null. */
  public @Nullable String field(String name) {
    for (Field field : fields) {
      if (field.name().equals(name)) {
        return field.value();
      }
    }
    return null;
  }

  /** The fields in the order in which they were found. */
  public List<String> fieldNames() {
    return fields.stream().map(Field::name).toList();
  }

  /** How the line is put together, or null when the message is the line. */
  public @Nullable String layout() {
    if (messageFrom == 0 && messageTo == line.length()) {
      return null;
    }
    fields.sort((a, b) -> Integer.compare(a.from(), b.from()));
    StringBuilder out = new StringBuilder(64);
    int at = 0;
    int next = 0;
    while (true) {
      while (next < fields.size() && fields.get(next).from() < at) {
        next++;
      }
      int fieldFrom = next < fields.size() ? fields.get(next).from() : Integer.MAX_VALUE;
      int timeAt = timeFrom >= at ? timeFrom : Integer.MAX_VALUE;
      int messageAt =
          messageFrom >= at && messageTo > messageFrom ? messageFrom : Integer.MAX_VALUE;
      int nearest = Math.min(fieldFrom, Math.min(timeAt, messageAt));
      if (nearest == Integer.MAX_VALUE) {
        break;
      }
      Layout.literal(out, line, at, nearest);
      if (nearest == messageAt) {
        out.append("%{message}");
        at = messageTo;
      } else if (nearest == timeAt) {
        out.append(timeLayout);
        at = timeTo;
      } else {
        Field field = fields.get(next);
        out.append("%{").append(field.name()).append('}');
        at = field.to();
      }
    }
    Layout.literal(out, line, at, line.length());
    if (messageFrom == line.length()) {
      out.append("%{message}"); // empty, until a line is joined to it
    }
    if (!lastLayout.contentEquals(out)) {
      lastLayout = out.toString();
    }
    return lastLayout;
  }

  /**
   * Writes the fields before the message: {@code {"@timestamp":...,"level":...,} and so on.
   *
   * @param otherwise the time of a line without one, milliseconds since 1970
   */
  public void writeFields(JsonBuffer out, long otherwise) {
    out.raw("{\"@timestamp\":\"");
    if (timed) {
      instant(out, second, nanos);
    } else {
      out.instant(otherwise);
    }
    out.raw('"');
    if (level != null) {
      out.raw(",\"level\":\"").raw(level).raw('"');
    }
    for (int i = 0; i < fields.size(); i++) {
      Field field = fields.get(i);
      out.raw(',').quoted(field.name()).raw(':');
      if (isNumber(field.name(), field.value())) {
        out.raw(field.value());
      } else {
        out.quoted(field.value());
      }
    }
  }

  /** A time with as many digits as it needs, three at least. */
  static void instant(JsonBuffer out, long second, int nanos) {
    out.instant(second * 1000 + nanos / 1_000_000);
    int rest = nanos % 1_000_000;
    if (rest != 0) {
      out.truncate(out.size() - 1);
      if (rest % 1000 == 0) {
        out.padded(rest / 1000, 3);
      } else {
        out.padded(rest, 6);
      }
      out.raw('Z');
    }
  }

  /** Only fields that are numbers in every mapping: a number elsewhere may be a word tomorrow. */
  private static boolean isNumber(String name, String value) {
    boolean status = name.equals("status");
    if (!status && !name.equals("bytes") || value.length() > (status ? 4 : 18)) {
      return false;
    }
    for (int i = 0; i < value.length(); i++) {
      if (value.charAt(i) < '0' || value.charAt(i) > '9') {
        return false;
      }
    }
    return value.length() == 1 || value.charAt(0) != '0';
  }
}
