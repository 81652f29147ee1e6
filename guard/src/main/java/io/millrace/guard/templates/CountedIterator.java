package io.millrace.guard.templates;

import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/** A loop of which a template's rendering sees every pass. */
record CountedIterator(Iterator<?> in, Rendering rendering) implements Iterator<@Nullable Object> {
  @Override
  public boolean hasNext() {
    return in.hasNext();
  }

  @Override
  public @Nullable Object next() {
    return rendering.pass(in.next());
  }
}
