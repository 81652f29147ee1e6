package io.millrace.cli.kafka;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.client.ClusterClient;
import io.millrace.client.failure.ExitCode;
import picocli.CommandLine.Command;

/** {@code millrace pipeline kafka pause}. */
@Command(
    name = "pause",
    description = "Stop reading; what is indexed can be searched, and Kafka keeps the rest.")
final class PauseCommand extends KafkaCommand {
  @Override
  int run(ClusterClient client) {
    settings(client);
    ObjectNode answer = ask(client, "POST", "/ingestion/_pause", null);
    say(
        answer.path("shards_acknowledged").asBoolean()
            ? index() + " is paused"
            : index() + " is paused, but not every shard has said so: see status");
    return ExitCode.OK;
  }
}
