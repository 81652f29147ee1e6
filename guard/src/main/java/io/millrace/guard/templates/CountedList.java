package io.millrace.guard.templates;

import java.util.AbstractList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A list of which a template's rendering sees every value that is read. */
final class CountedList extends AbstractList<@Nullable Object> {
  private final List<?> in;
  private final Rendering rendering;

  CountedList(List<?> in, Rendering rendering) {
    this.in = in;
    this.rendering = rendering;
  }

  @Override
  public @Nullable Object get(int index) {
    return rendering.read(null, in.get(index));
  }

  @Override
  public int size() {
    return in.size();
  }

  @Override
  public Iterator<@Nullable Object> iterator() {
    return new CountedIterator(in.iterator(), rendering);
  }
}
