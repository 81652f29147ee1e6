package io.millrace.plugin.example;

import java.util.Locale;
import java.util.Map;
import org.opensearch.ingest.AbstractProcessor;
import org.opensearch.ingest.ConfigurationUtils;
import org.opensearch.ingest.IngestDocument;
import org.opensearch.ingest.Processor;

/** {@code {"severity": {"field": "level"}}}: the field in upper case; a line without it passes. */
final class SeverityProcessor extends AbstractProcessor {
  static final String TYPE = "severity";

  private final String field;

  SeverityProcessor(
      Map<String, Processor.Factory> others,
      String tag,
      String description,
      Map<String, Object> config) {
    super(tag, description);
    field = ConfigurationUtils.readStringProperty(TYPE, tag, config, "field");
  }

  @Override
  public IngestDocument execute(IngestDocument document) {
    String severity = document.getFieldValue(field, String.class, true);
    if (severity != null) {
      document.setFieldValue(field, severity.toUpperCase(Locale.ROOT));
    }
    return document;
  }

  @Override
  public String getType() {
    return TYPE;
  }
}
