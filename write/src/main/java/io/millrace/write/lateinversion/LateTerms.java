package io.millrace.write.lateinversion;

import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.index.IndexableField;
import org.jspecify.annotations.Nullable;

/**
 * A value whose terms may be gathered late: it is indexed for which documents have a term and for
 * nothing else (no frequencies, no norms, no term vectors). All values of its name in an index are
 * of this kind.
 */
public interface LateTerms extends IndexableField {
  /** Whether this value may be: it is not stored, too. The same for all values of a field. */
  boolean mayBeLate();

  /**
   * Its terms, at least one, each of which Lucene takes (at most 32,766 bytes); refuses no value.
   *
   * @param reuse a stream that this method has made before on this thread
   */
  TokenStream terms(@Nullable TokenStream reuse);
}
