package io.millrace.cli.ingest;

import io.millrace.cli.ingest.lines.EventLines;
import io.millrace.cli.ingest.lines.LineParser;
import io.millrace.cli.ingest.lines.ParsedLine;
import io.millrace.corpus.JsonBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Makes events of plain lines. The first {@link #SAMPLE} lines of a file are held back until they
 * have decided how its lines are read; then each line is judged by itself, and lines that belong to
 * the one before are joined to it.
 *
 * <p>An event ends with the next one, at the end of the input, after 2,000 lines, at {@link
 * ReaderOptions#maxEvent} bytes, or when a followed file has been quiet for about half a second. An
 * event without a time of its own takes that of the one before, the first ones that of the first
 * that has one.
 */
final class PlainEvents {
  private static final int SAMPLE = 100;
  private static final int SAMPLE_CHARS = 1 << 20;
  private static final int MAX_EVENT_LINES = 2_000;
  private static final long UNKNOWN = Long.MIN_VALUE;
  private static final long DAY = 86_400_000L;

  /** How an event came to its time. */
  enum TimeOf {
    /** It is in the line. */
    LINE,
    /** The line has none: the one before it had this. */
    NEIGHBOUR,
    /** No line so far had one. */
    ARRIVAL
  }

  /**
   * An event, valid until the next one.
   *
   * @param parsed the fields
   * @param message the message, with the lines that were joined
   * @param original the lines as they were read
   * @param raw their bytes, when ids are made of them
   * @param exact whether layout, fields and message hold the original
   * @param number line number of the first line
   * @param place byte of the first line
   * @param millis the time, milliseconds since 1970
   */
  record Event(
      ParsedLine parsed,
      CharSequence message,
      CharSequence original,
      JsonBuffer raw,
      boolean exact,
      long number,
      long place,
      TimeOf source,
      long millis) {}

  private record Held(String text, byte[] raw, long number, long place) {}

  private final LineParser parser;
  private final ReaderOptions options;
  private final Counters counters;
  private final LongSupplier clock;
  private final Consumer<Event> sink;
  private final List<Held> held = new ArrayList<>();
  private final List<String> sample = new ArrayList<>();
  private int sampleChars;
  private boolean chosen;

  private ParsedLine event = new ParsedLine();
  private ParsedLine next = new ParsedLine();
  private final StringBuilder message = new StringBuilder();
  private final StringBuilder original = new StringBuilder();
  private final JsonBuffer raw = new JsonBuffer();
  private boolean open;
  private boolean whole;
  private boolean exact;
  private int lines;
  private long number;
  private long place;
  private String lineBefore = "";
  private long lastMillis = UNKNOWN;

  PlainEvents(
      LineParser parser,
      ReaderOptions options,
      Counters counters,
      LongSupplier clock,
      Consumer<Event> sink) {
    this.parser = parser;
    this.options = options;
    this.counters = counters;
    this.clock = clock;
    this.sink = sink;
  }

  /** Starts an input, or the next content of a followed file. */
  void begin() {
    finish();
    sample.clear();
    sampleChars = 0;
    chosen = false;
    lastMillis = UNKNOWN;
    lineBefore = "";
  }

  /** Takes a line that is not blank. */
  void accept(String text, LineReader from) {
    byte[] bytes =
        options.exactlyOnce() ? java.util.Arrays.copyOf(from.array(), from.length()) : null;
    Held line = new Held(text, bytes == null ? new byte[0] : bytes, from.number(), from.offset());
    if (sample.size() < SAMPLE) {
      sample.add(EventLines.withoutColours(text));
      sampleChars += text.length();
      if (!chosen) {
        held.add(line);
      }
      if (sample.size() == SAMPLE || sampleChars > SAMPLE_CHARS) {
        boolean again = chosen;
        choose();
        if (!again) {
          return;
        }
      } else if (!chosen) {
        return;
      }
    }
    take(line);
  }

  private void choose() {
    chosen = true;
    parser.choose(sample);
    if (lastMillis == UNKNOWN && !parser.inBlocks()) {
      for (String text : sample) {
        if (!text.isEmpty() && !parser.isHeader(text)) {
          parser.parse(text, next);
          if (next.timed()) {
            lastMillis = next.millis();
            break;
          }
        }
      }
    }
    if (sampleChars > SAMPLE_CHARS) {
      while (sample.size() < SAMPLE) {
        sample.add("");
      }
    }
    List<Held> first = new ArrayList<>(held);
    held.clear();
    first.forEach(this::take);
  }

  /** Nothing more comes for now. */
  void pause() {
    if (!held.isEmpty()) {
      choose();
    }
    end();
  }

  /** Nothing more comes. */
  void finish() {
    pause();
  }

  private void take(Held line) {
    String text = EventLines.withoutColours(line.text);
    if (text.isBlank()) {
      return;
    }
    if (parser.isHeader(text)) {
      end();
      counters.headers.increment();
      return;
    }
    if (open && (whole ? continuesWhole(text) : continues(text)) && hasRoom(text)) {
      message.append('\n').append(text);
      exact &= whole || event.open();
      parser.levelOfSecondLine(text, event);
      keep(line, text);
      return;
    }
    if (whole || parser.inBlocks()) {
      if (!parser.inBlocks() && open && !parser.isOpen(message.toString())) {
        end();
      }
      parser.parse(text, next);
    }
    if (open && !whole && isPartial(next, text)) {
      message.append(event.partial() ? "" : "\n").append(next.message());
      exact = false;
      event.partial(next.partial());
      keep(line, text);
      return;
    }
    start(line, text);
  }

  private boolean hasRoom(String text) {
    return options.join()
        && lines < MAX_EVENT_LINES
        && message.length() + text.length() < options.maxEvent();
  }

  private boolean continuesWhole(String text) {
    return parser.inBlocks() ? !parser.begins(text, lineBefore) : parser.isOpen(message.toString());
  }

  /** Leaves what the line is by itself in {@link #next}, unless it was not needed. */
  private boolean continues(String text) {
    boolean indented = text.charAt(0) == ' ' || text.charAt(0) == '\t';
    boolean looks = EventLines.continues(text);
    if (looks && !indented && event.timed() && hasRoom(text)) {
      return true; // without a look at the line, which would be needed if it stood alone
    }
    parser.parse(text, next);
    if (parser.joins(next)
        || !next.timed() && event.timed() && EventLines.follows(text, lineBefore)) {
      return true;
    }
    return indented
        ? !next.timed() && heads() || isOlder(next)
        : looks && !next.timed() && event.level() != null;
  }

  /** Whether indented lines can belong to the event: it has a time, or is not indented itself. */
  private boolean heads() {
    return event.timed() || !Character.isWhitespace(original.charAt(0));
  }

  /** An indented line about another day, as the date of a build below the name of a program. */
  private boolean isOlder(ParsedLine line) {
    return line.timed()
        && line.level() == null
        && event.timed()
        && line.millis() < event.millis() - DAY
        && heads();
  }

  /** Whether a line goes on with the event though the runtime of its container gave it a time. */
  private boolean isPartial(ParsedLine line, String text) {
    String tag = line.field("tag");
    return (event.partial() || line.continues() && hasRoom(text))
        && tag != null
        && tag.equals(event.field("tag"));
  }

  private void start(Held line, String text) {
    boolean parsed = open && !whole;
    end();
    whole = parser.inBlocks() || parser.isOpen(text);
    if (!parsed) {
      parser.parse(text, next);
    }
    ParsedLine swap = event;
    event = next;
    next = swap;
    open = true;
    exact = true;
    lines = 0;
    number = line.number;
    place = line.place;
    message.append(whole ? text : event.message());
    keep(line, text);
  }

  private void keep(Held line, String text) {
    lineBefore = text;
    lines++;
    exact &= text.length() == line.text.length();
    original.append(original.isEmpty() ? "" : "\n").append(line.text);
    if (options.exactlyOnce()) {
      raw.raw(line.raw).raw('\n');
    }
  }

  private void end() {
    if (!open) {
      return;
    }
    open = false;
    if (whole) {
      parser.parse(message.toString(), event);
      message.setLength(0);
      message.append(event.message());
      whole = false;
    }
    TimeOf source = TimeOf.LINE;
    if (event.timed()) {
      lastMillis = event.millis();
      counters.dateGuessed.add(event.dateGuessed() ? 1 : 0);
    } else if (lastMillis != UNKNOWN) {
      source = TimeOf.NEIGHBOUR;
      counters.neighbourTime.increment();
    } else {
      source = TimeOf.ARRIVAL;
      counters.timeless(original);
    }
    long millis = source == TimeOf.ARRIVAL ? clock.getAsLong() : lastMillis;
    sink.accept(
        new Event(
            event, message, original, raw, exact && event.exact(), number, place, source, millis));
    message.setLength(0);
    original.setLength(0);
    raw.clear();
  }
}
