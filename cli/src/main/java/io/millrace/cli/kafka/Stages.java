package io.millrace.cli.kafka;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;

/**
 * Where records wait on their way from Kafka to a search, from two samples of the same shards.
 *
 * @param queueSize records that one shard holds between fetching and indexing at most
 */
record Stages(PipelineSample before, PipelineSample after, long queueSize) {

  /** Indexed records a second of all shards between the samples. */
  double perSecond() {
    double seconds = (after.nanos() - before.nanos()) / 1e9;
    return seconds <= 0
        ? 0
        : Math.max(
            0,
            (sum(after, PipelineSample.Shard::processed)
                    - sum(before, PipelineSample.Shard::processed))
                / seconds);
  }

  double perSecond(int shard) {
    return new Stages(only(before, shard), only(after, shard), queueSize).perSecond();
  }

  private static PipelineSample only(PipelineSample sample, int shard) {
    return new PipelineSample(
        sample.nanos(), sample.shards().stream().filter(each -> each.number() == shard).toList());
  }

  private static long sum(PipelineSample sample, ToLongFunction<PipelineSample.Shard> figure) {
    return sample.shards().stream().mapToLong(figure).sum();
  }

  private static long most(PipelineSample sample, ToLongFunction<PipelineSample.Shard> figure) {
    return sample.shards().stream().mapToLong(figure).max().orElse(0);
  }

  /** One line for each stage: its name and how long a record takes there, as far as known. */
  List<String> lines(JsonNode refresh, String interval) {
    double rate = perSecond();
    long queued = sum(after, PipelineSample.Shard::queued);
    long documents =
        sum(after, PipelineSample.Shard::pipelineDocuments)
            - sum(before, PipelineSample.Shard::pipelineDocuments);
    long millis =
        sum(after, PipelineSample.Shard::pipelineMillis)
            - sum(before, PipelineSample.Shard::pipelineMillis);
    long refreshes = refresh.path("external_total").asLong();
    List<String> lines = new ArrayList<>();
    lines.add(
        "produced, not fetched  "
            + seconds(most(after, PipelineSample.Shard::behindMillis) / 1e3)
            + " (age of the record fetched last; 0 when none is left)");
    lines.add(
        "fetched, not indexed   "
            + (queued == 0 ? seconds(0) : rate == 0 ? "nothing moves" : seconds(queued / rate))
            + " ("
            + queued
            + " records wait; "
            + queueSize
            + " fit for a shard)");
    lines.add(
        "ingest pipeline        "
            + (documents <= 0
                ? "none ran"
                : String.format(Locale.ROOT, "%.2f ms for a record", millis / (double) documents)));
    lines.add(
        "indexed, not found     at most "
            + interval
            + " and a refresh, "
            + (refreshes == 0
                ? "none yet"
                : String.format(
                    Locale.ROOT,
                    "%.0f ms each",
                    refresh.path("external_total_time_in_millis").asLong() / (double) refreshes)));
    return lines;
  }

  private static String seconds(double value) {
    return String.format(Locale.ROOT, "%.1f s", value);
  }

  /** The stage that holds the others up, and what usually helps. */
  String verdict() {
    List<PipelineSample.Shard> stopped =
        after.shards().stream().filter(PipelineSample.Shard::paused).toList();
    if (!stopped.isEmpty()) {
      List<Integer> numbers = stopped.stream().map(PipelineSample.Shard::number).toList();
      return stopped.stream().anyMatch(each -> each.failures() + each.consumerErrors() > 0)
          ? "stopped by an error: shards "
              + numbers
              + "; the log of their node says which record or broker. resume tries again,"
              + " resume --on-error drop leaves such records out"
          : "paused: shards " + numbers + "; resume reads on";
    }
    long retried =
        sum(after, PipelineSample.Shard::failures) - sum(before, PipelineSample.Shard::failures);
    if (retried > 0 && perSecond() == 0) {
      return "held up by a record that cannot be indexed; the log of the node says why."
          + " resume --on-error drop leaves such records out";
    }
    if (after.shards().stream().anyMatch(each -> each.waiting() < 0)) {
      return "unknown: a broker does not say how many records wait. Can the nodes reach it?";
    }
    if (most(after, PipelineSample.Shard::queued) >= queueSize / 2) {
      return "indexing: shards write slower than Kafka delivers. More partitions (and shards) on more"
          + " nodes help, or --threads";
    }
    return sum(after, PipelineSample.Shard::waiting) == 0
        ? "none: nothing waits in Kafka"
        : "fetching: Kafka delivers slower than shards write. Producers that do not batch are the"
            + " usual cause: linger.ms=1000 batch.size=524288 compression.type=zstd";
  }
}
