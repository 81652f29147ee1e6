package io.millrace.pipelines.streams;

import io.millrace.kernel.Feature;
import io.millrace.kernel.NodeServices;
import io.millrace.kernel.hooks.Hooks;
import io.millrace.kernel.metric.Metric;
import io.millrace.kernel.metric.Metric.Kind;
import io.millrace.kernel.metric.Metric.Merge;
import io.millrace.kernel.metric.Metric.Sample;
import io.millrace.kernel.metric.Tag;
import io.millrace.kernel.settings.Checked;
import io.millrace.kernel.settings.Knob;
import io.millrace.kernel.settings.Switch;
import io.millrace.pipelines.streams.StreamFigures.State;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.settings.Setting.Property;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.threadpool.Scheduler;
import org.opensearch.threadpool.ThreadPool;

/**
 * Shows in which stage the records of an index wait that reads a stream.
 *
 * <p>Why: consumers fell 400 million records behind, and nobody knew whether producers, the broker,
 * the network or the index was slow. Stock's figures say how much was polled and processed; no
 * metric and no alarm is made of them. Promise: {@code kafka}.
 */
public final class StreamsFeature implements Feature {
  private static final String ID = "pipelines.streams";

  private final Switch enabled = Feature.switchFor(ID, true);
  private final Knob<TimeValue> lateAfter =
      new Knob<>(
          Checked.time(
              prefix() + ".late_after",
              TimeValue.timeValueMinutes(5),
              TimeValue.ZERO,
              Property.NodeScope,
              Property.Dynamic),
          "An index is late when a record waits longer than this in its stream, or in the queue"
              + " between fetching and indexing. `0` says that none is late.");
  private final Streams streams = new Streams(enabled::on, () -> lateAfter.value().millis());
  private Scheduler.@Nullable Cancellable looking;

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String summary() {
    return "`GET /_millrace/streams` shows in which stage the records of an index wait that reads"
        + " a stream such as Kafka";
  }

  @Override
  public List<String> sources() {
    return List.of("kafka");
  }

  @Override
  public Switch enabled() {
    return enabled;
  }

  @Override
  public List<Knob<?>> knobs() {
    return List.of(lateAfter);
  }

  @Override
  public List<Metric> metrics() {
    return List.of(
        gauge("lag", "records", "Records that are not fetched yet, by index", streams::lag),
        peak(
            "fetch_delay",
            "How old the record was that was fetched last, or how long none came though some wait,"
                + " by index; 0 when none is left",
            () -> streams.most(StreamFigures::fetchMillis)),
        gauge(
            "queued",
            "records",
            "Records that are fetched and not indexed, by index",
            () -> streams.sum(StreamFigures::queued)),
        peak(
            "queue_delay",
            "How long the oldest of those has waited, by index",
            () -> streams.most(StreamFigures::queueMillis)),
        peak(
            "search_delay",
            "How long the oldest indexed record has waited that no search finds yet, by index",
            () -> streams.most(StreamFigures::searchMillis)),
        counter(
            "indexed",
            "records",
            "Records that were indexed, by index",
            () -> streams.sum(StreamFigures::indexed)),
        counter(
            "pipeline_records",
            "records",
            "Records that an ingest pipeline has processed, by index",
            () -> streams.sum(StreamFigures::pipelineRecords)),
        counter(
            "pipeline_time",
            "milliseconds",
            "Time that they took there, by index",
            () -> streams.sum(StreamFigures::pipelineMillis)),
        counter(
            "failed",
            "tries",
            "Tries to index a record that failed, by index",
            () -> streams.sum(StreamFigures::failed)),
        counter(
            "dropped",
            "records",
            "Records that were left out because they cannot be indexed, by index",
            () -> streams.sum(StreamFigures::dropped)),
        gauge(
            "paused_shards",
            "shards",
            "Shards that do not read because somebody paused their index, by index",
            () -> streams.in(State.PAUSED)),
        gauge(
                "stopped_shards",
                "shards",
                "Shards that do not read though nobody paused their index, by index",
                () -> streams.in(State.STOPPED))
            .tagged(Tag.STOPPED_STREAMS),
        Metric.gauge(
                "late_indices",
                "indices",
                "Indices of which a record waits longer than `late_after` in the stream or in the"
                    + " queue",
                streams::late)
            .tagged(Tag.LATE_STREAMS));
  }

  Streams streams() {
    return streams;
  }

  private static Metric gauge(
      String name, String unit, String doc, Supplier<List<Sample>> samples) {
    return new Metric(name, Kind.GAUGE, unit, doc, Merge.SUM, samples);
  }

  private static Metric peak(String name, String doc, Supplier<List<Sample>> samples) {
    return new Metric(name, Kind.GAUGE, "milliseconds", doc, Merge.MAX, samples);
  }

  private static Metric counter(
      String name, String unit, String doc, Supplier<List<Sample>> samples) {
    return new Metric(name, Kind.COUNTER, unit, doc, Merge.SUM, samples);
  }

  @Override
  public void declare(Hooks hooks) {
    hooks.index(module -> module.addIndexEventListener(streams));
    hooks.report("streams", streams);
  }

  @Override
  public void start(NodeServices services) {
    looking =
        services
            .threadPool()
            .scheduleWithFixedDelay(
                streams::look, TimeValue.timeValueSeconds(1), ThreadPool.Names.GENERIC);
  }

  @Override
  public void stop() {
    if (looking != null) {
      looking.cancel();
    }
  }
}
