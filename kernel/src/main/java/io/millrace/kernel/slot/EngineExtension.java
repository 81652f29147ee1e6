package io.millrace.kernel.slot;

import org.opensearch.index.IndexSettings;
import org.opensearch.index.engine.EngineConfig;

/**
 * What one feature adds to the engine of a shard.
 *
 * <p>OpenSearch takes one engine factory per index and refuses a second
 * (IndicesService#getEngineFactory at 3.8.0), so features do not bring engines: they bring
 * extensions, and {@link EngineSlot} folds all of them into one engine.
 */
public interface EngineExtension {

  /**
   * Whether this extension has something to do in an index. Asked once, when the index is opened on
   * this node; a feature with a dynamic switch answers {@code true} and reads its switch later, per
   * operation. If no extension wants an index, the index keeps stock's engine class.
   */
  boolean wants(IndexSettings settings);

  /**
   * May change the configuration before the engine exists, for example its merge policy, through
   * {@link EngineConfig#toBuilder()}. Extensions are asked in the order in which they were
   * declared; each sees what the one before it made.
   */
  default EngineConfig configure(EngineConfig config) {
    return config;
  }

  /**
   * The hooks for one engine; called once for each engine of a writing shard (primary or document
   * replica), never for a read-only engine.
   */
  default ShardHooks open(EngineConfig config) {
    return ShardHooks.NONE;
  }

  /**
   * What searches of an index see of its files, on every copy of it: writing shards, replicas by
   * segment replication and remote snapshots. It stands next to the files, under the reader wrapper
   * that OpenSearch gives to one plugin alone (IndexModule#setReaderWrapper at 3.8.0). Asked once
   * for an engine.
   */
  default ReaderView view(IndexSettings settings) {
    return ReaderView.NONE;
  }
}
