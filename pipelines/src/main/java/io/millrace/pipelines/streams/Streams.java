package io.millrace.pipelines.streams;

import io.millrace.kernel.metric.Metric.Sample;
import io.millrace.kernel.report.NodeReportSource;
import io.millrace.pipelines.streams.StreamFigures.State;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.LongBinaryOperator;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.index.shard.ShardId;
import org.opensearch.index.shard.IndexEventListener;
import org.opensearch.index.shard.IndexShard;

/** This node's shards that read a stream, as they were at the last look. */
final class Streams implements IndexEventListener, NodeReportSource {
  private final BooleanSupplier on;
  private final LongSupplier lateMillis;
  private final Map<ShardId, StreamShard> shards = new ConcurrentHashMap<>();
  private volatile List<StreamFigures> figures = List.of();

  /**
   * @param lateMillis how long a record may wait in the stream or in the queue
   */
  Streams(BooleanSupplier on, LongSupplier lateMillis) {
    this.on = on;
    this.lateMillis = lateMillis;
  }

  @Override
  public void afterIndexShardStarted(IndexShard shard) {
    if (shard.indexSettings().getIndexMetadata().useIngestionSource()) {
      shards.put(shard.shardId(), new StreamShard(shard, System.nanoTime()));
    }
  }

  @Override
  public void beforeIndexShardClosed(
      ShardId shardId, @Nullable IndexShard shard, Settings settings) {
    shards.remove(shardId);
  }

  /** Reads every shard; called once a second. */
  void look() {
    if (!on.getAsBoolean() || shards.isEmpty()) {
      figures = List.of();
      return;
    }
    long now = System.nanoTime();
    List<StreamFigures> read = new ArrayList<>();
    for (StreamShard shard : shards.values()) {
      StreamFigures of = shard.look(now);
      if (of != null) {
        read.add(of);
      }
    }
    read.sort(Comparator.comparing(StreamFigures::index).thenComparing(StreamFigures::shard));
    figures = List.copyOf(read);
  }

  /** A figure of each index, added up over its shards. */
  List<Sample> sum(ToLongFunction<StreamFigures> figure) {
    return samples(figure, Long::sum);
  }

  /** The largest of the shards of each index. */
  List<Sample> most(ToLongFunction<StreamFigures> figure) {
    return samples(figure, Math::max);
  }

  private List<Sample> samples(ToLongFunction<StreamFigures> figure, LongBinaryOperator merge) {
    Map<String, Long> byIndex = new TreeMap<>();
    for (StreamFigures shard : figures) {
      long value = figure.applyAsLong(shard);
      byIndex.merge(shard.index(), value, merge::applyAsLong);
    }
    return byIndex.entrySet().stream()
        .map(entry -> new Sample(Map.of("index", entry.getKey()), entry.getValue()))
        .toList();
  }

  /** Records that are not fetched, of the indices all of whose shards say it. */
  List<Sample> lag() {
    List<String> silent =
        figures.stream().filter(shard -> shard.lag() < 0).map(StreamFigures::index).toList();
    return sum(StreamFigures::lag).stream()
        .filter(sample -> !silent.contains(sample.labels().get("index")))
        .toList();
  }

  /** Shards in a state, of each index. */
  List<Sample> in(State state) {
    return sum(shard -> shard.state() == state ? 1 : 0);
  }

  /** Indices whose records wait in the stream or in the queue for longer than they should. */
  long late() {
    long most = lateMillis.getAsLong();
    return figures.stream()
        .filter(shard -> most > 0 && Math.max(shard.fetchMillis(), shard.queueMillis()) > most)
        .map(StreamFigures::index)
        .distinct()
        .count();
  }

  @Override
  public Map<String, Object> report() {
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("shards", figures.stream().map(StreamFigures::report).toList());
    return report;
  }
}
