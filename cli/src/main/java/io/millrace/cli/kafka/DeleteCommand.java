package io.millrace.cli.kafka;

import io.millrace.client.ClusterClient;
import io.millrace.client.failure.ExitCode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code millrace pipeline kafka delete}: only indices that read a topic. */
@Command(
    name = "delete",
    description = "Delete the index with its documents; the topic stays as it is.")
final class DeleteCommand extends KafkaCommand {
  @Option(names = "--yes", description = "the documents may go, too")
  private boolean yes;

  @Override
  int run(ClusterClient client) {
    settings(client);
    if (!yes) {
      throw usage(
          "delete takes the documents of " + index() + " away, too",
          "Add --yes; or stop reading and keep them: millrace pipeline kafka pause --index "
              + index());
    }
    ask(client, "DELETE", "", null);
    say(index() + " is gone; Kafka keeps its topic");
    return ExitCode.OK;
  }
}
