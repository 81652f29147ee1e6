package io.millrace.write.fastengine;

import java.io.IOException;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.xcontent.XContentHelper;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.xcontent.ToXContent;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.index.mapper.FieldMapper;

/**
 * The parameters of a mapper as {@code GET _mapping?include_defaults} prints them: the one public
 * place where all of them can be read.
 */
final class FieldParameters {
  private static final ToXContent.Params WITH_DEFAULTS =
      new ToXContent.MapParams(Map.of("include_defaults", "true"));

  private final Map<String, Object> values;

  private FieldParameters(Map<String, Object> values) {
    this.values = values;
  }

  /** Reads a mapper's parameters; throws what its own rendering throws. */
  static FieldParameters of(FieldMapper mapper) throws IOException {
    try (XContentBuilder builder = XContentBuilder.builder(XContentType.JSON.xContent())) {
      builder.startObject();
      mapper.toXContent(builder, WITH_DEFAULTS);
      builder.endObject();
      Map<String, Object> rendered =
          XContentHelper.convertToMap(BytesReference.bytes(builder), false, XContentType.JSON).v2();
      Object body = rendered.values().stream().findFirst().orElse(null);
      if (body instanceof Map<?, ?> map) {
        @SuppressWarnings("unchecked")
        Map<String, Object> parameters = (Map<String, Object>) map;
        return new FieldParameters(parameters);
      }
      return new FieldParameters(Map.of());
    }
  }

  /** Whether there is no parameter beside the given ones: a new one may change what is indexed. */
  boolean hasOnly(Set<String> known) {
    return known.containsAll(values.keySet());
  }

  /** A flag; false where it is not printed. */
  boolean flag(String name) {
    return flag(name, false);
  }

  /** A flag, or what it is where it is not printed: metadata mappers print no defaults. */
  boolean flag(String name, boolean absent) {
    Object value = values.get(name);
    return value == null ? absent : Boolean.parseBoolean(value.toString());
  }

  /** A parameter as text, null if it is absent or null. */
  @Nullable String text(String name) {
    Object value = values.get(name);
    return value == null ? null : value.toString();
  }

  /** A nested parameter as text, null if absent. */
  @Nullable String text(String name, String inner) {
    return values.get(name) instanceof Map<?, ?> map && map.get(inner) != null
        ? String.valueOf(map.get(inner))
        : null;
  }
}
