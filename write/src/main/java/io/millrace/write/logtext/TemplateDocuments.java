package io.millrace.write.logtext;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntConsumer;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.TermState;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.ArrayUtil;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * How to come to the documents of each template of a segment without a look into the term
 * dictionary. A frequent word stands in thousands of templates, most of them of few documents:
 * finding a term costs about 1 us and opening its postings half of one, which is more than its
 * documents cost. So the documents of rare templates are held here, and of the others the place of
 * their postings.
 *
 * <p>Immutable. At most {@link #HELD} documents of a template are held. They are not packed: taking
 * up differences of 7 bits a byte took 8 ns a document, a third of a query for a frequent word.
 */
final class TemplateDocuments {
  /** Documents of a template that are held at most; of two blocks of Lucene's postings. */
  static final int HELD = 256;

  private static final int STATE_BYTES = 128;

  private final int[] held;
  private final int[] ends;
  private final @Nullable TermState[] states;
  private final int placed;

  private TemplateDocuments(int[] held, int[] ends, @Nullable TermState[] states, int placed) {
    this.held = held;
    this.ends = ends;
    this.states = states;
    this.placed = placed;
  }

  /** Takes the templates in the segment's order. */
  static final class Builder {
    private int[] held = new int[64];
    private int length;
    private int[] ends = new int[16];
    private int templates;
    private int placed;
    private final List<@Nullable TermState> states = new ArrayList<>();
    private @Nullable PostingsEnum postings;

    /** Adds the template that an enumeration stands at. */
    void add(TermsEnum at) throws IOException {
      boolean few = at.docFreq() <= HELD;
      states.add(few ? null : at.termState());
      if (few) {
        PostingsEnum documents = at.postings(postings, PostingsEnum.NONE);
        postings = documents;
        for (int doc = documents.nextDoc();
            doc != DocIdSetIterator.NO_MORE_DOCS;
            doc = documents.nextDoc()) {
          held = ArrayUtil.grow(held, length + 1);
          held[length++] = doc;
        }
      } else {
        placed++;
      }
      ends = ArrayUtil.grow(ends, templates + 1);
      ends[templates++] = length;
    }

    TemplateDocuments build() {
      return new TemplateDocuments(
          Arrays.copyOf(held, length),
          Arrays.copyOf(ends, templates),
          states.toArray(new TermState[0]),
          placed);
    }
  }

  /** Whether a template's documents are held; else they stand in its postings. */
  boolean held(int template) {
    return states[template] == null;
  }

  /** Gives the held documents of a template, in order. */
  void forEach(int template, IntConsumer consumer) {
    for (int at = template == 0 ? 0 : ends[template - 1]; at < ends[template]; at++) {
      consumer.accept(held[at]);
    }
  }

  /**
   * The postings of a template whose documents are not held.
   *
   * @param terms of the segment, to be moved
   */
  PostingsEnum postings(int template, BytesRef term, TermsEnum terms, @Nullable PostingsEnum reuse)
      throws IOException {
    TermState state = states[template];
    if (state == null) {
      throw new IllegalArgumentException("the documents of template " + template + " are held");
    }
    terms.seekExact(term, state);
    return terms.postings(reuse, PostingsEnum.NONE);
  }

  /** What it holds in memory, in bytes. */
  long bytes() {
    return 64L + 4L * held.length + 8L * ends.length + (long) STATE_BYTES * placed;
  }
}
