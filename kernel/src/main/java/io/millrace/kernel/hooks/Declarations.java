package io.millrace.kernel.hooks;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Things of one kind that features declared, in the order in which they did; each name belongs to
 * one of them.
 */
final class Declarations<T> {
  private record Owned<T>(String owner, T value) {}

  private final HookRegistry registry;
  private final String kind;
  private final List<T> values = new ArrayList<>();
  private final Map<String, Owned<T>> named = new LinkedHashMap<>();

  Declarations(HookRegistry registry, String kind) {
    this.registry = registry;
    this.kind = kind;
  }

  /**
   * Adds a value that has no name.
   *
   * @throws IllegalStateException when no feature is declaring
   */
  void add(T value) {
    registry.declaring();
    values.add(value);
  }

  /**
   * Adds a value under its names. The same value again is no second one: features may share a part.
   *
   * @throws IllegalArgumentException when a name is taken by another value, naming both owners
   * @throws IllegalStateException when no feature is declaring
   */
  void add(T value, String... names) {
    add(value, List.of(names));
  }

  /** As {@link #add(Object, String...)}. */
  void add(T value, Iterable<String> names) {
    String owner = registry.declaring();
    boolean known = false;
    for (String name : names) {
      Owned<T> taken = named.putIfAbsent(name, new Owned<>(owner, value));
      if (taken != null && taken.value() != value) {
        throw new IllegalArgumentException(
            "["
                + taken.owner()
                + "] and ["
                + owner
                + "] both declare the "
                + kind
                + " ["
                + name
                + "]; a name belongs to one feature: rename one of them");
      }
      known |= taken != null;
    }
    if (!known) {
      values.add(value);
    }
  }

  /** Every value once. */
  List<T> values() {
    return Collections.unmodifiableList(values);
  }

  /** Every value under each of its names. */
  Map<String, T> byName() {
    return byName(Function.identity());
  }

  /** What is made of every value, under each of its names. */
  <R> Map<String, R> byName(Function<T, R> made) {
    Map<String, R> all = new LinkedHashMap<>();
    named.forEach((name, owned) -> all.put(name, made.apply(owned.value())));
    return Collections.unmodifiableMap(all);
  }
}
