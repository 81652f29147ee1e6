package io.millrace.kernel.slot;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.opensearch.index.engine.EngineConfig;
import org.opensearch.index.engine.ReadOnlyEngine;
import org.opensearch.index.seqno.SeqNoStats;
import org.opensearch.index.translog.TranslogStats;

/**
 * Stock's engine of a remote snapshot (IndicesService#getEngineFactory at 3.8.0), with the readers
 * of the extensions.
 */
final class SnapshotEngine extends ReadOnlyEngine {
  private final @Nullable SearchReaders readers; // null while stock's constructor runs

  SnapshotEngine(EngineConfig config, SearchReaders readers) {
    super(config, new SeqNoStats(0, 0, 0), new TranslogStats(), true, Function.identity(), false);
    this.readers = readers;
  }

  @Override
  public SearcherSupplier acquireSearcherSupplier(
      Function<Searcher, Searcher> wrapper, SearcherScope scope) {
    return super.acquireSearcherSupplier(SearchReaders.under(readers, wrapper, scope), scope);
  }
}
