package io.millrace.search;

import java.io.IOException;
import java.util.List;
import org.apache.lucene.index.LeafReaderContext;
import org.opensearch.plugins.Plugin;
import org.opensearch.plugins.SearchPlugin;
import org.opensearch.search.fetch.FetchContext;
import org.opensearch.search.fetch.FetchSubPhase;
import org.opensearch.search.fetch.FetchSubPhaseProcessor;

/** A plugin of a test that is called for every hit which is read. */
public abstract class EveryHit extends Plugin implements SearchPlugin {
  /** Called after stock has loaded the hit. */
  protected abstract void read(FetchSubPhase.HitContext hit) throws IOException;

  @Override
  public final List<FetchSubPhase> getFetchSubPhases(FetchPhaseConstructionContext construction) {
    return List.of(
        new FetchSubPhase() {
          @Override
          public FetchSubPhaseProcessor getProcessor(FetchContext fetch) {
            return new FetchSubPhaseProcessor() {
              @Override
              public void setNextReader(LeafReaderContext reader) {}

              @Override
              public void process(HitContext hit) throws IOException {
                read(hit);
              }
            };
          }
        });
  }
}
