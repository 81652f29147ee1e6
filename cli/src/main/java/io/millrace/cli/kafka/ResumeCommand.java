package io.millrace.cli.kafka;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.client.ClusterClient;
import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code millrace pipeline kafka resume}: also after a shard has stopped by itself. */
@Command(
    name = "resume",
    description = "Read on from where it stopped, also after an error has stopped a shard.")
final class ResumeCommand extends KafkaCommand {
  @Option(
      names = "--on-error",
      paramLabel = "block|drop",
      description = "from now on: stop at a record that cannot be indexed, or count it and go on")
  private @Nullable OnError onError;

  @Option(
      names = "--shard",
      paramLabel = "N",
      description = "with --offset: the shard, which is the partition")
  private @Nullable Integer shard;

  @Option(
      names = "--offset",
      paramLabel = "N",
      description = "go on at this offset, which skips or repeats records")
  private @Nullable Long offset;

  @Override
  void check() {
    if ((shard == null) != (offset == null)) {
      throw usage(
          shard == null ? "--offset goes with --shard" : "--shard goes with --offset",
          "Give both, or neither: then every shard goes on where it stopped.");
    }
    if (shard != null && shard < 0) {
      throw usage("--shard " + shard + " is none", "Shards count from 0, as partitions do.");
    }
    if (offset != null && offset < 0) {
      throw usage("--offset " + offset + " is none", "Give 0 or more.");
    }
  }

  @Override
  int run(ClusterClient client) {
    int shards = settings(client).path("index.number_of_shards").asInt();
    if (shard != null && shard >= shards) {
      throw usage(
          "--shard " + shard + " is none: " + index() + " has " + shards,
          "Give 0 to " + (shards - 1) + ".");
    }
    if (onError != null) {
      ask(
          client,
          "PUT",
          "/_settings",
          JSON.createObjectNode().put(SOURCE + "error_strategy", onError.name()));
    }
    // a shard that stopped by itself is paused in an index that is not: only a change reaches it
    ask(client, "POST", "/ingestion/_pause", null);
    ObjectNode body = null;
    if (shard != null && offset != null) {
      body = JSON.createObjectNode();
      body.putArray("reset_settings")
          .addObject()
          .put("shard", shard.intValue())
          .put("mode", "offset")
          .put("value", offset.toString());
    }
    JsonNode answer = ask(client, "POST", "/ingestion/_resume", body);
    if (!answer.path("error").asText().isEmpty() || !answer.path("failures").isEmpty()) {
      throw new ExpectedFailure(
          ExitCode.FAILED,
          index() + " is not resumed: " + answer.path("error").asText() + answer.path("failures"),
          "millrace pipeline kafka status --index " + index());
    }
    say(index() + " reads on");
    return ExitCode.OK;
  }
}
