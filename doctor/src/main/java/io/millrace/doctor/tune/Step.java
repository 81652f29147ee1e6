package io.millrace.doctor.tune;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Changes that are made together, and what is needed to take them back.
 *
 * @param kind what is changed, and how
 * @param names indices, or the one template
 * @param changes the lines of the diff
 * @param before the whole template as the server gave it; null for indices, and for a template that
 *     is new
 * @param after the whole template as it is to be; null for indices
 */
public record Step(
    Kind kind,
    List<String> names,
    List<SettingDiff> changes,
    @Nullable JsonNode before,
    @Nullable JsonNode after) {
  /** What is changed, and how. */
  public enum Kind {
    /** Settings of open indices. */
    INDICES("/%s/_settings"),
    /** Settings of one index that is closed for it and opened again. */
    CLOSED_INDEX("/%s/_settings"),
    /** An index template. */
    TEMPLATE("/_index_template/%s"),
    /** A template of the older kind, of which all that match are merged. */
    LEGACY_TEMPLATE("/_template/%s");

    private final String path;

    Kind(String path) {
      this.path = path;
    }

    /** The path of something of this kind. */
    String path(String name) {
      return String.format(java.util.Locale.ROOT, path, name);
    }

    /** Whether it is a template. */
    boolean template() {
      return this == TEMPLATE || this == LEGACY_TEMPLATE;
    }
  }

  public Step {
    names = List.copyOf(names);
    changes = List.copyOf(changes);
    // what a journal read back says where there is none
    before = before == null || before.isNull() ? null : before;
    after = after == null || after.isNull() ? null : after;
  }

  /** What is set, keys in full. */
  Map<String, @Nullable String> wanted() {
    Map<String, @Nullable String> values = new TreeMap<>();
    changes.forEach(change -> values.put(change.key(), change.to()));
    return values;
  }

  /** What was set before. */
  Map<String, @Nullable String> former() {
    Map<String, @Nullable String> values = new TreeMap<>();
    changes.forEach(change -> values.put(change.key(), change.from()));
    return values;
  }
}
