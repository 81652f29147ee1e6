package io.millrace.write.logtext;

import org.apache.lucene.index.Term;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * An exact phrase as bits, of which each is a position from the phrase's first to its last: a walk
 * over tokens keeps how far the phrase has come at each of them in one number (the Shift-And
 * automaton of Baeza-Yates and Gonnet, "A New Approach to Text Searching", 1992, over tokens
 * instead of characters).
 *
 * <p>Immutable.
 */
final class PhrasePattern {
  private static final int BITS = Long.SIZE;

  private final byte[][] tokens;
  private final long[] bits; // of each token
  private final int prefixes; // tokens from here on are prefixes
  private final long lengths; // of the tokens that are none, as bits; 63 stands for longer ones too
  private final long gaps;
  private final long variables;
  private final long last;
  private final boolean plain;

  private PhrasePattern(PhraseShape shape) {
    Term[][] terms = shape.terms();
    int[] positions = shape.positions();
    int count = 0;
    for (Term[] place : terms) {
      count += place.length;
    }
    int lastPlace = terms.length - 1;
    tokens = new byte[count][];
    bits = new long[count];
    prefixes = shape.lastIsPrefix() ? count - terms[lastPlace].length : count;
    long allLengths = 0;
    long taken = 0;
    long mayVary = 0;
    boolean isPlain = true;
    int at = 0;
    for (int place = 0; place <= lastPlace; place++) {
      long bit = 1L << positions[place] - positions[0];
      taken |= bit;
      mayVary |= shape.mayBeVariable(place) ? bit : 0;
      for (Term term : terms[place]) {
        BytesRef bytes = term.bytes();
        byte[] token = new byte[bytes.length];
        System.arraycopy(bytes.bytes, bytes.offset, token, 0, token.length);
        tokens[at] = token;
        bits[at++] = bit;
        isPlain &= isPlain(token);
        allLengths |= at <= prefixes ? lengthBit(token.length) : 0;
      }
    }
    last = 1L << positions[lastPlace] - positions[0];
    gaps = (last - 1 | last) & ~taken;
    lengths = allLengths;
    variables = mayVary;
    plain = isPlain;
  }

  /**
   * Null for a phrase of 64 places or more, of one that stands 64 positions or more behind the
   * first, or of places that are not in order.
   */
  static @Nullable PhrasePattern of(PhraseShape shape) {
    int[] positions = shape.positions();
    if (positions.length == 0 || positions.length >= BITS) {
      return null;
    }
    for (int i = 1; i < positions.length; i++) {
      if (positions[i] <= positions[i - 1]) {
        return null;
      }
    }
    return positions[positions.length - 1] - positions[0] < BITS ? new PhrasePattern(shape) : null;
  }

  /** Lower-case ASCII letters and digits alone: then no whole word of several parts is meant. */
  private static boolean isPlain(byte[] token) {
    for (byte b : token) {
      if ((b < 'a' || b > 'z') && (b < '0' || b > '9')) {
        return false;
      }
    }
    return token.length > 0;
  }

  private static long lengthBit(int length) {
    return 1L << Math.min(length, BITS - 1);
  }

  /** Whether all terms are lower-case ASCII letters and digits. */
  boolean isPlain() {
    return plain;
  }

  /** Whether the last place is a prefix. */
  boolean lastIsPrefix() {
    return prefixes < tokens.length;
  }

  /** Whether the last place is a prefix that a part of a UUID may begin with. */
  boolean prefixIsHex() {
    for (int i = prefixes; i < tokens.length; i++) {
      if (isHex(tokens[i])) {
        return true;
      }
    }
    return false;
  }

  /** The positions of the phrase where a token may stand. */
  long positionsOf(byte[] bytes, int from, int length) {
    long found = 0;
    if ((lengths & lengthBit(length)) != 0) {
      for (int i = 0; i < prefixes; i++) {
        found |= tokens[i].length == length && begins(bytes, from, tokens[i]) ? bits[i] : 0;
      }
    }
    for (int i = prefixes; i < tokens.length; i++) {
      found |= tokens[i].length <= length && begins(bytes, from, tokens[i]) ? bits[i] : 0;
    }
    return found;
  }

  private static boolean begins(byte[] bytes, int from, byte[] token) {
    for (int i = 0; i < token.length; i++) {
      if (bytes[from + i] != token[i]) {
        return false;
      }
    }
    return true;
  }

  /** The positions of the phrase where a part of a UUID of this length may stand. */
  long hexOf(int length) {
    long found = 0;
    for (int i = 0; i < tokens.length; i++) {
      boolean fits = i < prefixes ? tokens[i].length == length : tokens[i].length <= length;
      found |= fits && isHex(tokens[i]) ? bits[i] : 0;
    }
    return found;
  }

  private static boolean isHex(byte[] token) {
    boolean hex = true;
    for (byte b : token) {
      hex &= b <= 'f'; // of lower-case letters and digits
    }
    return hex;
  }

  /**
   * The tokens of the phrase by their positions from its first, null for gaps; null where a
   * position has several.
   */
  byte @Nullable [] @Nullable [] inOrder() {
    byte[][] order = new byte[Long.numberOfTrailingZeros(last) + 1][];
    for (int i = 0; i < tokens.length; i++) {
      int position = Long.numberOfTrailingZeros(bits[i]);
      if (order[position] != null) {
        return null;
      }
      order[position] = tokens[i];
    }
    return order;
  }

  /** Whether positions of the phrase have its last among them. */
  boolean hasLast(long positions) {
    return (positions & last) != 0;
  }

  /** The positions of the phrase where a variable may stand. */
  long variables() {
    return variables;
  }

  /**
   * Goes one position on.
   *
   * @param state what the step before gave, 0 at first
   * @param here positions of the phrase where what stands there may stand
   */
  long step(long state, long here) {
    return (state << 1 | 1) & (here | gaps);
  }

  /** As {@link #step} of a phrase that has begun before. */
  long follow(long state, long here) {
    return state << 1 & (here | gaps);
  }

  /** Whether the phrase ends at the position that a step came to. */
  boolean ends(long state) {
    return hasLast(state);
  }
}
