package io.millrace.cli.ingest;

import io.millrace.client.Answer;
import io.millrace.client.ClusterClient;
import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import io.millrace.launcher.cluster.ClusterUrls;
import java.io.IOException;
import java.io.InputStream;
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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code millrace ingest}: reads files or standard input and indexes them. See {@code
 * cli/docs/ingest.md} for the promises; the work is in {@link DocumentReader} and {@link
 * BulkLoader}.
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
  private static final String LINES_INDEX =
      "{\"settings\":{\"auto_expand_replicas\":\"0-1\"},\"mappings\":{\"properties\":{"
          + "\"@timestamp\":{\"type\":\"date\"},\"level\":{\"type\":\"keyword\"},"
          + "\"host\":{\"type\":\"keyword\"},\"process\":{\"type\":\"keyword\"},"
          + "\"pid\":{\"type\":\"keyword\"},\"tag\":{\"type\":\"keyword\"},"
          + "\"client\":{\"type\":\"keyword\"},\"method\":{\"type\":\"keyword\"},"
          + "\"status\":{\"type\":\"short\"},\"bytes\":{\"type\":\"long\"},"
          + "\"file\":{\"type\":\"keyword\"},\"message\":{\"type\":\"text\"}}}}";

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
      description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}, by the first line)")
  private Format format = Format.AUTO;

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
  private int workers;

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

  private final Counters counters = new Counters();
  private final AtomicBoolean stop = new AtomicBoolean();
  private final AtomicBoolean indexReady = new AtomicBoolean();
  private final long started = System.nanoTime();

  @Override
  public Integer call() throws IOException {
    ZoneId zoneId = checkOptions();
    List<Input> inputs = files.stream().map(Input::of).toList();
    ClusterClient cluster = cluster();
    cluster.check();
    if (!noSniff) {
      cluster.sniff(UserOptions.notes(spec.commandLine().getErr()));
    }
    if (mapping != null) {
      createIndex(cluster, Files.readString(mapping));
    }
    PrintWriter err = spec.commandLine().getErr();
    DeadLetters refused = new DeadLetters(deadLetterFile(), err);
    BulkLoader loader =
        new BulkLoader(cluster, loaderOptions(inputs), counters, refused, err, exactlyOnce);
    long total = inputs.stream().mapToLong(Input::size).reduce(0, IngestCommand::sum);
    Progress progress =
        quiet
            ? null
            : new Progress(
                err,
                Progress.onTerminal(),
                counters,
                () -> follow || total <= 0 ? -1 : (double) counters.rawBytes.sum() / total);
    Ending ending = new Ending(cluster, loader, refused, progress);
    Thread hook = Thread.ofPlatform().unstarted(() -> interrupted(ending));
    Runtime.getRuntime().addShutdownHook(hook);
    ExpectedFailure failure = readAll(inputs, cluster, loader, zoneId);
    int code = ending.finish(failure);
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      return ExitCode.INTERRUPTED; // the hook is running: Ctrl-C
    }
    return code;
  }

  private static long sum(long a, long b) {
    return a < 0 || b < 0 ? -1 : a + b;
  }

  private ZoneId checkOptions() {
    positive("--bulk-docs", bulkDocuments);
    positive("--timeout", timeout);
    positive("--retry-for", retryFor);
    if (workers < 0 || workers > 64) {
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

  private ClusterClient cluster() {
    return new ClusterClient(UserOptions.of(ClusterUrls.choose(urls), user));
  }

  private LoaderOptions loaderOptions(List<Input> inputs) {
    int count = workers > 0 ? workers : format == Format.BULK || looksLikeBulk(inputs) ? 1 : 2;
    return new LoaderOptions(
        index,
        pipeline,
        (int) bulkSize.bytes(),
        bulkDocuments,
        count,
        Duration.ofSeconds(timeout),
        Duration.ofSeconds(retryFor));
  }

  /** Whether any input begins with a bulk action; standard input cannot be looked at beforehand. */
  private boolean looksLikeBulk(List<Input> inputs) {
    if (format != Format.AUTO) {
      return false;
    }
    for (Input input : inputs) {
      if (!input.isFile()) {
        continue;
      }
      try (InputStream in = input.open(new java.util.concurrent.atomic.LongAdder())) {
        LineReader lines = new LineReader(in, 1 << 16);
        if (lines.next() == LineReader.Kind.LINE
            && Format.action(
                    new String(
                        lines.array(), 0, lines.length(), java.nio.charset.StandardCharsets.UTF_8))
                != null) {
          return true;
        }
      } catch (IOException e) {
        return false; // reading it will say so
      }
    }
    return false;
  }

  private Path deadLetterFile() {
    if (deadLetter != null) {
      return deadLetter;
    }
    String time =
        LocalDateTime.now(ZoneOffset.UTC).format(DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss"));
    return Path.of("millrace-refused-" + time + ".ndjson");
  }

  private void createIndex(ClusterClient cluster, String body) {
    if (!indexReady.compareAndSet(false, true)) {
      return;
    }
    if (cluster.call("HEAD", "/" + index, null).status() == 200) {
      return;
    }
    Answer answer = cluster.call("PUT", "/" + index, body);
    String reason = answer.reason();
    if (answer.status() >= 300
        && !reason.contains("already exists")
        && !reason.contains("creates data streams only")) {
      throw new ExpectedFailure(
          answer.status() == 400 ? ExitCode.USAGE : ExitCode.CLUSTER,
          "index " + index + " cannot be created: HTTP " + answer.status() + " " + reason,
          "Check --index" + (mapping == null ? "." : " and --mapping " + mapping + "."));
    }
  }

  /** Reads everything; a followed file has a thread of its own. */
  private @Nullable ExpectedFailure readAll(
      List<Input> inputs, ClusterClient cluster, BulkLoader loader, ZoneId zoneId) {
    AtomicReference<@Nullable ExpectedFailure> failure = new AtomicReference<>();
    if (!follow) {
      for (Input input : inputs) {
        if (!stop.get() && loader.failure() == null) {
          readOne(input, cluster, loader, zoneId, failure);
        }
      }
      return failure.get();
    }
    List<Thread> threads = new ArrayList<>();
    for (Input input : inputs) {
      threads.add(
          Thread.ofPlatform()
              .name("follow " + input.name())
              .start(() -> readOne(input, cluster, loader, zoneId, failure)));
    }
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        stop.set(true);
        Thread.currentThread().interrupt();
      }
    }
    return failure.get();
  }

  private void readOne(
      Input input,
      ClusterClient cluster,
      BulkLoader loader,
      ZoneId zoneId,
      AtomicReference<@Nullable ExpectedFailure> failure) {
    ReaderOptions options =
        new ReaderOptions(
            format,
            zoneId,
            (int) maxLine.bytes(),
            256 << 10,
            !noJoin,
            keepOriginal,
            exactlyOnce,
            fields);
    DocumentReader reader =
        new DocumentReader(
            loader,
            options,
            counters,
            () -> createIndex(cluster, LINES_INDEX),
            System::currentTimeMillis,
            () -> stop.get() || loader.failure() != null);
    try (InputStream in =
        follow ? input.follow(fromEnd, stop::get) : input.open(counters.rawBytes)) {
      reader.read(input, in);
    } catch (ExpectedFailure e) {
      failure.compareAndSet(null, e);
    } catch (IOException e) {
      failure.compareAndSet(
          null,
          new ExpectedFailure(
              ExitCode.INPUT, input.name() + " cannot be read: " + e.getMessage(), null, e));
    }
  }

  private void interrupted(Ending ending) {
    stop.set(true);
    ending.awaitOrFinish();
  }

  /** The end of a run, whoever gets there first: the reader, or Ctrl-C while it is waiting. */
  private final class Ending {
    private final ClusterClient cluster;
    private final BulkLoader loader;
    private final DeadLetters refused;
    private final @Nullable Progress progress;
    private final java.util.concurrent.CountDownLatch done =
        new java.util.concurrent.CountDownLatch(1);
    private final AtomicBoolean begun = new AtomicBoolean();
    private volatile int code;

    Ending(
        ClusterClient cluster,
        BulkLoader loader,
        DeadLetters refused,
        @Nullable Progress progress) {
      this.cluster = cluster;
      this.loader = loader;
      this.refused = refused;
      this.progress = progress;
    }

    /** For the shutdown hook: half a second for the reader to notice, then without it. */
    void awaitOrFinish() {
      try {
        loader.hurry(Duration.ofSeconds(10));
        if (!done.await(500, TimeUnit.MILLISECONDS)) {
          finish(null);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    int finish(@Nullable ExpectedFailure inputFailure) {
      if (!begun.compareAndSet(false, true)) {
        try {
          done.await();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
        return code;
      }
      loader.close();
      refused.close();
      if (progress != null) {
        progress.close();
      }
      ExpectedFailure failure = loader.failure() == null ? inputFailure : loader.failure();
      if (failure == null && counters.indexed.sum() > 0) {
        refresh();
      }
      print(failure);
      if (failure != null) {
        code = failure.exitCode();
      } else {
        code = counters.refused.sum() > 0 ? ExitCode.FAILED : ExitCode.OK;
      }
      done.countDown();
      return code;
    }

    /** So that a search right after the command finds everything. */
    private void refresh() {
      try {
        cluster.call("POST", "/" + index + "/_refresh", "");
      } catch (ExpectedFailure e) {
        // the index refreshes by itself within a second
      }
    }

    private void print(@Nullable ExpectedFailure failure) {
      PrintWriter err = spec.commandLine().getErr();
      if (failure != null) {
        err.println("error: " + failure.getMessage());
        if (failure.remedy() != null) {
          err.println("  " + failure.remedy());
        }
      }
      if (refused.written() > 0) {
        err.println(refused.written() + " documents with their reasons: " + refused.file());
      }
      if (counters.maybeTwice.sum() > 0) {
        err.println(
            "answers were lost: up to "
                + counters.maybeTwice.sum()
                + " documents may be indexed twice (--exactly-once avoids that)");
      }
      err.flush();
      double seconds = (System.nanoTime() - started) / 1e9;
      PrintWriter out = spec.commandLine().getOut();
      out.println(
          json ? Summary.json(counters, index, seconds) : Summary.text(counters, index, seconds));
      out.flush();
    }
  }
}
