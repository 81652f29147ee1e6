package io.millrace.write.logtext;

import io.millrace.kernel.slot.OutlinedSource;
import io.millrace.write.loganalyzer.LogAnalyzer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Looks for an exact phrase in a JSON object's bytes: in the string that a field at its top holds,
 * where that is ASCII. It neither decodes the string nor makes tokens of it: there a part is a run
 * of letters and digits ({@code LogScanner}), and lower case is a matter of one byte. Everything
 * else is left to a parser and the analyzer ({@link Answer#UNSEEN}).
 *
 * <p>Immutable.
 */
final class SourceScan {
  /** What was found. */
  enum Answer {
    YES,
    NO,
    /** The value is of a kind that has to be read otherwise. */
    UNSEEN
  }

  /** Zero bytes that stand behind an object where its array goes on. */
  static final int ZEROS = OutlinedSource.ZEROS;

  /** Letters and digits of a token that is not cut into pieces. */
  static final int LONGEST = LogAnalyzer.DEFAULT_MAX_TOKEN_LENGTH;

  private final byte[] field;
  private final PhrasePattern pattern;
  private final int maxExpansions;
  private final OutlineScan outlines;

  private SourceScan(String field, PhrasePattern pattern, int maxExpansions) {
    this.field = field.getBytes(StandardCharsets.UTF_8);
    this.pattern = pattern;
    this.maxExpansions = maxExpansions;
    this.outlines = new OutlineScan(this.field, pattern, maxExpansions);
  }

  /**
   * Null for a phrase that cannot be seen so.
   *
   * @param maxExpansions as {@link PhraseMatcher} takes them
   */
  static @Nullable SourceScan of(String field, PhrasePattern pattern, int maxExpansions) {
    return pattern.isPlain() ? new SourceScan(field, pattern, maxExpansions) : null;
  }

  /**
   * Whether the field's value holds the phrase.
   *
   * @param end of the object; {@link #ZEROS} or the array's end follow
   */
  Answer look(byte[] json, int from, int end) {
    try {
      int value = JsonTop.string(json, from, end, field);
      return value < 0 ? Answer.UNSEEN : lookAt(json, value, new byte[LONGEST]);
    } catch (ArrayIndexOutOfBoundsException e) {
      return Answer.UNSEEN; // the object is not closed: whoever parses it says so
    }
  }

  /** The same phrase, looked for in outlines of such objects. */
  OutlineScan outlines() {
    return outlines;
  }

  private Answer lookAt(byte[] json, int value, byte[] token) {
    boolean prefixed = pattern.lastIsPrefix();
    long state = 0;
    long expansions = 0;
    boolean found = false;
    int at = value;
    while (true) {
      byte kind = StringByte.kind(json[at]);
      if (kind == StringByte.BETWEEN) {
        at++;
        continue;
      }
      if (kind > 0) {
        int length = 0;
        do {
          if (length == LONGEST) {
            return Answer.UNSEEN; // is cut into pieces
          }
          token[length++] = kind;
          kind = StringByte.kind(json[++at]);
        } while (kind > 0);
        if (kind == StringByte.OTHERWISE
            || kind == StringByte.ESCAPE && StringByte.isLetter(json, at)) {
          return Answer.UNSEEN; // the token may go on
        }
        long here = pattern.positionsOf(token, 0, length);
        state = pattern.step(state, here);
        found |= pattern.ends(state);
        if (found && !prefixed) {
          return Answer.YES;
        }
        if (prefixed && pattern.hasLast(here)) {
          expansions += 2; // a word that begins with the part has a token, too
        }
      }
      if (kind == StringByte.ESCAPE) {
        if (StringByte.isLetter(json, at)) {
          return Answer.UNSEEN;
        }
        at += 2;
      } else if (kind == StringByte.QUOTE) {
        if (expansions > maxExpansions) {
          return Answer.UNSEEN;
        }
        return found ? Answer.YES : Answer.NO;
      } else if (kind == StringByte.OTHERWISE) {
        return Answer.UNSEEN;
      } else {
        at++;
      }
    }
  }
}
