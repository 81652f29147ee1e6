package io.millrace.write.logtext;

import io.millrace.kernel.slot.HoleCondition;
import io.millrace.kernel.slot.OutlinedSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The tokens of an outline with holes, and what must stand in its holes so that a phrase stands in
 * them. A hole is part of one token, or a UUID, which is five; where the phrase might stand across
 * a UUID, nothing is said.
 *
 * <p>For one outline.
 */
final class OutlinePhrase {
  /** Of ways to lay a phrase over an outline that are worth a look. */
  private static final int MOST_SETS = 8;

  private static final int[] UUID_PARTS = {8, 4, 4, 4, 12};
  private static final int NO_HOLE = -1;
  private static final int SEVERAL = -2;

  private final PhrasePattern pattern;
  private final byte @Nullable [][] order;
  private final List<byte[]> tokens = new ArrayList<>();
  private final List<Integer> holes = new ArrayList<>();
  private int seen; // holes so far

  // how far the phrase may have come, whatever stands in the holes; across a UUID
  private long possible;
  private long acrossUuid;
  private boolean unsure;

  OutlinePhrase(PhrasePattern pattern) {
    this.pattern = pattern;
    this.order = pattern.inOrder();
    this.unsure = order == null;
  }

  /**
   * The next token.
   *
   * @param token in lower case, {@link OutlinedSource#HOLE} for each hole
   * @param count of the holes in it
   */
  void add(byte[] token, int length, int count) {
    if (unsure) {
      return;
    }
    tokens.add(Arrays.copyOf(token, length));
    holes.add(count == 0 ? NO_HOLE : count == 1 ? seen : SEVERAL);
    seen += count;
    long here = count == 0 ? pattern.positionsOf(token, 0, length) : -1L;
    long across = count == 1 && length == 1 ? throughUuid() : 0;
    acrossUuid = across | pattern.follow(acrossUuid, here);
    possible = pattern.step(possible, here);
    unsure |= pattern.ends(acrossUuid);
  }

  private long throughUuid() {
    long state = possible | acrossUuid;
    for (int part : UUID_PARTS) {
      state = pattern.step(state, pattern.hexOf(part));
      unsure |= pattern.ends(state);
    }
    return state;
  }

  /**
   * What must stand in the holes: no set where the phrase stands nowhere; null where this does not
   * tell.
   */
  @Nullable HoleCondition condition() {
    return unsure || order == null ? null : condition(order);
  }

  private @Nullable HoleCondition condition(byte[][] phrase) {
    List<int[]> asked = new ArrayList<>();
    List<byte[][]> texts = new ArrayList<>();
    List<Boolean> lastBegins = new ArrayList<>();
    for (int start = 0; start + phrase.length <= tokens.size(); start++) {
      List<Integer> at = new ArrayList<>();
      List<byte[]> text = new ArrayList<>();
      if (!fits(phrase, start, at, text)) {
        continue;
      }
      int last = holes.get(start + phrase.length - 1);
      if (at.contains(SEVERAL) || asked.size() == MOST_SETS) {
        return null;
      }
      asked.add(at.stream().mapToInt(Integer::intValue).toArray());
      texts.add(text.toArray(new byte[0][]));
      lastBegins.add(pattern.lastIsPrefix() && !at.isEmpty() && at.getLast() == last);
    }
    boolean[] begins = new boolean[asked.size()];
    for (int i = 0; i < begins.length; i++) {
      begins[i] = lastBegins.get(i);
    }
    return new HoleCondition(asked.toArray(new int[0][]), texts.toArray(new byte[0][][]), begins);
  }

  /** Whether the phrase may begin at a token; tells what the holes must hold then. */
  private boolean fits(byte[][] phrase, int start, List<Integer> at, List<byte[]> text) {
    for (int i = 0; i < phrase.length; i++) {
      byte[] wanted = phrase[i];
      if (wanted == null) {
        continue;
      }
      boolean begins = pattern.lastIsPrefix() && i == phrase.length - 1;
      byte[] token = tokens.get(start + i);
      int hole = holes.get(start + i);
      if (hole == NO_HOLE || begins && begins(token, wanted)) {
        if (begins ? !begins(token, wanted) : !Arrays.equals(token, wanted)) {
          return false;
        }
        continue;
      }
      byte[] within =
          hole == SEVERAL ? wanted : begins ? beginning(token, wanted) : within(token, wanted);
      if (within == null) {
        return false;
      }
      at.add(begins && reachesBehind(token, wanted) ? SEVERAL : hole);
      text.add(within);
    }
    return true;
  }

  private static boolean begins(byte[] token, byte[] wanted) {
    return token.length >= wanted.length
        && Arrays.equals(token, 0, wanted.length, wanted, 0, wanted.length);
  }

  /** What the hole of a token begins with if the token begins so; null if it cannot. */
  private static byte @Nullable [] beginning(byte[] token, byte[] wanted) {
    int before = beforeHole(token);
    return before < wanted.length && Arrays.equals(token, 0, before, wanted, 0, before)
        ? Arrays.copyOfRange(wanted, before, wanted.length)
        : null;
  }

  /** Whether a prefix may take up a hole and go on behind it. */
  private static boolean reachesBehind(byte[] token, byte[] wanted) {
    int before = beforeHole(token);
    return before + 1 < token.length && before + 1 < wanted.length;
  }

  private static int beforeHole(byte[] token) {
    int before = 0;
    while (token[before] != OutlinedSource.HOLE) {
      before++;
    }
    return before;
  }

  /** What stands in the hole of a token if that is a wanted one; null if it cannot be. */
  private static byte @Nullable [] within(byte[] token, byte[] wanted) {
    int before = beforeHole(token);
    int behind = token.length - before - 1;
    int length = wanted.length - before - behind;
    boolean fits =
        length > 0
            && Arrays.equals(token, 0, before, wanted, 0, before)
            && Arrays.equals(
                token, before + 1, token.length, wanted, before + length, wanted.length);
    return fits ? Arrays.copyOfRange(wanted, before, before + length) : null;
  }
}
