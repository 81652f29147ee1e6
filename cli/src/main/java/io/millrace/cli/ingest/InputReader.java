package io.millrace.cli.ingest;

import io.millrace.cli.ingest.lines.JsonEvent;
import io.millrace.cli.ingest.lines.LineParser;
import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import io.millrace.corpus.JsonBuffer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Turns one input after the other into documents and hands them to the loader: NDJSON as it is,
 * bulk bodies pair by pair, JSON of programs with its time under our name, plain lines through
 * {@link PlainEvents}. Without a named format each line is judged by itself: a banner before JSON
 * does not make text of it.
 */
final class InputReader {
  private static final byte[] CREATE = "{\"create\":{}}\n".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] CREATE_ID =
      "{\"create\":{\"_id\":\"".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] CREATE_END = "\"}}\n".getBytes(StandardCharsets.US_ASCII);
  private static final int EXCERPT = 1_000;
  private static final long REFERENCE_MILLIS = 3_600_000;

  private final BulkLoader loader;
  private final ReaderOptions options;
  private final Counters counters;
  private final Runnable beforeLines;
  private final LongSupplier clock;
  private final BooleanSupplier stop;
  private final LineParser parser;
  private final JsonEvent jsonEvent;
  private final PlainEvents events;
  private final DocumentIds ids = new DocumentIds();
  private final JsonBuffer document = new JsonBuffer(4096);

  private @Nullable Input input;
  private Generation generation = Generation.ONLY;
  private long referenced;
  private String name = "";
  private Format format = Format.AUTO;
  private String action = "";
  private long actionLine;
  private long actionPlace;

  private int idle;

  /**
   * @param beforeLines called when an input turns out to be plain lines, before its first document
   * @param clock milliseconds since 1970, for lines without a time
   * @param stop whether to stop reading
   */
  InputReader(
      BulkLoader loader,
      ReaderOptions options,
      Counters counters,
      Runnable beforeLines,
      LongSupplier clock,
      BooleanSupplier stop) {
    this.loader = loader;
    this.options = options;
    this.counters = counters;
    this.beforeLines = beforeLines;
    this.clock = clock;
    this.stop = stop;
    this.parser = new LineParser(options.lines());
    this.jsonEvent =
        new JsonEvent(
            parser, parser.scanner(), options.lines().times(), options.lines().timeField());
    this.events = new PlainEvents(parser, options, counters, clock, this::emit);
  }

  /**
   * Reads an input to its end.
   *
   * @throws ExpectedFailure with {@link ExitCode#INPUT} when it breaks off; what came before it is
   *     with the loader
   */
  void read(Input input, InputStream stream) {
    name = input.name();
    format = options.format();
    action = "";
    LineReader lines = new LineReader(stream, options.maxLine());
    begin(input, lines.generation());
    try {
      LineReader.Kind kind = lines.next();
      while (kind != LineReader.Kind.END && !stop.getAsBoolean()) {
        if (!lines.generation().equals(generation)) {
          begin(input, lines.generation());
        }
        switch (kind) {
          case LINE -> line(lines);
          case TOO_LONG -> tooLong(lines);
          default -> idle();
        }
        kind = lines.next();
      }
      finish();
    } catch (IOException e) {
      finish();
      if (stop.getAsBoolean()) {
        return; // the stream was closed under us because the user asked to stop
      }
      throw new ExpectedFailure(
          ExitCode.INPUT,
          name + ": " + e.getMessage() + " (after " + lines.number() + " whole lines)",
          "The lines before it were ingested; the rest of this input was not read.",
          e);
    }
  }

  /** Starts an input, or the next content of a followed file. */
  private void begin(Input next, Generation content) {
    events.begin();
    input = next;
    generation = content;
    ids.input(next, content.fileKey());
    reference(next, clock.getAsLong());
  }

  private void reference(Input written, long now) {
    referenced = now;
    parser.reference(written.writtenMillis(now));
  }

  private void finish() {
    events.finish();
    if (!action.isEmpty()) {
      loader.refuse(name, actionLine, "bulk_format", "action line without a document", action);
      action = "";
    }
  }

  private void idle() {
    if (++idle >= 2) {
      events.pause();
    }
    loader.flush();
  }

  private void tooLong(LineReader lines) {
    events.pause();
    String start =
        new String(lines.array(), 0, Math.min(EXCERPT, lines.length()), StandardCharsets.UTF_8);
    loader.refuse(
        name,
        lines.number(),
        "line_too_long",
        "the line has "
            + lines.fullLength()
            + " bytes, --max-line allows "
            + options.maxLine()
            + "; only its beginning is kept here",
        start);
  }

  private void line(LineReader lines) {
    idle = 0;
    byte[] bytes = lines.array();
    int length = lines.length();
    boolean ascii = true;
    boolean blank = true;
    for (int i = 0; i < length; i++) {
      ascii &= bytes[i] >= 0;
      blank &= bytes[i] >= 0 && bytes[i] <= ' ';
    }
    if (blank) {
      return;
    }
    if (ascii && format == Format.NDJSON) {
      json(bytes, 0, length, lines.number(), lines.offset());
      return;
    }
    if (ascii && format == Format.MIXED && Format.isObject(bytes, length)) {
      object(bytes, length, lines.number(), lines.offset());
      return;
    }
    String text =
        ascii
            ? new String(bytes, 0, length, StandardCharsets.ISO_8859_1)
            : LineText.of(bytes, length, counters.invalidUtf8::increment);
    if (lines.offset() == 0 && text.charAt(0) == '\ufeff') {
      text = text.substring(1);
    }
    if (format == Format.AUTO) {
      format = Format.of(text, name);
    }
    if (format == Format.MIXED && Format.isObject(text)) {
      byte[] valid = text.getBytes(StandardCharsets.UTF_8);
      object(valid, valid.length, lines.number(), lines.offset());
      return;
    }
    switch (format) {
      case NDJSON -> {
        byte[] valid = text.getBytes(StandardCharsets.UTF_8);
        json(valid, 0, valid.length, lines.number(), lines.offset());
      }
      case BULK -> bulk(text, lines.number(), lines.offset());
      default -> plain(text, lines);
    }
  }

  private void json(byte[] bytes, int from, int length, long number, long place) {
    int start = from;
    while (bytes[start] == ' ' || bytes[start] == '\t') {
      start++;
    }
    if (bytes[start] != '{') {
      String text = new String(bytes, from, Math.min(length, EXCERPT), StandardCharsets.UTF_8);
      loader.refuse(name, number, "not_a_document", "the line is not a JSON object", text);
      return;
    }
    int count = from + length - start;
    int first = start;
    loader.add(
        name,
        number,
        batch -> {
          createAction(batch, place, bytes, first, count);
          batch.body().raw(bytes, first, count).raw('\n');
        });
  }

  private void createAction(BulkBatch batch, long place, byte[] content, int from, int length) {
    if (options.exactlyOnce()) {
      batch.body().raw(CREATE_ID);
      ids.write(batch.body(), place, content, from, length);
      batch.body().raw(CREATE_END);
    } else {
      batch.body().raw(CREATE);
    }
    batch.document();
  }

  private void bulk(String text, long number, long place) {
    if (action.isEmpty()) {
      String kind = Format.action(text);
      if (kind == null) {
        loader.refuse(name, number, "bulk_format", "the line is not a bulk action", text);
      } else if (kind.equals("delete")) {
        loader.add(name, number, batch -> batch.body().raw(text).raw('\n'));
      } else {
        action = text;
        actionLine = number;
        actionPlace = place;
      }
      return;
    }
    String head = action;
    action = "";
    byte[] source = text.getBytes(StandardCharsets.UTF_8);
    loader.add(
        name,
        number,
        batch -> {
          if (options.exactlyOnce() && !head.contains("\"_id\"")) {
            createAction(batch, actionPlace, source, 0, source.length);
          } else {
            batch.body().raw(head).raw('\n');
            batch.document();
          }
          batch.body().raw(source).raw('\n');
        });
  }

  /** A JSON object: a document, or CloudTrail's {@code {"Records":[...]}} of many. */
  private void object(byte[] bytes, int length, long number, long place) {
    List<int[]> records = JsonEvent.records(bytes, length);
    for (int[] record : records) {
      event(Arrays.copyOfRange(bytes, record[0], record[1]), number, place + record[0]);
    }
    if (records.isEmpty()) {
      event(Arrays.copyOf(bytes, length), number, place);
    }
  }

  /** A JSON document among lines that nobody has named: it may call its time anything. */
  private void event(byte[] bytes, long number, long place) {
    int length = bytes.length;
    switch (jsonEvent.write(bytes, 0, length, document.clear())) {
      case WRITTEN -> {
        counters.timedJson.increment();
        JsonBuffer out = document;
        loader.add(
            name,
            number,
            batch -> {
              createAction(batch, place, bytes, 0, length);
              batch.body().raw(out.array(), 0, out.size()).raw('\n');
            });
      }
      case TIMELESS -> {
        counters.timelessJson.increment();
        json(bytes, 0, length, number, place);
      }
      default -> {
        counters.timedJson.increment();
        json(bytes, 0, length, number, place);
      }
    }
  }

  private void plain(String text, LineReader lines) {
    beforeLines.run();
    long now = clock.getAsLong();
    if (input != null && now - referenced > REFERENCE_MILLIS) {
      reference(input, now); // an input that grows for days: its last change is not the first one
    }
    events.accept(text, lines);
  }

  private void emit(PlainEvents.Event event) {
    JsonBuffer out = document.clear();
    boolean original = options.keepOriginal() || !event.exact();
    String layout = original ? null : event.parsed().layout();
    event.parsed().writeFields(out, event.millis());
    if (!name.startsWith("standard ")) {
      out.raw(",\"file\":").quoted(name.substring(name.lastIndexOf('/') + 1));
    }
    for (Map.Entry<String, String> field : options.fields().entrySet()) {
      out.raw(',').quoted(field.getKey()).raw(':').quoted(field.getValue());
    }
    if (layout != null) {
      out.raw(",\"layout\":").quoted(layout);
    } else if (original) {
      out.raw(",\"event\":{\"original\":").quoted(event.original().toString()).raw('}');
    }
    out.raw(",\"message\":").quoted(event.message().toString()).raw('}');
    loader.add(
        name,
        event.number(),
        batch -> {
          createAction(batch, event.place(), event.raw().array(), 0, event.raw().size());
          batch.body().raw(out.array(), 0, out.size()).raw('\n');
        });
  }
}
