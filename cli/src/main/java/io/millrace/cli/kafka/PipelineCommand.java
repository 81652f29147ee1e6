package io.millrace.cli.kafka;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code millrace pipeline}: ways into a cluster that run by themselves. */
@Command(
    name = "pipeline",
    description = "Pipelines that run by themselves: from Kafka.",
    subcommands = PipelineCommand.Kafka.class)
public final class PipelineCommand implements Runnable {
  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Override
  public void run() {
    spec.commandLine().usage(spec.commandLine().getOut());
  }

  /** {@code millrace pipeline kafka}. */
  @Command(
      name = "kafka",
      description = {
        "An index that reads a topic of Kafka by itself.",
        "The nodes need the plugin ingestion-kafka: millrace up --plugin kafka"
      },
      subcommands = {
        CreateCommand.class,
        PipelineStatusCommand.class,
        PauseCommand.class,
        ResumeCommand.class,
        DeleteCommand.class
      })
  static final class Kafka implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Override
    public void run() {
      spec.commandLine().usage(spec.commandLine().getOut());
    }
  }
}
