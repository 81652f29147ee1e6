package io.millrace.guard.templates;

import java.util.AbstractCollection;
import java.util.Collection;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/** A collection of which a template's rendering sees every value that is read. */
final class CountedCollection extends AbstractCollection<@Nullable Object> {
  private final Collection<?> in;
  private final Rendering rendering;

  CountedCollection(Collection<?> in, Rendering rendering) {
    this.in = in;
    this.rendering = rendering;
  }

  @Override
  public Iterator<@Nullable Object> iterator() {
    return new CountedIterator(in.iterator(), rendering);
  }

  @Override
  public int size() {
    return in.size();
  }
}
