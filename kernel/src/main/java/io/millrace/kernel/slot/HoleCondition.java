package io.millrace.kernel.slot;

/**
 * What must stand in the holes of an outline: for one of some sets of holes, a text in each. Upper
 * and lower case of ASCII letters are the same.
 *
 * @param holes of each set, by their places in the outline
 * @param texts of each hole of a set, with letters of ASCII in lower case
 * @param lastBegins of each set, whether its last hole need only begin with its text
 */
public record HoleCondition(int[][] holes, byte[][][] texts, boolean[] lastBegins) {
  /**
   * Whether what stands in a hole is what a set wants there.
   *
   * @param place of the hole in the set
   */
  public boolean isMet(int set, int place, byte[] bytes, int length) {
    byte[] text = texts[set][place];
    boolean begins = lastBegins[set] && place == texts[set].length - 1;
    if (begins ? text.length > length : text.length != length) {
      return false;
    }
    for (int i = 0; i < text.length; i++) {
      byte b = bytes[i];
      if (text[i] != (b >= 'A' && b <= 'Z' ? (byte) (b | 0x20) : b)) {
        return false;
      }
    }
    return true;
  }
}
