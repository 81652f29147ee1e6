package io.millrace.write.logtext;

import io.millrace.kernel.slot.HoleCondition;
import io.millrace.kernel.slot.OutlinedSource;
import java.util.Objects;

/**
 * Looks for an exact phrase in outlines of JSON objects: what is so in every source with an
 * outline, and what must stand in its holes otherwise. It reads the string of a field as {@link
 * SourceScan} does.
 *
 * <p>Immutable.
 */
final class OutlineScan {
  private static final int UUID_PARTS = 5;

  private final byte[] field;
  private final PhrasePattern pattern;
  private final int maxExpansions;

  /**
   * @param field in UTF-8, at the top of the object
   * @param maxExpansions as {@link PhraseMatcher} takes them
   */
  OutlineScan(byte[] field, PhrasePattern pattern, int maxExpansions) {
    this.field = field;
    this.pattern = pattern;
    this.maxExpansions = maxExpansions;
  }

  /**
   * Whether the field's value holds the phrase, whatever stands in the holes of an outline: all of
   * the phrase stands between two of them, and, as for a phrase prefix, the words in the holes are
   * too few to cut its expansions short. Otherwise an exact phrase may be decided by what stands in
   * the holes ({@link #condition}).
   *
   * @param end of the outline; {@link OutlinedSource#ZEROS} or the array's end follow
   * @return as {@link OutlinedSource#decidedBy}
   */
  int holds(byte[] outline, int from, int end) {
    try {
      int value = JsonTop.string(outline, from, end, field);
      return value < 0 ? OutlinedSource.UNDECIDED : new Walk(outline, value).answer();
    } catch (ArrayIndexOutOfBoundsException e) {
      return OutlinedSource.UNDECIDED; // the object is not closed
    }
  }

  /** What must stand in the holes of an outline that was answered so. */
  HoleCondition condition(byte[] outline, int from, int end) {
    Walk walk = new Walk(outline, JsonTop.string(outline, from, end, field));
    walk.answer();
    return Objects.requireNonNull(walk.phrase.condition());
  }

  /** One way through the tokens of a string with holes. */
  private final class Walk {
    private final byte[] outline;
    private final OutlinePhrase phrase = new OutlinePhrase(pattern);
    private int at;

    // the token that was read last, and how many holes it has
    private final byte[] token = new byte[SourceScan.LONGEST];
    private int length;
    private int holes;

    private long state;
    private long expansions;
    private boolean found;

    /**
     * @param value where the string begins, behind its quote
     */
    Walk(byte[] outline, int value) {
      this.outline = outline;
      this.at = value;
    }

    int answer() {
      while (true) {
        if (!readToken()) {
          return OutlinedSource.UNDECIDED; // it may be cut into pieces
        }
        byte kind = StringByte.kind(outline[at]);
        if (kind == StringByte.OTHERWISE || kind == StringByte.ESCAPE && !isCharacter()) {
          return OutlinedSource.UNDECIDED;
        }
        if (length > 0) {
          take();
        }
        if (found && !pattern.lastIsPrefix()) {
          return OutlinedSource.DECIDED;
        }
        if (kind == StringByte.QUOTE) {
          return atTheEnd();
        }
        at += kind == StringByte.ESCAPE ? 2 : 1;
      }
    }

    /** Reads up to what stands behind a token; false for one that may be too long for one. */
    private boolean readToken() {
      length = 0;
      holes = 0;
      byte kind = StringByte.kind(outline[at]);
      while (kind > 0 || outline[at] == OutlinedSource.HOLE) {
        if (length + holes * OutlinedSource.LONGEST_HOLE >= SourceScan.LONGEST) {
          return false;
        }
        holes += kind > 0 ? 0 : 1;
        token[length++] = kind > 0 ? kind : OutlinedSource.HOLE;
        kind = StringByte.kind(outline[++at]);
      }
      return true;
    }

    /** Whether an escape is one of a character that is in no token, and all of it is shown. */
    private boolean isCharacter() {
      return outline[at + 1] != OutlinedSource.HOLE && !StringByte.isLetter(outline, at);
    }

    private void take() {
      phrase.add(token, length, holes);
      if (holes > 0) {
        state = 0;
        expansions += length == 1 && pattern.prefixIsHex() ? 2 * UUID_PARTS : 2;
        return;
      }
      long here = pattern.positionsOf(token, 0, length);
      state = pattern.step(state, here);
      found |= pattern.ends(state);
      expansions += pattern.hasLast(here) ? 2 : 0;
    }

    private int atTheEnd() {
      if (expansions > maxExpansions) {
        return OutlinedSource.UNDECIDED;
      }
      return found ? OutlinedSource.LONGEST_HOLE : byHoles();
    }

    private int byHoles() {
      HoleCondition condition = phrase.condition();
      if (condition == null) {
        return OutlinedSource.UNDECIDED;
      }
      return condition.holes().length == 0 ? OutlinedSource.LACKING : OutlinedSource.BY_HOLES;
    }
  }
}
