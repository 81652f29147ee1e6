package io.millrace.write.logtext;

import java.io.IOException;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.BitSetIterator;
import org.apache.lucene.util.DocIdSetBuilder;
import org.apache.lucene.util.FixedBitSet;
import org.jspecify.annotations.Nullable;

/** Documents of many short postings of a segment, put together before the first is wanted. */
final class DocumentSet {
  private final int maxDoc;
  private final @Nullable FixedBitSet many;
  private final @Nullable DocIdSetBuilder few;
  private @Nullable PostingsEnum last;
  private long added;

  /**
   * @param most documents that are added, an upper bound: few are held as a list
   */
  DocumentSet(int maxDoc, long most) {
    this.maxDoc = maxDoc;
    boolean list = most < maxDoc >>> 7;
    this.many = list ? null : new FixedBitSet(maxDoc);
    this.few = list ? new DocIdSetBuilder(maxDoc) : null;
  }

  /** Postings that may be used again; null before the first. */
  @Nullable PostingsEnum reuse() {
    return last;
  }

  void add(PostingsEnum postings) throws IOException {
    last = postings;
    added += postings.cost();
    if (many != null) {
      many.or(postings);
    } else if (few != null) {
      few.add(postings);
    }
  }

  /** Adds the documents of a template that its dictionary holds. */
  void add(TemplateDictionary dictionary, int template) {
    added += dictionary.frequencies[template];
    if (many != null) {
      dictionary.documents.forEach(template, many::set);
    } else if (few != null) {
      DocIdSetBuilder.BulkAdder adder = few.grow(dictionary.frequencies[template]);
      dictionary.documents.forEach(template, adder::add);
    }
  }

  /** What was added; null for nothing. */
  @Nullable DocIdSetIterator iterator() throws IOException {
    if (added == 0) {
      return null;
    }
    if (many != null) {
      return new BitSetIterator(many, Math.min(added, maxDoc));
    }
    return few == null ? null : few.build().iterator();
  }
}
