package io.millrace.guard.phases;

import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;
import org.opensearch.search.builder.SearchSourceBuilder;

/**
 * What a search asks, as JSON. Several features read it, for the same search and for each of its
 * shards on a node, and writing it takes longer than what they do with it: the last few are kept.
 */
public final class AskedText {
  private static final int KEPT = 64;

  /** Longer ones are written anew, so that those kept take a megabyte at most. */
  private static final int LONGEST = 8 * 1024;

  private record Entry(WeakReference<SearchSourceBuilder> source, String text) {}

  private static final AtomicReferenceArray<@Nullable Entry> LAST =
      new AtomicReferenceArray<>(KEPT);

  private AskedText() {}

  /** Of a search; empty for one that says nothing. */
  public static String of(@Nullable SearchSourceBuilder source) {
    if (source == null) {
      return "";
    }
    int place = Math.floorMod(System.identityHashCode(source), KEPT);
    Entry last = LAST.get(place);
    if (last != null && last.source.refersTo(source)) {
      return last.text;
    }
    String text = source.toString();
    if (text.length() <= LONGEST) {
      LAST.set(place, new Entry(new WeakReference<>(source), text));
    }
    return text;
  }
}
