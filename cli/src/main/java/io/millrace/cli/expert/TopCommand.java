package io.millrace.cli.expert;

import io.millrace.cli.terminal.Terminal;
import io.millrace.client.ClientOptions;
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
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntPredicate;
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

  private @Nullable TopSample earlier;
  private @Nullable TopSample last;

  @Override
  public Integer call() throws InterruptedException {
    long millis = Units.millis(interval);
    if (millis < 1_000 || millis > 3_600_000) {
      throw new ParameterException(
          spec.commandLine(),
          "--interval is a time from 1s to 1h such as 3s, not [" + interval + "]");
    }
    Terminal terminal = new Terminal(spec);
    try (ClusterClient client =
        new ClusterClient(cluster.options().timeouts(ClientOptions.CONNECT, Sampler.LIMIT))) {
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
    ExecutorService asking = Executors.newVirtualThreadPerTaskExecutor();
    try (Screen screen = Screen.open(terminal.out(), once)) {
      @Nullable TopSample first = null;
      List<String> busiest = List.of();
      IntPredicate keys = key -> pressed(key, sampler, screen);
      while (true) {
        List<String> shards = busiest;
        Future<TopSample> asked = asking.submit(() -> sampler.take(shards));
        // keys count while a slow cluster is waited for, too
        if (!screen.await(asked, keys)) {
          return;
        }
        @Nullable TopSample now = taken(asked, screen);
        if (now != null && first != null) {
          earlier = first;
          last = now;
          busiest = new TopView(first, now, order).busiest();
          draw(sampler, screen);
          if (once || screen.deserted()) {
            return;
          }
        }
        first = now == null ? first : now;
        if (!screen.sleep(millis, keys)) {
          return;
        }
      }
    } finally {
      asking.shutdownNow();
    }
  }

  private void draw(Sampler sampler, Screen screen) {
    TopSample from = earlier;
    TopSample to = last;
    if (from != null && to != null) {
      screen.show(
          new TopView(from, to, order)
              .lines(sampler.cluster(), screen.width(PLAIN_WIDTH), screen.height(PLAIN_HEIGHT)));
    }
  }

  /** On a terminal a cluster that gives no answer is waited for; elsewhere it ends the command. */
  private static @Nullable TopSample taken(Future<TopSample> asked, Screen screen)
      throws NoAnswerException, InterruptedException {
    try {
      return asked.get();
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof NoAnswerException none)) {
        throw new IllegalStateException(e.getCause());
      }
      if (!screen.live()) {
        throw none;
      }
      screen.show(List.of("no answer: " + none.getMessage(), "trying again; q ends"));
      return null;
    }
  }

  /** What a key does, at once; false ends. */
  private boolean pressed(int key, Sampler sampler, Screen screen) {
    for (TopOrder other : TopOrder.values()) {
      if (key == other.key()) {
        order = other;
        draw(sampler, screen);
      }
    }
    return key != 'q' && key != 'Q';
  }
}
