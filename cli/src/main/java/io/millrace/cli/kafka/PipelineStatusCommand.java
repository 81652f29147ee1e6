package io.millrace.cli.kafka;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.client.ClusterClient;
import io.millrace.client.failure.ExitCode;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code millrace pipeline kafka status}: two looks, some seconds apart. */
@Command(
    name = "status",
    description = "Show how far each shard has read, and which stage is slow.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:every shard reads",
      "1:a shard is paused or stopped, or has no copy that reads",
      "2:wrong usage",
      "3:nothing listens at URL",
      "6:the cluster cannot be used"
    })
final class PipelineStatusCommand extends KafkaCommand {
  @Option(
      names = "--interval",
      paramLabel = "SECONDS",
      description = "between the two looks that rates come from (default ${DEFAULT-VALUE})")
  private int interval = 5;

  @Override
  void check() {
    if (interval < 1 || interval > 3600) {
      throw usage("--interval " + interval + " is not possible", "Give 1 to 3600 seconds.");
    }
  }

  @Override
  int run(ClusterClient client) throws InterruptedException {
    JsonNode settings = settings(client);
    PipelineSample first = sample(client);
    Thread.sleep(interval * 1000L);
    PipelineSample second = sample(client);
    JsonNode refresh = ask(client, "GET", "/_stats/refresh", null).at("/_all/primaries/refresh");
    Stages stages =
        new Stages(first, second, settings.path(SOURCE + "internal_queue_size").asLong(100));
    int shards = settings.path("index.number_of_shards").asInt();
    say(
        index()
            + "  topic "
            + settings.path(SOURCE + "param.topic").asText("?")
            + " of "
            + settings.path(SOURCE + "param.bootstrap_servers").asText("?")
            + ", "
            + shards
            + (shards == 1 ? " shard" : " shards")
            + ", on error "
            + settings.path(SOURCE + "error_strategy").asText("DROP").toLowerCase(Locale.ROOT));
    table(stages);
    stages
        .lines(refresh, settings.path("index.refresh_interval").asText("1s"))
        .forEach(line -> say("  " + line));
    say(String.format(Locale.ROOT, "  records a second       %.0f", stages.perSecond()));
    say("  slowest stage          " + stages.verdict());
    if (second.shards().size() < shards) {
      terminal()
          .note(
              shards - second.shards().size() + " shards have no copy that reads: see _cat/shards");
    }
    return second.shards().size() < shards
            || second.shards().stream().anyMatch(PipelineSample.Shard::paused)
        ? ExitCode.FAILED
        : ExitCode.OK;
  }

  private PipelineSample sample(ClusterClient client) {
    JsonNode state = ask(client, "GET", "/ingestion/_state?size=1024", null);
    JsonNode stats = ask(client, "GET", "/_stats?level=shards", null);
    return PipelineSample.of(index(), System.nanoTime(), state, stats);
  }

  private void table(Stages stages) {
    String row = "  %-5s  %-10s  %-12s  %12s  %9s  %9s  %8s  %7s  %7s";
    say(
        String.format(
                Locale.ROOT,
                row,
                "shard",
                "state",
                "node",
                "safe offset",
                "in Kafka",
                "a second",
                "queued",
                "failed",
                "dropped")
            .stripTrailing());
    for (PipelineSample.Shard shard : stages.after().shards()) {
      say(
          String.format(
              Locale.ROOT,
              row,
              shard.number(),
              shard.paused() ? "paused" : shard.state(),
              shard.node(),
              shard.offset().isEmpty() ? "-" : shard.offset(),
              shard.waiting() < 0 ? "?" : Long.toString(shard.waiting()),
              String.format(Locale.ROOT, "%.0f", stages.perSecond(shard.number())),
              shard.queued(),
              shard.failures() + shard.consumerErrors(),
              shard.dropped()));
    }
  }
}
