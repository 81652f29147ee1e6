package io.millrace.kernel.hooks;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** Something that features declare with a place in a named order. */
record Placed<P extends Enum<P>, T>(P place, T value) {

  /** The values by their places, the first place first. */
  static <P extends Enum<P>, T> List<T> inOrder(Collection<Placed<P, T>> placed) {
    return placed.stream().sorted(Comparator.comparing(Placed::place)).map(Placed::value).toList();
  }
}
