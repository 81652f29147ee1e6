package io.millrace.it.guard;

import io.millrace.testkit.http.JsonHttp;
import java.io.UncheckedIOException;
import java.util.NoSuchElementException;

/** How full a node's heap is, garbage included, as the node says. */
public final class HeapUse {
  private HeapUse() {}

  /** In percent; 100 while the node does not say. */
  public static int percent(JsonHttp http) {
    try {
      return http.get("/_nodes/stats/jvm")
          .ok()
          .json()
          .path("nodes")
          .elements()
          .next()
          .at("/jvm/mem/heap_used_percent")
          .asInt(100);
    } catch (UncheckedIOException | AssertionError | NoSuchElementException e) {
      return 100;
    }
  }
}
