package io.millrace.write.logtext;

import io.millrace.kernel.postings.DocsOnlyPostings;
import java.io.IOException;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.BitSet;
import org.apache.lucene.util.BitSetIterator;
import org.apache.lucene.util.FixedBitSet;
import org.apache.lucene.util.SparseFixedBitSet;

/**
 * The documents of several stored terms as the postings of one token. The field has neither
 * frequencies nor positions, and this says so as Lucene's own postings of such a field do.
 */
final class TokenDocuments extends DocsOnlyPostings {
  private final DocIdSetIterator documents;

  private TokenDocuments(DocIdSetIterator documents) {
    this.documents = documents;
  }

  /** Takes up the postings of the terms one after the other. */
  static final class Union {
    private final BitSet documents;

    /**
     * @param most documents, an upper bound: few are held sparsely
     */
    Union(long most, int maxDoc) {
      documents = most < maxDoc >>> 7 ? new SparseFixedBitSet(maxDoc) : new FixedBitSet(maxDoc);
    }

    void add(PostingsEnum postings) throws IOException {
      documents.or(postings);
    }

    void add(int document) {
      documents.set(document);
    }

    /** What was added; its cost is exactly the number of documents. */
    TokenDocuments documents() {
      return new TokenDocuments(new BitSetIterator(documents, documents.cardinality()));
    }
  }

  @Override
  public int docID() {
    return documents.docID();
  }

  @Override
  public int nextDoc() throws IOException {
    return documents.nextDoc();
  }

  @Override
  public int advance(int target) throws IOException {
    return documents.advance(target);
  }

  @Override
  public long cost() {
    return documents.cost();
  }
}
