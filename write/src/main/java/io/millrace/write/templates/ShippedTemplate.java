package io.millrace.write.templates;

import io.millrace.kernel.profile.Profile;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.opensearch.cluster.metadata.ComposableIndexTemplate;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.cluster.metadata.Template;
import org.opensearch.common.hash.MessageDigests;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.xcontent.XContentHelper;
import org.opensearch.common.xcontent.json.JsonXContent;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.xcontent.DeprecationHandler;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.core.xcontent.XContentParser;

/**
 * An index template as this version brings it. It carries a digest of its own content in {@code
 * _meta}: so a copy in the cluster that somebody has edited is told from one that nobody has
 * touched, by any node and without a record elsewhere.
 */
public final class ShippedTemplate {
  private static final String DIGEST = "content";

  private final String name;
  private final ComposableIndexTemplate body;

  private ShippedTemplate(String name, ComposableIndexTemplate body) {
    this.name = name;
    this.body = body;
  }

  /** All of this version. */
  static List<ShippedTemplate> all() {
    return List.of(read(Profile.LOGS), read(Profile.TRACES));
  }

  private static ShippedTemplate read(Profile profile) {
    try (XContentParser parser =
        JsonXContent.jsonXContent.createParser(
            NamedXContentRegistry.EMPTY,
            DeprecationHandler.IGNORE_DEPRECATIONS,
            text(profile).getBytes(StandardCharsets.UTF_8))) {
      return new ShippedTemplate(
          "millrace-" + profile.key(), signed(ComposableIndexTemplate.parse(parser)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String text(Profile profile) throws IOException {
    String file = profile.key() + ".json";
    try (InputStream in = ShippedTemplate.class.getResourceAsStream(file)) {
      return new String(Objects.requireNonNull(in, file).readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /**
   * The mapping that the template of a profile brings; empty for a profile without a template.
   *
   * @throws UncheckedIOException when the plugin's jar is damaged
   */
  public static Map<String, Object> mapping(Profile profile) {
    return all().stream()
        .filter(template -> template.name.equals("millrace-" + profile.key()))
        .findFirst()
        .map(template -> mapping(template.body))
        .orElse(Map.of());
  }

  /** Its name in the cluster. */
  String name() {
    return name;
  }

  /** What is put into the cluster. */
  ComposableIndexTemplate body() {
    return body;
  }

  /** Whether a template of this name is ours as some version installed it, and older than this. */
  boolean replaces(ComposableIndexTemplate present) {
    return untouched(present) && version(present) < version(body);
  }

  private static long version(ComposableIndexTemplate template) {
    Long version = template.version();
    return version == null ? 0 : version;
  }

  /** Whether a template is as some version of this plugin installed it. */
  static boolean untouched(ComposableIndexTemplate present) {
    Map<String, Object> meta = present.metadata();
    return meta != null && digest(present).equals(meta.get(DIGEST));
  }

  static ComposableIndexTemplate signed(ComposableIndexTemplate plain) {
    Map<String, Object> meta = new LinkedHashMap<>(Objects.requireNonNull(plain.metadata()));
    meta.put(DIGEST, digest(plain));
    return new ComposableIndexTemplate(
        plain.indexPatterns(),
        plain.template(),
        plain.composedOf(),
        plain.priority(),
        plain.version(),
        meta,
        plain.getDataStreamTemplate());
  }

  /** Over what the template says, in whatever form the cluster keeps it. */
  private static String digest(ComposableIndexTemplate template) {
    Map<String, Object> content = new TreeMap<>();
    content.put("index_patterns", template.indexPatterns());
    content.put("priority", template.priorityOrZero());
    content.put("version", version(template));
    content.put("composed_of", orNone(template.composedOf()));
    content.put("data_stream", template.getDataStreamTemplate() != null);
    Map<String, Object> meta = new TreeMap<>(orNone(template.metadata()));
    meta.remove(DIGEST);
    content.put("_meta", meta);
    Template inner = template.template();
    if (inner != null) {
      content.put("aliases", orNone(inner.aliases()).keySet().stream().sorted().toList());
      content.put("settings", settings(inner.settings()));
      content.put("mappings", mapping(template));
    }
    return MessageDigests.toHexString(
            MessageDigests.sha256().digest(canonical(content).getBytes(StandardCharsets.UTF_8)))
        .substring(0, 16);
  }

  private static <T> List<T> orNone(@Nullable List<T> list) {
    return list == null ? List.of() : list;
  }

  private static <T> Map<String, T> orNone(@Nullable Map<String, T> map) {
    return map == null ? Map.of() : map;
  }

  private static Map<String, Object> settings(@Nullable Settings settings) {
    Map<String, Object> out = new TreeMap<>();
    if (settings != null) {
      Settings all =
          Settings.builder()
              .put(settings)
              .normalizePrefix(IndexMetadata.INDEX_SETTING_PREFIX)
              .build();
      all.keySet().forEach(key -> out.put(key, String.valueOf(all.get(key))));
    }
    return out;
  }

  /** The mapping without the type that the cluster wraps it into. */
  @SuppressWarnings("unchecked") // what an XContent parser gives has string keys
  private static Map<String, Object> mapping(ComposableIndexTemplate template) {
    Template inner = template.template();
    if (inner == null || inner.mappings() == null) {
      return Map.of();
    }
    Map<String, Object> mapping =
        XContentHelper.convertToMap(
                new BytesArray(inner.mappings().toString()), true, MediaTypeRegistry.JSON)
            .v2();
    return mapping.size() == 1 && mapping.get("_doc") instanceof Map<?, ?> typed
        ? (Map<String, Object>) typed
        : mapping;
  }

  private static String canonical(@Nullable Object value) {
    StringBuilder out = new StringBuilder();
    if (value instanceof Map<?, ?> map) {
      Map<String, String> sorted = new TreeMap<>();
      map.forEach((key, inner) -> sorted.put(String.valueOf(key), canonical(inner)));
      sorted.forEach((key, inner) -> out.append(key.length()).append(key).append(inner));
      return "{" + out + "}";
    }
    if (value instanceof List<?> list) {
      list.forEach(inner -> out.append(canonical(inner)));
      return "[" + out + "]";
    }
    String text = String.valueOf(value);
    return text.length() + ":" + text;
  }
}
