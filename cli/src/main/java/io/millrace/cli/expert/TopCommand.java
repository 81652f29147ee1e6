package io.millrace.cli.expert;

import io.millrace.cli.terminal.Terminal;
import io.millrace.client.ClusterClient;
import io.millrace.client.NoAnswerException;
import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import io.millrace.doctor.top.Sampler;
import io.millrace.doctor.top.TopOrder;
import io.millrace.doctor.top.TopSample;
import io.millrace.doctor.top.TopView;
import io.millrace.doctor.unit.Units;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code millrace top}: what a cluster does now, again and again. Reads only. */
@Command(
    name = "top",
    description =
        "Show what a cluster does: nodes, indices, shards, tasks and threads. Keys: q ends; w, s, d and f sort by writes, searches, disk and freshness.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:shown",
      "2:wrong usage",
      "3:nothing listens at URL",
      "6:the cluster cannot be asked: another service, no permission, it died meanwhile",
      "130:interrupted"
    })
public final class TopCommand implements Callable<Integer> {
  private static final int PLAIN_WIDTH = 140;
  private static final int PLAIN_HEIGHT = 60;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @picocli.CommandLine.Mixin private final ClusterArguments cluster = new ClusterArguments();

  @Option(names = "--once", description = "show it once, over one interval, and end")
  private boolean once;

  @Option(
      names = "--interval",
      paramLabel = "TIME",
      description = "time between two samples, 1s or more (default: ${DEFAULT-VALUE})")
  private String interval = "3s";

  @Option(
      names = "--sort",
      description = "indices by ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
  private TopOrder order = TopOrder.WRITES;

  @Override
  public Integer call() throws InterruptedException {
    long millis = Units.millis(interval);
    if (millis < 1_000 || millis > 3_600_000) {
      throw new ParameterException(
          spec.commandLine(),
          "--interval is a time from 1s to 1h such as 3s, not [" + interval + "]");
    }
    Terminal terminal = new Terminal(spec);
    try (ClusterClient client = new ClusterClient(cluster.options())) {
      Sampler sampler = new Sampler(client);
      try {
        sampler.check();
        show(sampler, millis, terminal);
      } catch (NoAnswerException e) {
        throw new ExpectedFailure(
            ExitCode.CLUSTER,
            client.given() + " stopped answering: " + e.getMessage(),
            "The node died or the way to it broke. Look at the node's log, or name another node.",
            e);
      }
    }
    return ExitCode.OK;
  }

  private void show(Sampler sampler, long millis, Terminal terminal)
      throws NoAnswerException, InterruptedException {
    try (Screen screen = Screen.open(terminal.out(), once)) {
      TopSample first = sampler.take(List.of());
      List<String> busiest = List.of();
      while (true) {
        if (!screen.sleep(millis, this::pressed)) {
          return;
        }
        @Nullable TopSample now = next(sampler, busiest, screen);
        if (now != null) {
          TopView view = new TopView(first, now, order);
          screen.show(
              view.lines(
                  sampler.cluster(), screen.width(PLAIN_WIDTH), screen.height(PLAIN_HEIGHT)));
          busiest = view.busiest();
          first = now;
        }
        if (once) {
          return;
        }
      }
    }
  }

  /** On a terminal a cluster that gives no answer is waited for; elsewhere it ends the command. */
  private static @Nullable TopSample next(Sampler sampler, List<String> busiest, Screen screen)
      throws NoAnswerException, InterruptedException {
    try {
      return sampler.take(busiest);
    } catch (NoAnswerException e) {
      if (!screen.live()) {
        throw e;
      }
      screen.show(List.of("no answer: " + e.getMessage(), "trying again; q ends"));
      return null;
    }
  }

  /** What a key does; false ends. */
  private boolean pressed(int key) {
    for (TopOrder other : TopOrder.values()) {
      if (key == other.key()) {
        order = other;
      }
    }
    return key != 'q' && key != 'Q';
  }
}
