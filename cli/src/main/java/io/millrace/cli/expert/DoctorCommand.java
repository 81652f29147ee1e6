package io.millrace.cli.expert;

import io.millrace.cli.terminal.Terminal;
import io.millrace.client.ClusterClient;
import io.millrace.client.failure.ExitCode;
import io.millrace.doctor.catalogue.Catalogue;
import io.millrace.doctor.catalogue.CataloguePage;
import io.millrace.doctor.catalogue.Examination;
import io.millrace.doctor.finding.Severity;
import io.millrace.doctor.gc.GcLog;
import io.millrace.doctor.kafka.KafkaFacts;
import io.millrace.doctor.logfile.LogScan;
import io.millrace.doctor.report.PublishedReport;
import io.millrace.doctor.report.ReportFormat;
import io.millrace.doctor.snapshot.Anonymiser;
import io.millrace.doctor.snapshot.Bundle;
import io.millrace.doctor.snapshot.ClusterDiedException;
import io.millrace.doctor.snapshot.Collector;
import io.millrace.doctor.snapshot.Given;
import io.millrace.doctor.snapshot.Limits;
import io.millrace.doctor.snapshot.Snapshot;
import io.millrace.doctor.unit.Units;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code millrace doctor}: examines a cluster, or a bundle of one. Reads only, but for {@code
 * --publish}.
 */
@Command(
    name = "doctor",
    description =
        "Say what is wrong with a cluster of OpenSearch 1-3 or Elasticsearch 6-9, and how to cure it. Reads only, but for --publish.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:examined; no finding of the severity of --fail-on or above",
      "1:findings of that severity or above",
      "2:wrong usage",
      "3:nothing listens at URL",
      "4:a file cannot be written",
      "5:a file that was given cannot be read",
      "6:the cluster cannot be examined: another service, no permission; or it died meanwhile, after a report of what was found until then",
      "130:interrupted"
    })
public final class DoctorCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @picocli.CommandLine.Mixin private final ClusterArguments cluster = new ClusterArguments();

  @Option(
      names = "--watch",
      paramLabel = "TIME",
      description = "tell rates over this time, such as 5m (default: 5s)")
  private String watch = "5s";

  @Option(names = "--format", description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
  private ReportFormat format = ReportFormat.TEXT;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "write the report there")
  private @Nullable Path output;

  @Option(
      names = "--fail-on",
      paramLabel = "SEVERITY",
      description = "exit with 1 for findings of info, warn or error and above")
  private @Nullable String failOn;

  @Option(
      names = "--save",
      paramLabel = "FILE",
      description = "keep what was read as a bundle; gzipped when it ends in .gz")
  private @Nullable Path save;

  @Option(
      names = "--bundle",
      paramLabel = "FILE",
      description = "examine a bundle instead of a cluster")
  private @Nullable Path bundle;

  @Option(
      names = "--anonymise",
      description =
          "replace names of nodes, hosts, indices and fields in the report and the bundle")
  private boolean anonymise;

  @Option(
      names = "--publish",
      description =
          "keep the report in the cluster for the dashboard of its Millrace nodes; the one thing that writes")
  private boolean publish;

  @Option(
      names = "--gc-log",
      paramLabel = "FILE",
      arity = "1..*",
      description = "also GC logs of nodes")
  private List<Path> gcLogs = new ArrayList<>();

  @Option(
      names = "--logs",
      paramLabel = "FILE",
      arity = "1..*",
      description = "also logs of nodes, plain or gzip")
  private List<Path> logs = new ArrayList<>();

  @Option(
      names = "--kafka-config",
      paramLabel = "FILE",
      arity = "1..*",
      description = "also properties of Kafka producers and consumers")
  private List<Path> kafkaConfigs = new ArrayList<>();

  @Option(
      names = "--kafka-lag",
      paramLabel = "FILE",
      arity = "1..*",
      description = "also the output of kafka-consumer-groups.sh --describe")
  private List<Path> kafkaLags = new ArrayList<>();

  @Option(
      names = "--explain",
      paramLabel = "CHECK",
      description = "say what a check looks for and why, and end")
  private @Nullable String explain;

  @Option(names = "--list", description = "name every check, and end")
  private boolean list;

  @Override
  public Integer call() throws InterruptedException {
    Terminal terminal = new Terminal(spec);
    if (explain != null) {
      terminal.out().print(CataloguePage.explain(Catalogue.byId(explain)));
      return ExitCode.OK;
    }
    if (list) {
      Catalogue.all()
          .forEach(check ->
              terminal.out().printf("%-28s %s%n", check.about().id(), check.about().title()));
      return ExitCode.OK;
    }
    Severity least = failOn == null ? null : severity(failOn);
    Limits limits = Limits.DEFAULT.window(window());
    if (bundle != null && cluster.given()) {
      throw new ParameterException(spec.commandLine(), "give a URL or --bundle, not both");
    }
    if (bundle != null && publish) {
      throw new ParameterException(
          spec.commandLine(),
          "--publish writes to the cluster that was examined; a bundle has none to write to");
    }
    ReportFile.check(output);
    ReportFile.check(save);
    Given given = given();
    ClusterDiedException died = null;
    Snapshot read;
    try {
      read = bundle == null ? collect(limits, terminal) : Bundle.read(bundle);
    } catch (ClusterDiedException e) {
      died = e;
      read = e.read();
    }
    Snapshot whole = read.with(given);
    Snapshot snapshot = anonymise ? Anonymiser.of(whole) : whole;
    if (save != null) {
      Bundle.save(snapshot, save);
      terminal.note("the bundle is in " + save);
    }
    Examination examination = Examination.of(snapshot, Catalogue.all());
    String from =
        bundle != null
            ? bundle.toString()
            : anonymise ? "http://cluster" : NodeAddress.shown(cluster.url());
    write(format.write(examination, from), terminal);
    if (died != null) {
      throw died;
    }
    if (publish) {
      publish(examination, from, terminal);
    }
    return least != null && examination.has(least) ? ExitCode.FAILED : ExitCode.OK;
  }

  private Severity severity(String text) {
    try {
      return Severity.parse(text);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--fail-on: " + e.getMessage());
    }
  }

  private Duration window() {
    long millis = Units.millis(watch);
    if (millis < 0 || millis > Duration.ofHours(24).toMillis()) {
      throw new ParameterException(
          spec.commandLine(), "--watch is a time up to 24h such as 30s or 5m, not [" + watch + "]");
    }
    return Duration.ofMillis(millis);
  }

  private Given given() {
    KafkaFacts kafka =
        kafkaConfigs.isEmpty() && kafkaLags.isEmpty()
            ? null
            : KafkaFacts.read(kafkaConfigs, kafkaLags);
    return new Given(
        gcLogs.stream().map(GcLog::read).toList(),
        logs.isEmpty() ? null : LogScan.read(logs),
        kafka);
  }

  private Snapshot collect(Limits limits, Terminal terminal) throws InterruptedException {
    ProgressLine line = new ProgressLine(terminal.err());
    try (ClusterClient client =
        new ClusterClient(cluster.options().maxAnswerBytes(limits.answerBytes()))) {
      Collector collector = new Collector(client, limits, line::show);
      return (save == null ? collector : collector.withStacks()).collect();
    } finally {
      line.clear();
    }
  }

  private void publish(Examination examination, String from, Terminal terminal) {
    try (ClusterClient client = new ClusterClient(cluster.options())) {
      PublishedReport.publish(client, examination, from);
    }
    terminal.note("the report is published: " + NodeAddress.shown(cluster.url()) + "/_millrace/");
  }

  private void write(String report, Terminal terminal) {
    if (output == null) {
      terminal.out().print(report);
      terminal.out().flush();
      return;
    }
    ReportFile.write(output, report);
    terminal.note("the report is in " + output);
  }
}
