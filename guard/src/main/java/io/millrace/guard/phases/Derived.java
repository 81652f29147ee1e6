package io.millrace.guard.phases;

import java.io.IOException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.opensearch.search.builder.SearchSourceBuilder;

/**
 * What a feature derives from the JSON of a search and keeps for searches of the same {@link
 * Outline}: clients send the same few again and again, with other words and times, and writing one
 * as JSON takes several times longer than finding its outline.
 *
 * <p>What is derived must not depend on the words and times that are searched for.
 *
 * @param <T> what is derived
 */
public final class Derived<T> {
  private static final int KEPT = 1_024;

  private record Entry<T>(long outline, T value) {}

  private final Function<String, T> derivation;
  private final T ofNothing;
  private final long seed = ThreadLocalRandom.current().nextLong();
  private final AtomicReferenceArray<@Nullable Entry<T>> last = new AtomicReferenceArray<>(KEPT);

  /**
   * Nothing is derived yet.
   *
   * @param derivation from the JSON of a search; from an empty text for one that says nothing
   */
  public Derived(Function<String, T> derivation) {
    this.derivation = derivation;
    this.ofNothing = derivation.apply("");
  }

  /** Of a search. */
  public T of(@Nullable SearchSourceBuilder source) {
    if (source == null) {
      return ofNothing;
    }
    long outline;
    try {
      outline = Outline.of(source, seed);
    } catch (IOException | RuntimeException e) {
      return derivation.apply(source.toString()); // one that cannot be sent to another node
    }
    int place = (int) (outline & (KEPT - 1));
    Entry<T> entry = last.get(place);
    if (entry == null || entry.outline != outline) {
      entry = new Entry<>(outline, derivation.apply(source.toString()));
      last.set(place, entry);
    }
    return entry.value;
  }
}
