package io.millrace.pipelines.spanfilter;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.ingest.AbstractProcessor;
import org.opensearch.ingest.ConfigurationUtils;
import org.opensearch.ingest.IngestDocument;

/** The processor {@code sw_span_filter}. A document that it cannot read passes as it is. */
final class SpanFilterProcessor extends AbstractProcessor {
  static final String TYPE = "sw_span_filter";

  private final String field;
  private final SpanRule rule;
  private final SpanFilterFeature feature;

  private SpanFilterProcessor(
      @Nullable String tag,
      @Nullable String description,
      String field,
      SpanRule rule,
      SpanFilterFeature feature) {
    super(tag, description);
    this.field = field;
    this.rule = rule;
    this.feature = feature;
  }

  /**
   * Reads a processor of a pipeline.
   *
   * @throws org.opensearch.OpenSearchParseException naming the part that cannot be used
   */
  static SpanFilterProcessor parse(
      @Nullable String tag,
      @Nullable String description,
      Map<String, Object> config,
      SpanFilterFeature feature) {
    String field = ConfigurationUtils.readStringProperty(TYPE, tag, config, "field", "data_binary");
    Set<Integer> components = new HashSet<>();
    for (Object id : list(tag, config, "components")) {
      if (!(id instanceof Number number)) {
        throw wrong(tag, "components", "[" + id + "] is no id of a component");
      }
      components.add(number.intValue());
    }
    Set<Integer> layers = new HashSet<>();
    for (Object name : list(tag, config, "layers")) {
      int number = SpanRule.LAYERS.indexOf(String.valueOf(name).toLowerCase(Locale.ROOT));
      if (number < 0) {
        throw wrong(tag, "layers", "[" + name + "] is none of " + SpanRule.LAYERS);
      }
      layers.add(number);
    }
    List<String> names = list(tag, config, "names").stream().map(String::valueOf).toList();
    String below = ConfigurationUtils.readOptionalStringProperty(TYPE, tag, config, "below");
    int keep = ConfigurationUtils.readIntProperty(TYPE, tag, config, "keep_one_of", 0);
    if (keep < 0) {
      throw wrong(tag, "keep_one_of", "[" + keep + "] is below 0");
    }
    if (components.isEmpty() && layers.isEmpty() && names.isEmpty()) {
      throw wrong(tag, "components", "give components, layers or names of the spans that may go");
    }
    long millis;
    try {
      millis =
          below == null
              ? Long.MAX_VALUE
              : TimeValue.parseTimeValue(below, TYPE + ".below").millis();
    } catch (IllegalArgumentException e) {
      throw wrong(tag, "below", String.valueOf(e.getMessage()));
    }
    return new SpanFilterProcessor(
        tag, description, field, new SpanRule(components, layers, names, millis, keep), feature);
  }

  private static List<?> list(@Nullable String tag, Map<String, Object> config, String name) {
    List<?> list = ConfigurationUtils.readOptionalList(TYPE, tag, config, name);
    return list == null ? List.of() : new ArrayList<>(list);
  }

  private static RuntimeException wrong(@Nullable String tag, String property, String why) {
    return ConfigurationUtils.newConfigurationException(TYPE, tag, property, why);
  }

  @Override
  public IngestDocument execute(IngestDocument document) {
    if (!feature.enabled().on()) {
      return document;
    }
    Object value = document.getFieldValue(field, Object.class, true);
    if (!(value instanceof String text)) {
      feature.counters().unread();
      return document;
    }
    try {
      byte[] segment = Base64.getDecoder().decode(text);
      SegmentFilter.Filtered filtered = SegmentFilter.filter(segment, rule);
      feature.counters().add(filtered, segment.length);
      if (filtered.dropped() > 0) {
        document.setFieldValue(field, Base64.getEncoder().encodeToString(filtered.bytes()));
      }
    } catch (IOException | IllegalArgumentException e) {
      feature.counters().unread();
    }
    return document;
  }

  @Override
  public String getType() {
    return TYPE;
  }
}
