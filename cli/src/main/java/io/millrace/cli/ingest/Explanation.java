package io.millrace.cli.ingest;

import com.sun.management.OperatingSystemMXBean;
import io.millrace.cli.ingest.lines.JsonEvent;
import io.millrace.cli.ingest.lines.LineParser;
import io.millrace.cli.ingest.lines.ParsedLine;
import io.millrace.client.failure.ExitCode;
import io.millrace.corpus.JsonBuffer;
import io.millrace.doctor.unit.Units;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;

/**
 * {@code ingest --explain}: reads the inputs as a run would and says how, and sends nothing. Shows
 * which format was chosen and why, how the first events were read, part by part, and how many of
 * all have a time, a level and a host; and what reading costs.
 */
final class Explanation {
  private static final int SHOWN = 5;
  private final ReaderOptions options;
  private final PrintWriter out;

  private long events;
  private long timed;
  private long levels;
  private long hosts;
  private long json;

  Explanation(ReaderOptions options, PrintWriter out) {
    this.options = options;
    this.out = out;
  }

  /** Explains one input after the other; the exit code. */
  int of(List<Input> inputs) {
    int code = ExitCode.OK;
    for (Input input : inputs) {
      try (InputStream in = input.open(new LongAdder())) {
        explain(input, in);
      } catch (IOException e) {
        out.println("  " + input.name() + " breaks off: " + e.getMessage());
        code = ExitCode.INPUT;
      }
      out.flush();
    }
    return code;
  }

  private void explain(Input input, InputStream in) throws IOException {
    events = 0;
    timed = 0;
    levels = 0;
    hosts = 0;
    json = 0;
    Counters counters = new Counters();
    LineParser parser = new LineParser(options.lines());
    parser.reference(input.writtenMillis(System.currentTimeMillis()));
    JsonEvent objects =
        new JsonEvent(
            parser, parser.scanner(), options.lines().times(), options.lines().timeField());
    PlainEvents plain =
        new PlainEvents(
            parser, options, counters, System::currentTimeMillis, e -> event(e, parser));
    JsonBuffer document = new JsonBuffer();
    LineReader lines = new LineReader(in, options.maxLine());
    out.println(input.name());
    long started = cpuNanos();
    LineReader.Kind kind = lines.next();
    while (kind != LineReader.Kind.END) {
      if (kind == LineReader.Kind.LINE) {
        String text = LineText.of(lines.array(), lines.length(), () -> {});
        if (Format.isObject(text)) {
          object(objects, text, document);
        } else if (!text.isBlank()) {
          plain.accept(text, lines);
        }
      }
      kind = lines.next();
    }
    plain.finish();
    double seconds = (cpuNanos() - started) / 1e9;
    print(
        "  %d lines, %d events: %d with a time, %d with a level, %d with a host; %d JSON, %d header"
            + " lines; %d with the time of the line before, %d without any time",
        lines.number(),
        events,
        timed,
        levels,
        hosts,
        json,
        counters.headers.sum(),
        counters.neighbourTime.sum(),
        counters.arrivalTime.sum() + counters.timelessJson.sum());
    if (counters.timelessLine() != null) {
      out.println("  no time in: " + clip(String.valueOf(counters.timelessLine())));
      out.println("  --time-format PATTERN says how it is written, e.g. \"dd.MM.yyyy HH:mm:ss\"");
    }
    print("  read in %.2f s of CPU, %,.0f lines a second", seconds, lines.number() / seconds);
  }

  private void print(String format, Object... values) {
    out.println(String.format(Locale.ROOT, format, values));
  }

  private static long cpuNanos() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  private void object(JsonEvent objects, String text, JsonBuffer document) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    JsonEvent.Outcome outcome = objects.write(bytes, 0, bytes.length, document.clear());
    json++;
    events++;
    timed += outcome == JsonEvent.Outcome.TIMELESS ? 0 : 1;
    levels += objects.level() == null ? 0 : 1;
    if (json == 1) {
      out.println(
          "  JSON: "
              + switch (outcome) {
                case AS_IT_IS -> "has @timestamp, or is broken: sent as it is";
                case TIMELESS -> "no time found: sent as it is; --time-field NAME names it";
                case WRITTEN -> "time in " + objects.timeName() + ": " + document;
              });
    }
  }

  private void event(PlainEvents.Event event, LineParser parser) {
    ParsedLine parsed = event.parsed();
    if (events - json == 0) {
      out.println("  format: " + parser.formatName());
      out.println("  because " + parser.reason());
    }
    if (events - json < SHOWN) {
      show(event, parsed);
    }
    events++;
    timed += event.source() == PlainEvents.TimeOf.LINE ? 1 : 0;
    levels += parsed.level() == null ? 0 : 1;
    hosts += parsed.field("host") == null ? 0 : 1;
  }

  private void show(PlainEvents.Event event, ParsedLine parsed) {
    String layout = parsed.layout();
    JsonBuffer time = new JsonBuffer();
    print("  line %d, by %s: %s", event.number(), parsed.reader(), clip(event.original()));
    print(
        "    time %s (%s)",
        time.instant(event.millis()),
        switch (event.source()) {
          case LINE -> parsed.dateGuessed() ? "the day is a guess" : "in the line";
          case NEIGHBOUR -> "of another line";
          case ARRIVAL -> "of arrival: none could be read";
        });
    if (parsed.level() != null) {
      out.println("    level " + parsed.level());
    }
    for (String name : parsed.fieldNames()) {
      print("    %s %s", name, clip(String.valueOf(parsed.field(name))));
    }
    out.println("    message " + clip(event.message()));
    out.println("    put back by " + (layout == null ? "the message itself" : layout));
  }

  private static String clip(CharSequence text) {
    String line = Units.plain(text.toString().replace('\n', '\u23ce'));
    return line.length() > 160 ? line.substring(0, 160) + "..." : line;
  }
}
