package io.millrace.guard.lanes;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Searches that wait: addresses take turns, names ({@code X-Opaque-Id}) take turns within an
 * address, and what one name sent goes in its order. So a client that sends a thousand delays
 * another by one, and gains nothing by giving each of its searches another name.
 *
 * <p>Not safe for threads: its owner holds a lock.
 */
final class FairLine {
  private final Map<String, Map<String, ArrayDeque<Turn>>> addresses = new LinkedHashMap<>();
  private int size;

  void add(Turn turn) {
    addresses
        .computeIfAbsent(turn.client().address(), absent -> new LinkedHashMap<>())
        .computeIfAbsent(turn.client().name(), absent -> new ArrayDeque<>())
        .add(turn);
    size++;
  }

  /** The next, which leaves the line; {@code null} when nobody waits. */
  @Nullable Turn poll() {
    if (size == 0) {
      return null;
    }
    var address = addresses.entrySet().iterator().next();
    Map<String, ArrayDeque<Turn>> names = address.getValue();
    var name = names.entrySet().iterator().next();
    ArrayDeque<Turn> own = name.getValue();
    Turn turn = own.remove();
    addresses.remove(address.getKey());
    names.remove(name.getKey());
    // both go to the end of their line
    if (!own.isEmpty()) {
      names.put(name.getKey(), own);
    }
    if (!names.isEmpty()) {
      addresses.put(address.getKey(), names);
    }
    size--;
    return turn;
  }

  /** Takes all out of the line that are no longer to be served. */
  List<Turn> removeIf(Predicate<Turn> gone) {
    List<Turn> removed = new ArrayList<>();
    for (Iterator<Map<String, ArrayDeque<Turn>>> each = addresses.values().iterator();
        each.hasNext(); ) {
      Map<String, ArrayDeque<Turn>> names = each.next();
      for (ArrayDeque<Turn> own : names.values()) {
        own.removeIf(turn -> {
          boolean leaves = gone.test(turn);
          if (leaves) {
            removed.add(turn);
          }
          return leaves;
        });
      }
      names.values().removeIf(ArrayDeque::isEmpty);
      if (names.isEmpty()) {
        each.remove();
      }
    }
    size -= removed.size();
    return removed;
  }

  int size() {
    return size;
  }
}
