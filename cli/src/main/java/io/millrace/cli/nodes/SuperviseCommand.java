package io.millrace.cli.nodes;

import io.millrace.launcher.supervise.Supervision;
import io.millrace.launcher.supervise.Supervisor;
import io.millrace.launcher.workspace.Workspace;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code millrace supervise}: what {@code up} starts in the background; not for people. */
@Command(name = "supervise", hidden = true, description = "Watch the nodes that up started.")
public final class SuperviseCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Option(names = "--silent-for", paramLabel = "SECONDS", description = "then a node is killed")
  private int seconds = Supervision.SECONDS;

  @Option(names = "--served", description = "the nodes have answered before")
  private boolean served;

  @Override
  public Integer call() throws Exception {
    new Supervisor(
            Workspace.locate(),
            Path.of(System.getProperty("java.home")),
            Duration.ofSeconds(seconds),
            served,
            spec.commandLine().getOut(),
            System::nanoTime)
        .run();
    return 0;
  }
}
