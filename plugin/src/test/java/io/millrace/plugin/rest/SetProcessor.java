package io.millrace.plugin.rest;

import java.util.Map;
import org.opensearch.ingest.AbstractProcessor;
import org.opensearch.ingest.ConfigurationUtils;
import org.opensearch.ingest.IngestDocument;
import org.opensearch.ingest.Processor;
import org.opensearch.plugins.IngestPlugin;
import org.opensearch.plugins.Plugin;

/** The little of ingest-common's {@code set} that the tests use, so that they run without it. */
final class SetProcessor extends AbstractProcessor {
  private final String field;
  private final String value;

  private SetProcessor(String tag, String description, String field, String value) {
    super(tag, description);
    this.field = field;
    this.value = value;
  }

  @Override
  public IngestDocument execute(IngestDocument document) {
    document.setFieldValue(field, value);
    return document;
  }

  @Override
  public String getType() {
    return "set";
  }

  /** Brings the processor into a test node. */
  public static final class TestPlugin extends Plugin implements IngestPlugin {
    @Override
    public Map<String, Processor.Factory> getProcessors(Processor.Parameters parameters) {
      return Map.of(
          "set",
          (registry, tag, description, config) ->
              new SetProcessor(
                  tag,
                  description,
                  ConfigurationUtils.readStringProperty("set", tag, config, "field"),
                  ConfigurationUtils.readStringProperty("set", tag, config, "value")));
    }
  }
}
