package io.millrace.search.deadline;

import org.apache.lucene.index.LeafReaderContext;
import org.jspecify.annotations.Nullable;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.search.fetch.FetchContext;
import org.opensearch.search.fetch.FetchSubPhase;
import org.opensearch.search.fetch.FetchSubPhaseProcessor;

/**
 * Tells the {@link FetchPass} of the calling thread of each hit that stock has read, so that it can
 * look at the clock in between. Other fetches do not see it.
 */
final class FetchClock implements FetchSubPhase {
  private final ThreadLocal<FetchPass> passes = new ThreadLocal<>();
  private final ThreadLocal<OpenSearchStatusException> refusals = new ThreadLocal<>();

  /** The calling thread reads hits for this pass from here on. */
  void begin(FetchPass pass) {
    passes.set(pass);
  }

  void end() {
    passes.remove();
  }

  /** The next fetch of the calling thread fails: a listener cannot fail one by itself. */
  void refuse(OpenSearchStatusException reason) {
    refusals.set(reason);
  }

  void refused() {
    refusals.remove();
  }

  @Override
  public @Nullable FetchSubPhaseProcessor getProcessor(FetchContext context) {
    OpenSearchStatusException refusal = refusals.get();
    if (refusal != null) {
      throw refusal;
    }
    FetchPass pass = passes.get();
    if (pass == null) {
      return null;
    }
    boolean root = pass.opens();
    return new FetchSubPhaseProcessor() {
      @Override
      public void setNextReader(LeafReaderContext reader) {}

      @Override
      public void process(HitContext hit) {
        if (root) {
          pass.read(hit.hit());
        } else {
          pass.look(); // a hit within a hit
        }
      }
    };
  }
}
