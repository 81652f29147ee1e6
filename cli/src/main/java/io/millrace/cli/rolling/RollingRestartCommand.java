package io.millrace.cli.rolling;

import io.millrace.cli.terminal.ClusterOptions;
import io.millrace.client.ClusterClient;
import io.millrace.launcher.cluster.ClusterUrls;
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

/** {@code millrace rolling-restart}: {@link RollingRestart} with a command that restarts a node. */
@Command(
    name = "rolling-restart",
    description = {
      "Restart the nodes of a cluster one after the other, the cluster manager last.",
      "Copies of a node wait for it. Stops at the first trouble and says how to go on."
    })
public final class RollingRestartCommand implements Callable<Integer> {
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

  @Option(
      names = "--hook",
      required = true,
      paramLabel = "COMMAND",
      description =
          "restarts a node and ends; a shell runs it with MILLRACE_NODE_NAME, MILLRACE_NODE_ID and"
              + " MILLRACE_NODE_HOST, such as: ssh $MILLRACE_NODE_HOST systemctl restart millrace")
  private String hook = "";

  @Option(
      names = "--minutes",
      paramLabel = "N",
      description =
          "for how long copies wait for a node, and we for a green cluster"
              + " (default: ${DEFAULT-VALUE})")
  private int minutes = 10;

  @Option(
      names = "--since",
      paramLabel = "MILLIS",
      description = "go on with an earlier walk: nodes that started later are done")
  private @Nullable Long since;

  @Override
  public Integer call() throws InterruptedException {
    if (minutes < 1 || minutes > 1440) {
      throw new ParameterException(
          spec.commandLine(), "--minutes must be from 1 to 1440, was " + minutes);
    }
    if (hook.isBlank()) {
      throw new ParameterException(
          spec.commandLine(), "--hook is empty; give the command that restarts a node");
    }
    if (since != null && since < 0) {
      throw new ParameterException(
          spec.commandLine(), "--since must be the number that a walk named, was " + since);
    }
    try (ClusterClient client =
        new ClusterClient(ClusterOptions.of(ClusterUrls.choose(urls), user))) {
      client.check();
      client.sniff(ClusterOptions.notes(spec.commandLine().getErr()));
      Duration patience = Duration.ofMinutes(minutes);
      ShellHook restart = new ShellHook(hook, patience, spec.commandLine().getErr());
      return new RollingRestart(client, restart, patience, spec.commandLine().getOut()).walk(since);
    }
  }
}
