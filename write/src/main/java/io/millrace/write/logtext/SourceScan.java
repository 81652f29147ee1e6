package io.millrace.write.logtext;

import io.millrace.kernel.slot.HoleCondition;
import io.millrace.kernel.slot.OutlinedSource;
import io.millrace.write.loganalyzer.LogAnalyzer;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
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

  private static final int LONGEST = LogAnalyzer.DEFAULT_MAX_TOKEN_LENGTH;

  private static final int UUID_PARTS = 5;
  private static final byte BETWEEN = 0;
  private static final byte OTHERWISE = -1;
  private static final byte QUOTE = -2;
  private static final byte ESCAPE = -3;

  /** Of each byte in a string: its lower case where it is in a token, or what it is instead. */
  private static final byte[] KINDS = new byte[256];

  static {
    for (int b = 0; b < KINDS.length; b++) {
      KINDS[b] = b < ' ' || b >= 128 ? OTHERWISE : BETWEEN;
    }
    for (int c = 'a'; c <= 'z'; c++) {
      KINDS[c] = (byte) c;
      KINDS[c - ('a' - 'A')] = (byte) c;
    }
    for (int c = '0'; c <= '9'; c++) {
      KINDS[c] = (byte) c;
    }
    KINDS['"'] = QUOTE;
    KINDS['\\'] = ESCAPE;
  }

  private final byte[] field;
  private final PhrasePattern pattern;
  private final int maxExpansions;

  private SourceScan(String field, PhrasePattern pattern, int maxExpansions) {
    this.field = field.getBytes(StandardCharsets.UTF_8);
    this.pattern = pattern;
    this.maxExpansions = maxExpansions;
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

  /**
   * Whether the field's value holds the phrase, whatever stands in the holes of an outline: all of
   * the phrase stands between two of them, and, as for a phrase prefix, the words in the holes are
   * too few to cut its expansions short. Otherwise an exact phrase may be decided by what stands in
   * the holes ({@link #condition}).
   *
   * @return as {@link OutlinedSource#decidedBy}
   */
  int holds(byte[] outline, int from, int end) {
    try {
      int value = JsonTop.string(outline, from, end, field);
      return value < 0
          ? OutlinedSource.UNDECIDED
          : holdsAt(outline, value, new byte[LONGEST], new OutlinePhrase(pattern));
    } catch (ArrayIndexOutOfBoundsException e) {
      return OutlinedSource.UNDECIDED;
    }
  }

  /** What must stand in the holes of an outline that was answered so. */
  HoleCondition condition(byte[] outline, int from, int end) {
    OutlinePhrase phrase = new OutlinePhrase(pattern);
    int value = JsonTop.string(outline, from, end, field);
    holdsAt(outline, value, new byte[LONGEST], phrase);
    return Objects.requireNonNull(phrase.condition());
  }

  private int holdsAt(byte[] outline, int value, byte[] token, OutlinePhrase phrase) {
    boolean prefixed = pattern.lastIsPrefix();
    long state = 0;
    long expansions = 0;
    boolean found = false;
    int at = value;
    while (true) {
      int length = 0;
      int holes = 0;
      byte kind = KINDS[outline[at] & 0xff];
      while (kind > 0 || outline[at] == OutlinedSource.HOLE) {
        if (length + holes * OutlinedSource.LONGEST_HOLE >= LONGEST) {
          return OutlinedSource.UNDECIDED; // may be cut into pieces
        }
        holes += kind > 0 ? 0 : 1;
        token[length++] = kind > 0 ? kind : OutlinedSource.HOLE;
        kind = KINDS[outline[++at] & 0xff];
      }
      if (kind == OTHERWISE || kind == ESCAPE && !isCharacter(outline, at)) {
        return OutlinedSource.UNDECIDED;
      }
      if (length > 0) {
        phrase.add(token, length, holes);
      }
      if (holes > 0) {
        state = 0;
        expansions += length == 1 && pattern.prefixIsHex() ? 2 * UUID_PARTS : 2;
      } else if (length > 0) {
        long here = pattern.positionsOf(token, 0, length);
        state = pattern.step(state, here);
        found |= pattern.ends(state);
        if (found && !prefixed) {
          return OutlinedSource.DECIDED;
        }
        expansions += pattern.hasLast(here) ? 2 : 0;
      }
      if (kind == QUOTE) {
        if (expansions > maxExpansions) {
          return OutlinedSource.UNDECIDED;
        }
        return found ? OutlinedSource.LONGEST_HOLE : byHoles(phrase);
      }
      at += kind == ESCAPE ? 2 : 1;
    }
  }

  private static int byHoles(OutlinePhrase phrase) {
    HoleCondition condition = phrase.condition();
    if (condition == null) {
      return OutlinedSource.UNDECIDED;
    }
    return condition.holes().length == 0 ? OutlinedSource.LACKING : OutlinedSource.BY_HOLES;
  }

  /** Whether an escape is one of a character that is in no token, and all of it is shown. */
  private static boolean isCharacter(byte[] json, int escape) {
    return json[escape + 1] != OutlinedSource.HOLE && !isLetter(json, escape);
  }

  private Answer lookAt(byte[] json, int value, byte[] token) {
    boolean prefixed = pattern.lastIsPrefix();
    long state = 0;
    long expansions = 0;
    boolean found = false;
    int at = value;
    while (true) {
      byte kind = KINDS[json[at] & 0xff];
      if (kind == BETWEEN) {
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
          kind = KINDS[json[++at] & 0xff];
        } while (kind > 0);
        if (kind == OTHERWISE || kind == ESCAPE && isLetter(json, at)) {
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
      if (kind == ESCAPE) {
        if (isLetter(json, at)) {
          return Answer.UNSEEN;
        }
        at += 2;
      } else if (kind == QUOTE) {
        if (expansions > maxExpansions) {
          return Answer.UNSEEN;
        }
        return found ? Answer.YES : Answer.NO;
      } else if (kind == OTHERWISE) {
        return Answer.UNSEEN;
      } else {
        at++;
      }
    }
  }

  /** Whether an escape may stand for a character of a token; no other than its number can. */
  private static boolean isLetter(byte[] json, int escape) {
    return json[escape + 1] == 'u';
  }
}
