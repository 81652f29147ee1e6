package io.millrace.kernel.postings;

import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * The documents of a term of a field that has neither frequencies nor positions; it answers for
 * both what Lucene's own postings of such a field do.
 */
public abstract class DocsOnlyPostings extends PostingsEnum {
  @Override
  public final int freq() {
    return 1;
  }

  @Override
  public final int nextPosition() {
    return -1;
  }

  @Override
  public final int startOffset() {
    return -1;
  }

  @Override
  public final int endOffset() {
    return -1;
  }

  @Override
  public final @Nullable BytesRef getPayload() {
    return null;
  }
}
