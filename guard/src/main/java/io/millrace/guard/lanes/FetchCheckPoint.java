package io.millrace.guard.lanes;

import java.util.function.Supplier;
import org.apache.lucene.index.LeafReaderContext;
import org.jspecify.annotations.Nullable;
import org.opensearch.search.fetch.FetchContext;
import org.opensearch.search.fetch.FetchSubPhase;
import org.opensearch.search.fetch.FetchSubPhaseProcessor;

/**
 * A check point at every hit that is read. A fetch passes none of the query's: 10,000 hits with
 * highlights are seconds of CPU time that nothing would pause.
 */
final class FetchCheckPoint implements FetchSubPhase {
  private final Supplier<@Nullable Turn> ofThread;

  /**
   * @param ofThread the search for which the calling thread works
   */
  FetchCheckPoint(Supplier<@Nullable Turn> ofThread) {
    this.ofThread = ofThread;
  }

  @Override
  public @Nullable FetchSubPhaseProcessor getProcessor(FetchContext context) {
    Turn turn = ofThread.get();
    if (turn == null) {
      return null;
    }
    return new FetchSubPhaseProcessor() {
      @Override
      public void setNextReader(LeafReaderContext reader) {}

      @Override
      public void process(HitContext hit) {
        turn.look();
      }
    };
  }
}
