package io.millrace.write.logtext;

import io.millrace.kernel.slot.HoleCondition;
import io.millrace.kernel.slot.OutlinedSource;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Sources without some of their words: outlines, and what stood in their holes. */
final class HiddenWords {
  private static final String UUID = SourceScanFuzz.UUID;
  private static final byte[] UUID_BYTES = UUID.getBytes(StandardCharsets.UTF_8);

  private HiddenWords() {}

  /**
   * Takes letters and digits out of the field's string, words and parts of them.
   *
   * @param longest takes up the bytes that were taken out side by side
   * @param holes takes up what stood in each hole
   * @return the outline's length
   */
  static int outline(
      byte[] source,
      int length,
      Random random,
      byte[] out,
      int[] longest,
      List<StringBuilder> holes) {
    int value =
        JsonTop.string(source, 0, length, SourceScanFuzz.FIELD.getBytes(StandardCharsets.UTF_8));
    int share = 2 + random.nextInt(12);
    boolean hidden = false;
    int at = 0;
    int run = 0;
    for (int i = 0; i < length; i++) {
      if (i >= value
          && i + UUID.length() < length
          && Arrays.equals(source, i, i + UUID.length(), UUID_BYTES, 0, UUID.length())
          && !isWord(source[i - 1])
          && !isWord(source[i + UUID.length()])
          && random.nextBoolean()) {
        out[at++] = OutlinedSource.HOLE;
        holes.add(new StringBuilder(UUID));
        longest[0] = Math.max(longest[0], UUID.length());
        i += UUID.length() - 1;
        continue;
      }
      boolean first = i == 0 || !isWord(source[i - 1]);
      hidden =
          i >= value
              && i < length - 2
              && isWord(source[i])
              && (first || random.nextInt(8) == 0 ? random.nextInt(share) == 0 : hidden);
      run = hidden ? run + 1 : 0;
      longest[0] = Math.max(longest[0], run);
      if (!hidden) {
        out[at++] = source[i];
      } else if (run == 1 || random.nextInt(4) == 0) {
        out[at++] = OutlinedSource.HOLE;
        holes.add(new StringBuilder());
      }
      if (hidden) {
        holes.getLast().append((char) source[i]);
      }
    }
    return at;
  }

  private static boolean isWord(byte b) {
    return b > 0 && Character.isLetterOrDigit(b);
  }

  static boolean hold(HoleCondition condition, List<StringBuilder> holes) {
    for (int set = 0; set < condition.holes().length; set++) {
      boolean all = true;
      for (int i = 0; i < condition.holes()[set].length; i++) {
        byte[] text =
            holes.get(condition.holes()[set][i]).toString().getBytes(StandardCharsets.US_ASCII);
        all &= condition.isMet(set, i, text, text.length);
      }
      if (all) {
        return true;
      }
    }
    return false;
  }
}
