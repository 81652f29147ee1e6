package io.millrace.guard.breaker;

import org.apache.lucene.index.LeafReaderContext;
import org.jspecify.annotations.Nullable;
import org.opensearch.core.common.text.Text;
import org.opensearch.search.SearchHit;
import org.opensearch.search.SearchHits;
import org.opensearch.search.fetch.FetchContext;
import org.opensearch.search.fetch.FetchSubPhase;
import org.opensearch.search.fetch.FetchSubPhaseProcessor;
import org.opensearch.search.fetch.subphase.highlight.HighlightField;

/**
 * Declares every hit that is read, the moment it is: of a search, of {@code top_hits}, of {@code
 * inner_hits}.
 *
 * <p>Its place is after stock's own phases, so the hit is complete. Ten thousand documents of 100
 * KB are a gigabyte that no breaker of stock is asked for; a measured estimate sees them only after
 * a collection.
 */
final class FetchedHits implements FetchSubPhase {
  private static final long PER_HIT = 700;
  private static final long PER_FIELD = 150;

  private final SearchLedger ledger;

  FetchedHits(SearchLedger ledger) {
    this.ledger = ledger;
  }

  @Override
  public @Nullable FetchSubPhaseProcessor getProcessor(FetchContext context) {
    SearchMemory memory = ledger.ofThread();
    if (memory == null) {
      return null;
    }
    return new FetchSubPhaseProcessor() {
      @Override
      public void setNextReader(LeafReaderContext reader) {}

      @Override
      public void process(HitContext hit) {
        memory.declare(alone(hit.hit())); // its inner hits were declared when they were read
        memory.look();
      }
    };
  }

  /** What a hit holds, with its inner hits, bytes. */
  static long size(SearchHit hit) {
    long bytes = alone(hit);
    if (hit.getInnerHits() != null) {
      for (SearchHits inner : hit.getInnerHits().values()) {
        for (SearchHit each : inner) {
          bytes += size(each);
        }
      }
    }
    return bytes;
  }

  private static long alone(SearchHit hit) {
    long bytes = PER_HIT + PER_FIELD * hit.getFields().size();
    if (hit.hasSource()) {
      bytes += hit.getSourceRef().length();
    }
    for (HighlightField field : hit.getHighlightFields().values()) {
      bytes += PER_FIELD;
      for (Text fragment : field.fragments() == null ? new Text[0] : field.fragments()) {
        bytes += 2L * fragment.string().length();
      }
    }
    return bytes;
  }
}
