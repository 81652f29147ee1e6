package io.millrace.guard.templates;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A map of which a template's rendering sees every value that is read. */
final class CountedMap extends AbstractMap<String, @Nullable Object> {
  private final Map<String, Object> in;
  private final Rendering rendering;

  CountedMap(Map<String, Object> in, Rendering rendering) {
    this.in = in;
    this.rendering = rendering;
  }

  @Override
  public @Nullable Object get(Object key) {
    return rendering.read(key, in.get(key));
  }

  @Override
  public boolean containsKey(Object key) {
    return in.containsKey(key);
  }

  @Override
  public int size() {
    return in.size();
  }

  @Override
  public Set<Entry<String, @Nullable Object>> entrySet() {
    return new AbstractSet<>() {
      @Override
      public Iterator<Entry<String, @Nullable Object>> iterator() {
        Iterator<Entry<String, Object>> entries = in.entrySet().iterator();
        return new Iterator<>() {
          @Override
          public boolean hasNext() {
            return entries.hasNext();
          }

          @Override
          public Entry<String, @Nullable Object> next() {
            Entry<String, Object> entry = entries.next();
            rendering.read(null, entry.getKey());
            return new SimpleImmutableEntry<>(
                entry.getKey(), rendering.read(null, entry.getValue()));
          }
        };
      }

      @Override
      public int size() {
        return in.size();
      }
    };
  }
}
