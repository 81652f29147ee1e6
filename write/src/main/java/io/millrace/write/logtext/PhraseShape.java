package io.millrace.write.logtext;

import io.millrace.write.logtext.TemplateDictionary.Position;
import java.util.Arrays;
import org.apache.lucene.index.Term;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.StringHelper;
import org.jspecify.annotations.Nullable;

/**
 * An exact phrase laid over templates: whether a template decides it.
 *
 * @param terms the terms that may stand at each place
 * @param positions where each place stands, relative to the others
 * @param lastIsPrefix whether the terms of the last place are prefixes
 */
record PhraseShape(Term[][] terms, int[] positions, boolean lastIsPrefix) {

  /** What a template says of the documents that have it. */
  enum Answer {
    /** The phrase stands in the fixed tokens of the template: every document has it. */
    YES,
    /** It could stand if the holes hold the right variables: the document must be looked at. */
    MAYBE,
    /** No document has it within this value. */
    NO
  }

  Answer over(Position[] template) {
    Answer best = Answer.NO;
    int base = positions[0];
    int span = positions[positions.length - 1] - base;
    for (int start = 0; start + span < template.length; start++) {
      Answer here = Answer.YES;
      for (int i = 0; i < terms.length && here != Answer.NO; i++) {
        Answer at = at(template[start + positions[i] - base], i);
        here = at.compareTo(here) > 0 ? at : here;
      }
      if (here == Answer.YES) {
        return here;
      }
      best = here == Answer.MAYBE ? here : best;
    }
    return best;
  }

  private Answer at(Position position, int place) {
    boolean prefix = lastIsPrefix && place == terms.length - 1;
    BytesRef part = position.part();
    BytesRef whole = position.whole();
    for (Term term : terms[place]) {
      BytesRef wanted = term.bytes();
      if (matches(part, wanted, prefix) || matches(whole, wanted, prefix)) {
        return Answer.YES;
      }
    }
    // what is variable may be anything
    return part == null ? Answer.MAYBE : Answer.NO;
  }

  private static boolean matches(@Nullable BytesRef token, BytesRef wanted, boolean prefix) {
    return token != null
        && (prefix ? StringHelper.startsWith(token, wanted) : token.bytesEquals(wanted));
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof PhraseShape shape
        && Arrays.deepEquals(terms, shape.terms)
        && Arrays.equals(positions, shape.positions)
        && lastIsPrefix == shape.lastIsPrefix;
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.deepHashCode(terms) + Arrays.hashCode(positions);
  }
}
