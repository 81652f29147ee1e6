package io.millrace.kernel.slot;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.opensearch.index.engine.EngineConfig;
import org.opensearch.index.engine.NRTReplicationEngine;

/** Stock's engine of a segment-replication replica, with the readers of the extensions. */
final class ReplicaEngine extends NRTReplicationEngine {
  private final @Nullable SearchReaders readers; // null while stock's constructor runs

  ReplicaEngine(EngineConfig config, SearchReaders readers) {
    super(config);
    this.readers = readers;
  }

  @Override
  public SearcherSupplier acquireSearcherSupplier(
      Function<Searcher, Searcher> wrapper, SearcherScope scope) {
    return super.acquireSearcherSupplier(SearchReaders.under(readers, wrapper, scope), scope);
  }
}
