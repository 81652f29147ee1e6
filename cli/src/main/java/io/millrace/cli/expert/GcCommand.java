package io.millrace.cli.expert;

import io.millrace.cli.terminal.Terminal;
import io.millrace.client.failure.ExitCode;
import io.millrace.doctor.gc.GcLog;
import io.millrace.doctor.gc.GcPage;
import io.millrace.doctor.gc.GcSummary;
import io.millrace.doctor.gc.GcText;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code millrace gc}: reads GC logs of JDK 8 to 25. */
@Command(
    name = "gc",
    description =
        "Say what GC logs of JDK 8 to 25 show: pauses, rates, promotion, and sizes that fit.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:read",
      "2:wrong usage",
      "4:the page cannot be written",
      "5:a file cannot be read or holds no collection"
    })
public final class GcCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Parameters(arity = "1..*", paramLabel = "FILE", description = "GC logs, plain or gzip")
  private List<Path> files = new ArrayList<>();

  @Option(names = "--html", paramLabel = "FILE", description = "also write a page with plots")
  private @Nullable Path html;

  @Override
  public Integer call() {
    Terminal terminal = new Terminal(spec);
    ReportFile.check(html);
    List<GcSummary> logs = files.stream().map(GcLog::read).toList();
    logs.forEach(log -> terminal.out().print(GcText.of(log)));
    terminal.out().flush();
    if (html != null) {
      ReportFile.write(html, GcPage.of(logs));
      terminal.note("the page is in " + html);
    }
    return ExitCode.OK;
  }
}
