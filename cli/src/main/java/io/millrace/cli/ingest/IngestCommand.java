package io.millrace.cli.ingest;

import io.millrace.cli.ingest.lines.LineOptions;
import io.millrace.cli.ingest.lines.TimeFormats;
import io.millrace.cli.terminal.ClusterOptions;
import io.millrace.client.ClusterClient;
import io.millrace.launcher.cluster.ClusterUrls;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code millrace ingest}: reads files or standard input and indexes them. See {@code
 * cli/docs/ingest.md} for the promises. Options only: the work is in {@link IngestRun}, whose
 * {@link InputReaders} fill a {@link BulkLoader}.
 */
@Command(
    name = "ingest",
    description = "Index files or standard input: NDJSON, bulk bodies or plain log lines.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:every document is indexed",
      "1:documents were refused (see the dead-letter file)",
      "2:wrong usage",
      "3:nothing listens at --url",
      "5:an input is missing, unreadable or breaks off (what came before is indexed)",
      "6:the cluster cannot be used: not OpenSearch, no permission, blocked, gave up retrying",
      "130:interrupted (what was read is indexed)"
    })
public final class IngestCommand implements Callable<Integer> {
  static final String DEFAULT_INDEX = "logs-millrace";

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Parameters(
      arity = "1..*",
      paramLabel = "FILE",
      description = "files, plain or gzip or zstd; - is standard input")
  private List<String> files = new ArrayList<>();

  @Option(
      names = {"-i", "--index"},
      paramLabel = "NAME",
      description = "index, alias or data stream (default: ${DEFAULT-VALUE})")
  private String index = DEFAULT_INDEX;

  @Option(
      names = {"-u", "--url"},
      split = ",",
      paramLabel = "URL",
      description =
          "nodes to send to (default: $MILLRACE_URL, else the cluster that runs here, else "
              + ClusterUrls.DEFAULT
              + ")")
  private List<String> urls = new ArrayList<>();

  @Option(
      names = "--user",
      paramLabel = "NAME:PASSWORD",
      description = "basic authentication (default: $MILLRACE_USER)")
  private @Nullable String user;

  @Option(names = "--no-sniff", description = "send to the given URLs only")
  private boolean noSniff;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description =
          "AUTO, NDJSON, BULK, LINES, the name of a known format, or a file or folder of your own "
              + "(default: ${DEFAULT-VALUE}, by what the lines are)")
  private String format = "AUTO";

  @Option(
      names = "--time-format",
      paramLabel = "PATTERN",
      description = "how times are written, e.g. \"dd.MM.yyyy HH:mm\"; may be repeated")
  private List<String> timeFormats = new ArrayList<>();

  @Option(
      names = "--time-field",
      paramLabel = "NAME",
      description = "the field of JSON, the column of CSV that holds the time")
  private @Nullable String timeField;

  @Option(
      names = "--explain",
      description = "send nothing: show how the lines would be read, and why")
  private boolean explain;

  @Option(
      names = "--zone",
      paramLabel = "ZONE",
      description = "time zone of times that name none, e.g. Europe/Berlin (default: UTC)")
  private String zone = "UTC";

  @Option(
      names = "--field",
      paramLabel = "NAME=VALUE",
      description = "add a field to every plain line; may be repeated")
  private Map<String, String> fields = new LinkedHashMap<>();

  @Option(names = "--keep-original", description = "also keep each plain line in event.original")
  private boolean keepOriginal;

  @Option(names = "--no-join", description = "do not join stack traces to the line before them")
  private boolean noJoin;

  @Option(
      names = {"-f", "--follow"},
      description = "wait for more lines, as tail -F does; Ctrl-C ends it")
  private boolean follow;

  @Option(names = "--from-end", description = "with --follow: skip what the files hold now")
  private boolean fromEnd;

  @Option(names = "--pipeline", paramLabel = "NAME", description = "ingest pipeline")
  private @Nullable String pipeline;

  @Option(
      names = "--mapping",
      paramLabel = "FILE",
      description = "create the index with this JSON body when it does not exist")
  private @Nullable Path mapping;

  @Option(
      names = "--exactly-once",
      description =
          "give each document an id made from its file, place and content, so that a "
              + "repeated send or run adds nothing twice; costs an id lookup per document on "
              + "the node")
  private boolean exactlyOnce;

  @Option(
      names = "--bulk-size",
      paramLabel = "SIZE",
      converter = ByteSize.Converter.class,
      description = "size of a bulk (default: ${DEFAULT-VALUE})")
  private ByteSize bulkSize = ByteSize.of("4mb");

  @Option(
      names = "--bulk-docs",
      paramLabel = "N",
      description = "most documents in a bulk (default: ${DEFAULT-VALUE})")
  private int bulkDocuments = 10_000;

  @Option(
      names = "--workers",
      paramLabel = "N",
      description = "bulks in flight (default: 2; 1 for bulk bodies, to keep their order)")
  private @Nullable Integer workers;

  @Option(
      names = "--max-line",
      paramLabel = "SIZE",
      converter = ByteSize.Converter.class,
      description = "longest line that is accepted (default: ${DEFAULT-VALUE})")
  private ByteSize maxLine = ByteSize.of("10mb");

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      description = "how long to wait for the answer to a bulk (default: ${DEFAULT-VALUE})")
  private int timeout = 60;

  @Option(
      names = "--retry-for",
      paramLabel = "SECONDS",
      description = "how long to try one bulk before giving up (default: ${DEFAULT-VALUE})")
  private int retryFor = 300;

  @Option(
      names = "--dead-letter",
      paramLabel = "FILE",
      description = "where refused documents go (default: millrace-refused-TIME.ndjson here)")
  private @Nullable Path deadLetter;

  @Option(names = "--json", description = "print the summary as one JSON object")
  private boolean json;

  @Option(
      names = {"-q", "--quiet"},
      description = "no progress")
  private boolean quiet;

  @Override
  public Integer call() throws IOException {
    ZoneId zoneId = checkOptions();
    InputList chosen = InputList.of(files);
    List<Input> inputs = chosen.inputs();
    PrintWriter err = spec.commandLine().getErr();
    ReaderOptions reading = readerOptions(zoneId);
    if (explain) {
      int code = new Explanation(reading, spec.commandLine().getOut()).of(inputs);
      noteUnused(reading, err);
      if (chosen.left() != null) {
        throw chosen.left();
      }
      return code;
    }
    try (ClusterClient cluster =
        new ClusterClient(ClusterOptions.of(ClusterUrls.choose(urls), user))) {
      cluster.check();
      if (!noSniff) {
        cluster.sniff(ClusterOptions.notes(err));
      }
      TargetIndex target = new TargetIndex(cluster, index);
      if (mapping != null) {
        target.create(mappingBody(mapping), "Check --index and --mapping " + mapping + ".");
      }
      Counters counters = new Counters();
      DeadLetters refused = new DeadLetters(deadLetterFile(), err);
      BulkLoader loader =
          new BulkLoader(
              cluster,
              loaderOptions(inputs, reading.format()),
              counters,
              refused,
              err,
              exactlyOnce);
      InputReaders readers = new InputReaders(loader, reading, counters, target, follow, fromEnd);
      if (chosen.left() != null) {
        readers.fail(chosen.left());
      }
      int code =
          new IngestRun(
                  readers,
                  target,
                  loader,
                  refused,
                  counters,
                  quiet ? null : progress(inputs, counters),
                  new IngestRun.Report(spec.commandLine().getOut(), err, index, json))
              .run(inputs);
      if (counters.read.sum() > 0) {
        noteUnused(reading, err);
      }
      return code;
    }
  }

  /** A layout that fits nothing is a typing mistake, or one of another file. */
  private static void noteUnused(ReaderOptions reading, PrintWriter err) {
    for (String layout : reading.lines().times().unused()) {
      err.println(
          "note: --time-format \""
              + layout
              + "\" fits no line: times were read as without it (--explain shows how)");
    }
    err.flush();
  }

  private Progress progress(List<Input> inputs, Counters counters) {
    long total = inputs.stream().mapToLong(Input::size).reduce(0, IngestCommand::sum);
    return new Progress(
        spec.commandLine().getErr(),
        Progress.onTerminal(),
        counters,
        () -> follow || total <= 0 ? -1 : (double) counters.rawBytes.sum() / total);
  }

  /** A file that cannot be had is a mistake in the command, found before anything is sent. */
  private String mappingBody(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw usage(
          "--mapping "
              + file
              + " cannot be read; give a file of JSON in UTF-8 with settings and mappings");
    }
  }

  private static long sum(long a, long b) {
    return a < 0 || b < 0 ? -1 : a + b;
  }

  private ZoneId checkOptions() {
    positive("--bulk-docs", bulkDocuments);
    positive("--timeout", timeout);
    positive("--retry-for", retryFor);
    if (workers != null && (workers < 1 || workers > 64)) {
      throw usage("--workers must be 1 to 64, was " + workers);
    }
    if (bulkSize.bytes() < 1024 || bulkSize.bytes() > 90 << 20) {
      throw usage("--bulk-size must be 1kb to 90mb, was " + bulkSize);
    }
    if (maxLine.bytes() < 64 || maxLine.bytes() > 90 << 20) {
      throw usage("--max-line must be 64b to 90mb, was " + maxLine);
    }
    if (follow && files.contains(Input.STDIN)) {
      throw usage("--follow needs files: standard input ends by itself");
    }
    if (fromEnd && !follow) {
      throw usage("--from-end needs --follow");
    }
    try {
      return ZoneId.of(zone);
    } catch (java.time.DateTimeException e) {
      throw usage("--zone " + zone + " is not a time zone; e.g. UTC, +02:00, Europe/Berlin");
    }
  }

  private void positive(String option, int value) {
    if (value < 1) {
      throw usage(option + " must be at least 1, was " + value);
    }
  }

  private ParameterException usage(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  private LoaderOptions loaderOptions(List<Input> inputs, Format format) {
    int count =
        workers != null
            ? workers
            : format == Format.BULK || (format == Format.AUTO && Format.anyBulk(inputs)) ? 1 : 2;
    return new LoaderOptions(
        index,
        pipeline,
        (int) bulkSize.bytes(),
        bulkDocuments,
        count,
        Duration.ofSeconds(timeout),
        Duration.ofSeconds(retryFor));
  }

  private Path deadLetterFile() {
    if (deadLetter != null) {
      return deadLetter;
    }
    String time =
        LocalDateTime.now(ZoneOffset.UTC).format(DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss"));
    return Path.of("millrace-refused-" + time + ".ndjson");
  }

  private ReaderOptions readerOptions(ZoneId zoneId) {
    FormatOption chosen = FormatOption.of(format);
    TimeFormats times;
    try {
      times = new TimeFormats(timeFormats, zoneId);
    } catch (IllegalArgumentException e) {
      throw usage(
          "--time-format "
              + timeFormats
              + ": "
              + e.getMessage()
              + "; e.g. \"dd.MM.yyyy HH:mm:ss\"");
    }
    return new ReaderOptions(
        chosen.format(),
        new LineOptions(zoneId, chosen.formats(), chosen.forced(), times, timeField),
        (int) maxLine.bytes(),
        256 << 10,
        !noJoin,
        keepOriginal,
        exactlyOnce,
        fields);
  }
}
