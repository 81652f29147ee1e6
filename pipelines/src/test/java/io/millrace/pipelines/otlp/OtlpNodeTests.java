package io.millrace.pipelines.otlp;

import static io.millrace.pipelines.otlp.Proto.log;
import static io.millrace.pipelines.otlp.Proto.message;
import static io.millrace.pipelines.otlp.Proto.pair;
import static io.millrace.pipelines.otlp.Proto.request;

import com.google.protobuf.CodedInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.plugins.Plugin;
import org.opensearch.plugins.PluginsService;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.RestResponse;
import org.opensearch.test.OpenSearchSingleNodeTestCase;
import org.opensearch.test.rest.FakeRestChannel;
import org.opensearch.test.rest.FakeRestRequest;
import org.opensearch.transport.client.node.NodeClient;

/** What a sender is told, and what stands in the index then. */
public class OtlpNodeTests extends OpenSearchSingleNodeTestCase {
  private static final String PREFIX = "millrace.pipelines.otlp.";

  @Override
  protected Collection<Class<? extends Plugin>> getPlugins() {
    return List.of(OtlpHost.class);
  }

  /** The sender's own answer waits for room; a test does not. */
  @Override
  protected Settings nodeSettings() {
    return Settings.builder().put(PREFIX + "retry_within", "200ms").build();
  }

  private RestResponse send(Signal signal, String type, byte[] body) throws Exception {
    OtlpFeature feature =
        getInstanceFromNode(PluginsService.class).filterPlugins(OtlpHost.class).get(0).feature();
    FakeRestRequest request =
        new FakeRestRequest.Builder(xContentRegistry())
            .withMethod(RestRequest.Method.POST)
            .withPath(signal.path())
            .withHeaders(Map.of("Content-Type", List.of(type)))
            .withContent(new BytesArray(body), null)
            .build();
    FakeRestChannel channel = new FakeRestChannel(request, true, 1);
    new RestOtlpAction(signal, feature)
        .handleRequest(request, channel, getInstanceFromNode(NodeClient.class));
    assertBusy(() -> assertNotNull(channel.capturedResponse()), 60, TimeUnit.SECONDS);
    return channel.capturedResponse();
  }

  private RestResponse proto(byte[] body) throws Exception {
    return send(Signal.LOGS, "application/x-protobuf", body);
  }

  private long count(String pattern) {
    client().admin().indices().prepareRefresh(pattern).get();
    return client().prepareSearch(pattern).setSize(0).get().getHits().getTotalHits().value();
  }

  private static long now() {
    return TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
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

  /** The refused count and the reason of a partial success in protobuf; null for a whole one. */
  private static Map.Entry<Long, String> partial(RestResponse response) throws Exception {
    byte[] body = BytesReference.toBytes(response.content());
    if (body.length == 0) {
      return null;
    }
    CodedInputStream in = CodedInputStream.newInstance(body);
    assertEquals(Slice.sized(1), in.readTag());
    in = CodedInputStream.newInstance(in.readByteArray());
    assertEquals(Slice.varint(1), in.readTag());
    long refused = in.readInt64();
    assertEquals(Slice.sized(2), in.readTag());
    return Map.entry(refused, in.readString());
  }

  public void testAcknowledgedRecordsAreFoundAndASecondSendingAddsNothing() throws Exception {
    byte[] body = request("shop", log(now(), "one"), log(now(), "two"));
    for (int i = 0; i < 3; i++) {
      RestResponse response = proto(body);
      assertEquals(RestStatus.OK, response.status());
      assertEquals("application/x-protobuf", response.contentType());
      assertNull(partial(response));
    }
    assertEquals(2, count("logs-otel-v1-*"));
  }

  public void testSpansGoToAnIndexOfTheirOwnInJsonToo() throws Exception {
    String json =
        """
        {"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"5b8efff798038103d269b633813fc60c",
        "spanId":"eee19b7ec3c1b174","name":"GET","kind":2,"startTimeUnixNano":"%d","endTimeUnixNano":"%d"}]}]}]}
        """
            .formatted(now(), now() + 5);
    RestResponse response =
        send(
            Signal.TRACES,
            "application/json; charset=utf-8",
            json.getBytes(StandardCharsets.UTF_8));
    assertEquals(RestStatus.OK, response.status());
    assertEquals("{}", response.content().utf8ToString());
    assertEquals(1, count("traces-otel-v1-*"));
  }

  public void testARefusedRecordIsCountedAndTheOthersAreWritten() throws Exception {
    createIndex("strict");
    client()
        .admin()
        .indices()
        .preparePutMapping("strict")
        .setSource(
            "{\"properties\":{\"attributes\":{\"properties\":{\"n\":{\"type\":\"long\"}}}}}",
            MediaTypeRegistry.JSON)
        .get();
    set("logs_index", "strict");
    try {
      RestResponse response =
          proto(request("s", log(now(), "a"), log(now(), "b").with(6, pair("n", "no number"))));
      assertEquals(RestStatus.OK, response.status());
      Map.Entry<Long, String> partial = partial(response);
      assertEquals(1, partial.getKey().longValue());
      assertTrue(partial.getValue(), partial.getValue().contains("attributes.n"));
      assertEquals(1, count("strict"));
    } finally {
      set("logs_index", null);
    }
  }

  public void testWhatIsBeyondTheLimitIsRefusedWithTheSetting() throws Exception {
    set("max_documents", "1mb");
    try {
      byte[] body = request("x".repeat(400_000), log(now(), "a"), log(now(), "b"), log(now(), "c"));
      Map.Entry<Long, String> partial = partial(proto(body));
      assertEquals(1, partial.getKey().longValue());
      assertTrue(partial.getValue(), partial.getValue().contains(PREFIX + "max_documents"));
      assertEquals(2, count("logs-otel-v1-*"));
    } finally {
      set("max_documents", null);
    }
  }

  public void testABlockedIndexIsToBeTriedAgainAndNothingIsLost() throws Exception {
    createIndex("blocked");
    set("logs_index", "blocked");
    try {
      byte[] body = request("s", log(now(), "a"), log(now(), "b"));
      assertNull(partial(proto(body)));
      client()
          .admin()
          .indices()
          .prepareUpdateSettings("blocked")
          .setSettings(Settings.builder().put("index.blocks.write", true))
          .get();
      RestResponse response = proto(request("s", log(now(), "c")));
      assertEquals(RestStatus.SERVICE_UNAVAILABLE, response.status());
      assertEquals(List.of("1"), response.getHeaders().get("Retry-After"));
      client()
          .admin()
          .indices()
          .prepareUpdateSettings("blocked")
          .setSettings(Settings.builder().putNull("index.blocks.write"))
          .get();
      assertEquals(2, count("blocked"));
    } finally {
      set("logs_index", null);
    }
  }

  public void testNoIndexThatMayBeMadeIsAnErrorForEachRecord() throws Exception {
    set("logs_index", "closed-index");
    createIndex("closed-index");
    client().admin().indices().prepareClose("closed-index").get();
    try {
      assertEquals(1, partial(proto(request("s", log(now(), "c")))).getKey().longValue());
    } finally {
      set("logs_index", null);
    }
  }

  public void testBrokenBodiesAndForeignTypesAreRefusedInTheSendersForm() throws Exception {
    RestResponse response = proto(new byte[] {10, 127});
    assertEquals(RestStatus.BAD_REQUEST, response.status());
    CodedInputStream in = CodedInputStream.newInstance(BytesReference.toBytes(response.content()));
    in.readTag();
    assertEquals(3, in.readInt32());
    byte[] record =
        message()
            .with(1, message().with(2, message().with(2, message().text(5, "\u0001"))))
            .bytes();
    assertEquals(RestStatus.BAD_REQUEST, proto(record).status());
    RestResponse json = send(Signal.LOGS, "application/json", "{".getBytes(StandardCharsets.UTF_8));
    assertEquals(RestStatus.BAD_REQUEST, json.status());
    assertTrue(json.content().utf8ToString().startsWith("{\"code\":3,"));
    assertEquals(
        RestStatus.UNSUPPORTED_MEDIA_TYPE, send(Signal.LOGS, "text/plain", new byte[3]).status());
  }

  public void testEmptyRequestsAreFine() throws Exception {
    assertNull(partial(proto(new byte[0])));
    assertEquals(RestStatus.OK, send(Signal.LOGS, "application/json", new byte[0]).status());
  }

  public void testOffRefusesWithTheSwitch() throws Exception {
    set("enabled", false);
    try {
      RestResponse response =
          send(Signal.LOGS, "application/json", "{}".getBytes(StandardCharsets.UTF_8));
      assertEquals(RestStatus.BAD_REQUEST, response.status());
      assertTrue(response.content().utf8ToString().contains(PREFIX + "enabled"));
    } finally {
      set("enabled", null);
    }
  }
}
