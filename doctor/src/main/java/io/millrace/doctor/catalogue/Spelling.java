package io.millrace.doctor.catalogue;

import java.util.ArrayList;
import java.util.List;

/** Names that somebody may have meant who wrote another. */
final class Spelling {
  private Spelling() {}

  /** Those with the fewest letters changed, added or left out, a third of the word at most. */
  static List<String> nearest(String word, List<String> names) {
    int least = Math.max(1, word.length() / 3);
    List<String> nearest = new ArrayList<>();
    for (String name : names) {
      int distance = distance(word, name);
      if (distance < least) {
        nearest.clear();
        least = distance;
      }
      if (distance == least) {
        nearest.add(name);
      }
    }
    return nearest;
  }

  /** Levenshtein's. */
  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j < row.length; j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j < row.length; j++) {
        int changed = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(changed, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.length()];
  }
}
