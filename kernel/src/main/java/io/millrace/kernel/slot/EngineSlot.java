package io.millrace.kernel.slot;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Setting.Property;
import org.opensearch.index.IndexSettings;
import org.opensearch.index.engine.Engine;
import org.opensearch.index.engine.EngineConfig;
import org.opensearch.index.engine.EngineFactory;
import org.opensearch.index.engine.NRTReplicationEngine;

/**
 * Folds all extensions into the single engine factory that OpenSearch accepts for an index.
 *
 * <p>The base repeats stock's choice (IndicesService#getEngineFactory at 3.8.0): remote snapshots
 * get the read-only engine, a segment-replication replica gets {@link NRTReplicationEngine}
 * (NRTReplicationEngineFactory.java), everything else the read-write engine. In all of them the
 * readers of searches are under {@link EngineExtension#view}. Closed indices and ingestion sources
 * never ask an engine plugin. An index with a pluggable data format does not index through Lucene
 * documents and is left to stock.
 *
 * <p>Another plugin that brings an engine for the same index would make OpenSearch refuse to open
 * it. {@link #YIELD_TO} names the index settings by which such an index is known; an index that has
 * one of them is left alone.
 */
public final class EngineSlot {
  /**
   * Index settings whose presence says that another plugin brings the engine. The default is the
   * follower setting of the cross-cluster-replication plugin, the one such plugin of the OpenSearch
   * project.
   */
  public static final Setting<List<String>> YIELD_TO =
      Setting.listSetting(
          "millrace.engine.yield_to",
          List.of("index.plugins.replication.follower.leader_index"),
          Function.identity(),
          Property.NodeScope);

  private EngineSlot() {}

  /** The factory for an index, empty if no extension wants it or another engine must serve it. */
  public static Optional<EngineFactory> factoryFor(
      List<EngineExtension> extensions, IndexSettings settings) {
    if (settings.isPluggableDataFormatEnabled()
        || YIELD_TO.get(settings.getNodeSettings()).stream()
            .anyMatch(settings.getSettings()::hasValue)) {
      return Optional.empty();
    }
    List<EngineExtension> wanting =
        extensions.stream().filter(extension -> extension.wants(settings)).toList();
    return wanting.isEmpty()
        ? Optional.empty()
        : Optional.of(config -> open(wanting, settings, config));
  }

  private static Engine open(
      List<EngineExtension> extensions, IndexSettings settings, EngineConfig config) {
    SearchReaders readers =
        new SearchReaders(extensions.stream().map(extension -> extension.view(settings)).toList());
    if (settings.isRemoteSnapshot()) {
      return new SnapshotEngine(config, readers);
    }
    if (config.isReadOnlyReplica()) {
      return new ReplicaEngine(config, readers);
    }
    EngineConfig configured = config;
    for (EngineExtension extension : extensions) {
      configured = extension.configure(configured);
    }
    List<ShardHooks> hooks = new ArrayList<>();
    try {
      for (EngineExtension extension : extensions) {
        hooks.add(extension.open(configured));
      }
      return new ExtendedEngine(configured, List.copyOf(hooks), readers);
    } catch (RuntimeException | Error e) {
      // a shard whose files are damaged is tried again and again: nothing may stay of a try
      hooks.forEach(ShardHooks::closed);
      throw e;
    }
  }
}
