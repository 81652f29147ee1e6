package io.millrace.pipelines.spanfilter;

import java.util.Base64;
import java.util.Collection;
import java.util.List;
import org.opensearch.action.ingest.PutPipelineRequest;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.plugins.Plugin;
import org.opensearch.test.OpenSearchSingleNodeTestCase;

/** The processor in a pipeline of a node. */
public class SpanFilterNodeTests extends OpenSearchSingleNodeTestCase {
  private static final String SWITCH = "millrace.pipelines.span_filter.enabled";

  /** An entry span 0 and a local span 1 named {@code x} below it. */
  private static final byte[] SEGMENT = {
    0x0a, 1, 't', 0x1a, 11, 0x10, -1, -1, -1, -1, -1, -1, -1, -1, -1, 1, 0x1a, 7, 8, 1, 0x32, 1,
    'x', 0x40, 2
  };

  @Override
  protected Collection<Class<? extends Plugin>> getPlugins() {
    return List.of(SpanFilterHost.class);
  }

  private int stored(String id) {
    client()
        .prepareIndex("sw_segment")
        .setId(id)
        .setPipeline("quiet")
        .setSource("data_binary", Base64.getEncoder().encodeToString(SEGMENT))
        .get();
    Object value = client().prepareGet("sw_segment", id).get().getSource().get("data_binary");
    return Base64.getDecoder().decode((String) value).length;
  }

  public void testSpansGoWhileItIsOn() {
    client()
        .admin()
        .cluster()
        .putPipeline(
            new PutPipelineRequest(
                "quiet",
                new BytesArray("{\"processors\":[{\"sw_span_filter\":{\"names\":[\"x\"]}}]}"),
                MediaTypeRegistry.JSON))
        .actionGet();
    assertTrue(stored("1") < SEGMENT.length);
    set(false);
    assertEquals(SEGMENT.length, stored("2"));
    set(null);
  }

  private void set(Boolean on) {
    client()
        .admin()
        .cluster()
        .prepareUpdateSettings()
        .setTransientSettings(Settings.builder().put(SWITCH, on == null ? null : on.toString()))
        .get();
  }
}
