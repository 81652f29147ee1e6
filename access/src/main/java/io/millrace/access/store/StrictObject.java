package io.millrace.access.store;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads an object that came as JSON, with errors that name field, value and remedy. */
final class StrictObject {
  private final String what;
  private final Map<String, Object> values;

  /**
   * @param what how errors name the object: {@code role [writers]}
   * @param known the fields that it may have
   * @throws IllegalArgumentException for a field that it does not have
   */
  StrictObject(String what, Map<String, Object> values, Set<String> known) {
    this.what = what;
    this.values = values;
    for (String name : values.keySet()) {
      if (!known.contains(name)) {
        throw new IllegalArgumentException(
            what + ": unknown field [" + name + "]; it has " + known.stream().sorted().toList());
      }
    }
  }

  /** A list of strings; empty where it is missing. */
  List<String> strings(String name) {
    Object value = values.get(name);
    if (value == null) {
      return List.of();
    }
    if (value instanceof String one) {
      return List.of(one);
    }
    if (value instanceof List<?> list && list.stream().allMatch(String.class::isInstance)) {
      return list.stream().map(String.class::cast).toList();
    }
    throw wrong(name, "a list of strings");
  }

  /** A list of objects; empty where it is missing. */
  @SuppressWarnings("unchecked") // JSON objects have string keys
  List<Map<String, Object>> objects(String name) {
    Object value = values.get(name);
    if (value == null) {
      return List.of();
    }
    if (value instanceof List<?> list && list.stream().allMatch(Map.class::isInstance)) {
      return list.stream().map(each -> (Map<String, Object>) each).toList();
    }
    throw wrong(name, "a list of objects");
  }

  @Nullable String string(String name) {
    Object value = values.get(name);
    if (value == null || value instanceof String) {
      return (String) value;
    }
    throw wrong(name, "a string");
  }

  long number(String name, long byDefault) {
    Object value = values.get(name);
    if (value == null) {
      return byDefault;
    }
    if (value instanceof Number number) {
      return number.longValue();
    }
    throw wrong(name, "a number");
  }

  private IllegalArgumentException wrong(String name, String wanted) {
    Object value = values.get(name);
    return new IllegalArgumentException(
        what
            + ": ["
            + name
            + "] is a "
            + (value == null ? "null" : value.getClass().getSimpleName())
            + "; give "
            + wanted);
  }
}
