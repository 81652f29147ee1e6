package io.millrace.write.lenientparsing;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What {@link Fitting} does with documents as trees ({@link LooseJson}), without their mapping. */
final class DocumentTrees {
  private DocumentTrees() {}

  /** The fields of both; those of the other win. */
  static Map<String, Object> union(Map<String, Object> one, Map<String, Object> other) {
    Map<String, Object> union = new LinkedHashMap<>(one);
    union.putAll(other);
    return union;
  }

  /** Puts a value beside the one that a name may have already. */
  static void add(Map<String, Object> object, String name, @Nullable Object value) {
    if (object.containsKey(name)) {
      List<Object> both = new ArrayList<>(LooseJson.asList(object.get(name)));
      both.addAll(LooseJson.asList(value));
      object.put(name, both);
    } else {
      object.put(name, value);
    }
  }

  /** How many values and objects a tree holds. */
  static int size(@Nullable Object value) {
    if (value instanceof Map<?, ?> map) {
      return 1 + map.values().stream().mapToInt(DocumentTrees::size).sum();
    }
    return value instanceof List<?> list
        ? 1 + list.stream().mapToInt(DocumentTrees::size).sum()
        : 1;
  }

  /**
   * Whether objects stand in a list, or in lists within it: stock reads all of them as one list.
   */
  static boolean holdsObjects(List<?> list) {
    return list.stream()
        .anyMatch(element ->
            element instanceof Map || (element instanceof List<?> inner && holdsObjects(inner)));
  }

  /** A copy of an object without these fields, and without the objects that only held such. */
  @SuppressWarnings("unchecked")
  static Map<String, Object> without(
      Map<String, Object> object, Set<String> fields, String prefix) {
    Map<String, Object> out = new LinkedHashMap<>();
    object.forEach((name, value) -> {
      String path = prefix + name;
      if (fields.contains(path)) {
        return;
      }
      if (value instanceof Map<?, ?> map && !map.isEmpty()) {
        Map<String, Object> inner = without((Map<String, Object>) map, fields, path + ".");
        if (!inner.isEmpty()) {
          out.put(name, inner);
        }
      } else if (value instanceof List<?> list && holdsObjects(list)) {
        List<Object> inner = without(list, fields, path + ".");
        if (!inner.isEmpty()) {
          out.put(name, inner);
        }
      } else {
        out.put(name, value);
      }
    });
    return out;
  }

  @SuppressWarnings("unchecked")
  private static List<Object> without(List<?> list, Set<String> fields, String prefix) {
    List<Object> out = new ArrayList<>();
    for (Object element : list) {
      if (element instanceof Map<?, ?> map) {
        Map<String, Object> left = without((Map<String, Object>) map, fields, prefix);
        // one that was empty before is still to be judged: another copy may have room for all
        // fields, and must come to the same answer
        if (!left.isEmpty() || map.isEmpty()) {
          out.add(left);
        }
      } else {
        out.add(element instanceof List<?> inner ? without(inner, fields, prefix) : element);
      }
    }
    return out;
  }
}
