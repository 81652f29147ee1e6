package io.millrace.write.logtext;

import io.millrace.write.logtext.TemplateDictionary.Position;
import java.util.Arrays;
import java.util.BitSet;
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

  /** The templates that hold what no variable can be; the others need no look. */
  BitSet possible(TemplateDictionary dictionary) {
    BitSet possible = new BitSet(dictionary.templates.length);
    possible.set(0, dictionary.templates.length);
    for (int place = 0; place < terms.length; place++) {
      if (mayBeVariable(place)) {
        continue;
      }
      BitSet here = new BitSet(dictionary.templates.length);
      for (Term term : terms[place]) {
        for (int owner : dictionary.owners(term.bytes())) {
          here.set(owner);
        }
      }
      possible.and(here);
    }
    return possible;
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
    return part == null && mayBeVariable(place) ? Answer.MAYBE : Answer.NO;
  }

  /**
   * Whether a variable may stand at a place: every variable holds a digit ({@link LogTextStream}).
   * What begins with a prefix may hold one.
   */
  boolean mayBeVariable(int place) {
    if (lastIsPrefix && place == terms.length - 1) {
      return true;
    }
    for (Term term : terms[place]) {
      if (term.text().codePoints().anyMatch(Character::isDigit)) {
        return true;
      }
    }
    return false;
  }

  /** Whether all that may stand at a place hold digits, as variables do. */
  boolean isVariable(int place) {
    if (lastIsPrefix && place == terms.length - 1) {
      return false;
    }
    for (Term term : terms[place]) {
      if (term.text().codePoints().noneMatch(Character::isDigit)) {
        return false;
      }
    }
    return true;
  }

  /** Whether one place holds no digit: what holds it outside of templates has none. */
  boolean isWord() {
    for (int place = 0; place < terms.length; place++) {
      if (!mayBeVariable(place)) {
        return !lastIsPrefix;
      }
    }
    return false;
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
