package io.millrace.it.chaos;

import io.millrace.it.chaos.Histories.Key;
import java.util.Random;

/**
 * The few documents of an index that its clients use at a time. One that was used often gives way
 * to a new one, so that the search for an order stays short; it is read again at the end.
 */
final class ActiveKeys {
  private static final int ACTIVE = 6;
  private static final int USES = 90;

  private final String index;
  private final int[] uses = new int[ACTIVE];
  private final int[] numbers = new int[ACTIVE];
  private int last = ACTIVE - 1;

  /**
   * @param index where the documents are
   */
  ActiveKeys(String index) {
    this.index = index;
    for (int i = 0; i < ACTIVE; i++) {
      numbers[i] = i;
    }
  }

  /** One of the active documents. */
  synchronized Key next(Random random) {
    int slot = random.nextInt(ACTIVE);
    if (++uses[slot] > USES) {
      uses[slot] = 0;
      numbers[slot] = ++last;
    }
    return new Key(index, "k" + numbers[slot]);
  }
}
