package io.millrace.observe.alarms;

import io.millrace.observe.alarms.Reading.Watermark;
import io.millrace.observe.freshness.Freshness;
import io.millrace.observe.freshness.Freshness.IndexFreshness;
import io.millrace.observe.gc.GcObservation;
import org.opensearch.action.admin.cluster.node.stats.NodeStats;
import org.opensearch.action.admin.cluster.node.stats.NodesStatsRequest;
import org.opensearch.action.admin.cluster.node.stats.NodesStatsRequest.Metric;
import org.opensearch.action.admin.indices.stats.CommonStatsFlags;
import org.opensearch.action.admin.indices.stats.CommonStatsFlags.Flag;
import org.opensearch.cluster.routing.allocation.DiskThresholdSettings;
import org.opensearch.core.indices.breaker.CircuitBreakerStats;
import org.opensearch.index.stats.IndexingPressureStats;
import org.opensearch.monitor.fs.FsInfo;
import org.opensearch.threadpool.ThreadPoolStats;

/** Makes a reading of this node's own statistics and of what this domain saw. */
final class NodeReader {
  private final GcObservation gc;
  private final Freshness freshness;
  private final DiskThresholdSettings watermarks;
  private final TaggedFigures tagged;

  NodeReader(
      GcObservation gc,
      Freshness freshness,
      DiskThresholdSettings watermarks,
      TaggedFigures tagged) {
    this.gc = gc;
    this.freshness = freshness;
    this.watermarks = watermarks;
    this.tagged = tagged;
  }

  /** The few statistics that a reading needs, of one node. */
  static NodesStatsRequest request(String node) {
    return new NodesStatsRequest(node)
        .clear()
        .indices(new CommonStatsFlags(Flag.Indexing))
        .addMetrics(
            Metric.THREAD_POOL.metricName(),
            Metric.BREAKER.metricName(),
            Metric.FS.metricName(),
            Metric.INDEXING_PRESSURE.metricName());
  }

  Reading read(NodeStats stats, long nanos) {
    long writes = 0;
    long searches = 0;
    if (stats.getThreadPool() != null) {
      for (ThreadPoolStats.Stats pool : stats.getThreadPool()) {
        if (pool.getName().equals("write")) {
          writes += Math.max(0, pool.getRejected());
        } else if (pool.getName().equals("search") || pool.getName().equals("index_searcher")) {
          searches += Math.max(0, pool.getRejected());
        }
      }
    }
    IndexingPressureStats pressure = stats.getIndexingPressureStats();
    if (pressure != null) {
      writes +=
          pressure.getCoordinatingRejections()
              + pressure.getPrimaryRejections()
              + pressure.getReplicaRejections();
    }
    long trips = 0;
    if (stats.getBreaker() != null) {
      for (CircuitBreakerStats breaker : stats.getBreaker().getAllStats()) {
        trips += breaker.getTrippedCount();
      }
    }
    double late = 0;
    String latest = "";
    for (IndexFreshness index : freshness.all()) {
      if (index.share() > late) {
        late = index.share();
        latest = index.index();
      }
    }
    double free = 1;
    Watermark disk = Watermark.NONE;
    if (stats.getFs() != null) {
      for (FsInfo.Path path : stats.getFs()) {
        long total = path.getTotal().getBytes();
        long available = path.getAvailable().getBytes();
        if (total > 0) {
          free = Math.min(free, (double) available / total);
          Watermark past = past(available, 100.0 * available / total);
          disk = past.compareTo(disk) > 0 ? past : disk;
        }
      }
    }
    return new Reading(
        nanos,
        gc.allocationStalls(),
        gc.fullCollections() - gc.requestedFullCollections(),
        gc.heapMaxBytes() > 0 ? (double) gc.heapAfterBytes() / gc.heapMaxBytes() : 0,
        writes,
        searches,
        trips,
        late,
        latest,
        stats.getIndices() == null
            ? 0
            : stats.getIndices().getIndexing().getTotal().getThrottleTime().millis(),
        free,
        disk,
        tagged.read());
  }

  private Watermark past(long availableBytes, double freePercent) {
    if (!watermarks.isEnabled()) {
      return Watermark.NONE;
    }
    if (availableBytes < watermarks.getFreeBytesThresholdFloodStage().getBytes()
        || freePercent < watermarks.getFreeDiskThresholdFloodStage()) {
      return Watermark.FLOOD_STAGE;
    }
    if (availableBytes < watermarks.getFreeBytesThresholdHigh().getBytes()
        || freePercent < watermarks.getFreeDiskThresholdHigh()) {
      return Watermark.HIGH;
    }
    return availableBytes < watermarks.getFreeBytesThresholdLow().getBytes()
            || freePercent < watermarks.getFreeDiskThresholdLow()
        ? Watermark.LOW
        : Watermark.NONE;
  }
}
