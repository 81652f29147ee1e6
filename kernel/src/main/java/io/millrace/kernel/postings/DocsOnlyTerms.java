package io.millrace.kernel.postings;

import java.io.IOException;
import org.apache.lucene.index.Terms;

/** The terms of a field that has neither frequencies nor positions. */
public abstract class DocsOnlyTerms extends Terms {
  /** As many as documents: each of a term's documents counts once. */
  @Override
  public final long getSumTotalTermFreq() throws IOException {
    return getSumDocFreq();
  }

  @Override
  public final boolean hasFreqs() {
    return false;
  }

  @Override
  public final boolean hasOffsets() {
    return false;
  }

  @Override
  public final boolean hasPositions() {
    return false;
  }

  @Override
  public final boolean hasPayloads() {
    return false;
  }
}
