package io.millrace.storage.columnarsource;

import io.millrace.kernel.slot.PartialSource;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.opensearch.common.xcontent.support.XContentMapValues;
import org.opensearch.core.common.Strings;
import org.opensearch.index.fieldvisitor.FieldsVisitor;

/**
 * The fields of a source of which a {@code _source} filter may leave something
 * (XContentMapValues#filter at 3.8.0). Stock filters what is read afterwards, so a field too many
 * costs its decoding, and none may be missing. One for a fetch, which belongs to one thread.
 */
final class WantedFields implements PartialSource {
  private final String[] includes;
  private final String[] excludes;
  private final Function<Map<String, ?>, Map<String, Object>> withoutExcluded;
  private final Map<String, Part> known = new HashMap<>();

  /**
   * Keeps both arrays, which tell whose filter this is.
   *
   * @param includes paths with {@code *}; empty for all
   * @param excludes paths with {@code *}
   */
  WantedFields(String[] includes, String[] excludes) {
    this.includes = includes;
    this.excludes = excludes;
    withoutExcluded = XContentMapValues.filter(Strings.EMPTY_ARRAY, excludes, true);
  }

  /** Whether a visitor was made for this filter; those of inner hits and scripts are not. */
  boolean askedBy(FieldsVisitor visitor) {
    return visitor.includes() == includes && visitor.excludes() == excludes;
  }

  @Override
  public boolean wants(String key) {
    return part(key) != Part.NONE;
  }

  @Override
  public Part part(String path) {
    // keys of documents may be data: what is remembered stays small
    return known.size() < 1_000 ? known.computeIfAbsent(path, this::decide) : decide(path);
  }

  private Part decide(String path) {
    // what is excluded as a scalar is excluded whatever its value is
    if (withoutExcluded.apply(Map.of(path, "")).isEmpty()) {
      return Part.NONE;
    }
    boolean all = includes.length == 0;
    boolean some = all;
    for (String pattern : includes) {
      all |= covers(pattern, path);
      some |= isBelow(pattern, path);
    }
    if (!all && !some) {
      return Part.NONE;
    }
    for (String pattern : excludes) {
      all &= !covers(pattern, path) && !isBelow(pattern, path);
    }
    return all ? Part.ALL : Part.SOME;
  }

  /** Whether a pattern may match a field with all that is in it; what follows a star may be it. */
  private static boolean covers(String pattern, String path) {
    int star = pattern.indexOf('*');
    return star < 0
        ? path.equals(pattern) || path.startsWith(pattern + '.')
        : path.startsWith(pattern.substring(0, star));
  }

  /** Whether a pattern may match something inside a field. */
  private static boolean isBelow(String pattern, String path) {
    int star = pattern.indexOf('*');
    return (star < 0 ? pattern : pattern.substring(0, star)).startsWith(path + '.');
  }
}
