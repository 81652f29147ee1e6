package io.millrace.cli.export;

import io.millrace.cli.terminal.ClusterOptions;
import io.millrace.cli.terminal.Terminal;
import io.millrace.client.ClusterClient;
import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import io.millrace.launcher.cluster.ClusterUrls;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code millrace export}: {@link Export} into a file that appears when it is whole. */
@Command(
    name = "export",
    description = {
      "Write rows of indices into a file: NDJSON, or an Arrow IPC stream for pandas and polars.",
      "Reads page by page from a point in time; needs Millrace on the cluster."
    })
public final class ExportCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Option(
      names = {"-u", "--url"},
      split = ",",
      paramLabel = "URL",
      description = "nodes to ask (default: as for ingest)")
  private List<String> urls = new ArrayList<>();

  @Option(
      names = "--user",
      paramLabel = "NAME:PASSWORD",
      description = "whom to be (default: $MILLRACE_USER)")
  private @Nullable String user;

  @Parameters(index = "0", paramLabel = "INDEX", description = "index, alias or pattern")
  private String index = "";

  @Option(
      names = {"-c", "--columns"},
      required = true,
      split = ",",
      paramLabel = "FIELD",
      description = "fields to write, also _id and _index; FIELD[] for a list in each row")
  private List<String> columns = new ArrayList<>();

  @Option(
      names = {"-q", "--query"},
      paramLabel = "QUERY",
      description = "only rows that match, such as: level:ERROR AND @timestamp:[now-1h TO now]")
  private @Nullable String query;

  @Option(
      names = {"-f", "--format"},
      paramLabel = "FORMAT",
      description = "ndjson or arrow (default: ${DEFAULT-VALUE})")
  private ExportFormat format = ExportFormat.NDJSON;

  @Option(
      names = {"-o", "--output"},
      required = true,
      paramLabel = "FILE",
      description = "where to; a file that is there is replaced only with --force")
  private @Nullable Path output;

  @Option(names = "--force", description = "replace the file")
  private boolean force;

  @Option(
      names = "--page",
      paramLabel = "N",
      description =
          "rows of one request, 1 to 10000; fewer where these are too large (default: ${DEFAULT-VALUE})")
  private int page = 10_000;

  @Override
  public Integer call() throws IOException {
    Path to = output;
    if (page < 1 || page > 10_000 || to == null) {
      throw new ParameterException(
          spec.commandLine(), "--page must be from 1 to 10000, was " + page);
    }
    if (Files.exists(to) && !force) {
      throw new ExpectedFailure(
          ExitCode.USAGE, to + " is there already", "Name another file, or add --force.");
    }
    Path part = to.resolveSibling(to.getFileName() + ".part");
    Terminal terminal = new Terminal(spec);
    long began = System.nanoTime();
    long rows;
    try (ClusterClient client =
        new ClusterClient(ClusterOptions.of(ClusterUrls.choose(urls), user))) {
      client.check();
      client.sniff(ClusterOptions.notes(terminal.err()));
      try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(part), 1 << 16)) {
        rows =
            new Export(client, format, columns, query, page)
                .run(index, format.pages(out), now -> show(now, began));
      }
      if (force) {
        Files.move(part, to, StandardCopyOption.REPLACE_EXISTING);
      } else {
        Files.move(part, to);
      }
    } catch (FileAlreadyExistsException e) {
      throw new ExpectedFailure(
          ExitCode.USAGE, to + " is there by now", "Name another file, or add --force.");
    } finally {
      show(-1, began);
      Files.deleteIfExists(part);
    }
    terminal.out().println(rows + " rows, " + Files.size(to) + " bytes in " + to);
    terminal.out().flush();
    return ExitCode.OK;
  }

  /** One line that is rewritten on a terminal, nothing elsewhere; below zero clears it. */
  private void show(long rows, long began) {
    if (System.getenv("MILLRACE_TTY") != null) {
      double seconds = (System.nanoTime() - began) / 1e9;
      String text =
          rows < 0
              ? ""
              : rows + " rows, " + Math.round(rows / Math.max(seconds, 0.001)) + " a second";
      spec.commandLine().getErr().print("\r\033[K" + text);
      spec.commandLine().getErr().flush();
    }
  }
}
