package io.millrace.search.preference;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * A preference that names shards and a custom string.
 *
 * @param shards the numbers of the shards
 * @param custom what chooses the copy of each of them
 */
record ShardsAndString(BitSet shards, String custom) {
  private static final String SHARDS = "_shards:";

  /** No index of OpenSearch has as many shards. */
  private static final int MOST = 1 << 16;

  /**
   * @return null for a preference that stock understands by itself: no list of shards, none but
   *     that, or a word of stock's ({@code _local}) behind it
   * @throws IllegalArgumentException when the list is no list of shard numbers
   */
  static @Nullable ShardsAndString parse(@Nullable String preference) {
    if (preference == null || !preference.startsWith(SHARDS)) {
      return null;
    }
    int bar = preference.indexOf('|');
    if (bar < 0 || bar == preference.length() - 1 || preference.charAt(bar + 1) == '_') {
      return null;
    }
    String list = preference.substring(SHARDS.length(), bar);
    BitSet shards = new BitSet();
    for (String each : list.split(",", -1)) {
      shards.set(number(each, preference));
    }
    return new ShardsAndString(shards, preference.substring(bar + 1));
  }

  private static int number(String text, String preference) {
    try {
      int number = Integer.parseInt(text);
      if (number >= 0 && number < MOST) {
        return number;
      }
    } catch (NumberFormatException e) {
      // as an error of the request below
    }
    throw new IllegalArgumentException(
        "[preference] is ["
            + preference
            + "], and ["
            + text
            + "] is no number of a shard; write it as [_shards:0,1|any_string]");
  }
}
