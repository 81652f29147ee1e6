package io.millrace.pipelines.loki;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.plugins.Plugin;
import org.opensearch.plugins.PluginsService;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.RestResponse;
import org.opensearch.test.OpenSearchSingleNodeTestCase;
import org.opensearch.test.rest.FakeRestChannel;
import org.opensearch.test.rest.FakeRestRequest;
import org.opensearch.transport.client.node.NodeClient;

/** What an agent is told, and what stands in the index then. */
public class LokiNodeTests extends OpenSearchSingleNodeTestCase {
  private static final String PREFIX = "millrace.pipelines.loki.";
  private static final String JSON = "application/json";

  @Override
  protected Collection<Class<? extends Plugin>> getPlugins() {
    return List.of(LokiHost.class);
  }

  private RestResponse push(String type, byte[] body) throws Exception {
    LokiFeature feature =
        getInstanceFromNode(PluginsService.class).filterPlugins(LokiHost.class).get(0).feature();
    FakeRestRequest request =
        new FakeRestRequest.Builder(xContentRegistry())
            .withMethod(RestRequest.Method.POST)
            .withPath(RestLokiPushAction.PATH)
            .withHeaders(Map.of("Content-Type", List.of(type), "X-Scope-OrgID", List.of("team")))
            .withContent(new BytesArray(body), null)
            .build();
    FakeRestChannel channel = new FakeRestChannel(request, true, 1);
    new RestLokiPushAction(feature)
        .handleRequest(request, channel, getInstanceFromNode(NodeClient.class));
    assertBusy(() -> assertNotNull(channel.capturedResponse()), 60, TimeUnit.SECONDS);
    return channel.capturedResponse();
  }

  private long count(String pattern) {
    client().admin().indices().prepareRefresh(pattern).get();
    return client()
        .prepareSearch(pattern)
        .setQuery(QueryBuilders.termQuery("level", "info"))
        .setSize(0)
        .get()
        .getHits()
        .getTotalHits()
        .value();
  }

  private void set(String key, Object value) {
    client()
        .admin()
        .cluster()
        .prepareUpdateSettings()
        .setTransientSettings(
            Settings.builder().put(PREFIX + key, value == null ? null : value.toString()))
        .get();
  }

  public void testLinesAreWrittenOnceHoweverOftenTheyAreSent() throws Exception {
    long now = TimeUnit.MILLISECONDS.toSeconds(System.currentTimeMillis());
    byte[] body =
        PushWire.block(PushWire.request("{app=\"a\",level=\"info\"}", now, "x", "x", "y"));
    for (int i = 0; i < 3; i++) {
      RestResponse response = push("application/x-protobuf", body);
      assertEquals(response.content().utf8ToString(), RestStatus.NO_CONTENT, response.status());
    }
    assertEquals(3, count("logs-loki-*"));
    byte[] json =
        "{\"streams\":[{\"stream\":{\"level\":\"info\"},\"values\":[[\"%d\",\"z\"]]}]}"
            .formatted(TimeUnit.SECONDS.toNanos(now))
            .getBytes(StandardCharsets.UTF_8);
    assertEquals(RestStatus.NO_CONTENT, push(JSON, json).status());
    assertEquals(4, count("logs-loki-*"));
  }

  public void testRefusedLinesAreNamedAndTheOthersWritten() throws Exception {
    createIndex("strict");
    client()
        .admin()
        .indices()
        .preparePutMapping("strict")
        .setSource(
            "{\"properties\":{\"labels\":{\"properties\":{\"n\":{\"type\":\"long\"}}}}}",
            MediaTypeRegistry.JSON)
        .get();
    set("index", "strict");
    try {
      String stream = "{\"stream\":{\"level\":\"info\",\"n\":\"%s\"},\"values\":[[\"1\",\"z\"]]}";
      String body = "{\"streams\":[" + stream.formatted("5") + "," + stream.formatted("no") + "]}";
      RestResponse response = push(JSON, body.getBytes(StandardCharsets.UTF_8));
      assertEquals(RestStatus.BAD_REQUEST, response.status());
      String said = response.content().utf8ToString();
      assertTrue(said, said.startsWith("[1] lines are refused, [1] are written"));
      assertEquals(1, count("strict"));
    } finally {
      set("index", null);
    }
  }

  public void testWhatCannotBeReadIsRefusedWithTheReason() throws Exception {
    set("max_uncompressed", "1kb");
    try {
      byte[] large = PushWire.block(PushWire.request("{}", 1, "x".repeat(2_000)));
      RestResponse response = push("application/x-protobuf", large);
      assertEquals(RestStatus.BAD_REQUEST, response.status());
      assertTrue(response.content().utf8ToString().contains(PREFIX + "max_uncompressed"));
    } finally {
      set("max_uncompressed", null);
    }
    assertEquals(RestStatus.BAD_REQUEST, push("application/x-protobuf", new byte[] {1}).status());
    assertEquals(RestStatus.UNSUPPORTED_MEDIA_TYPE, push("text/plain", new byte[1]).status());
  }

  public void testOffRefusesWithTheSwitch() throws Exception {
    set("enabled", false);
    try {
      RestResponse response = push(JSON, "{}".getBytes(StandardCharsets.UTF_8));
      assertEquals(RestStatus.BAD_REQUEST, response.status());
      assertTrue(response.content().utf8ToString().contains(PREFIX + "enabled"));
    } finally {
      set("enabled", null);
    }
  }
}
