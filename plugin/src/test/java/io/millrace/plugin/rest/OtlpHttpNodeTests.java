package io.millrace.plugin.rest;

import com.google.protobuf.CodedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.opensearch.client.Request;
import org.opensearch.client.Response;
import org.opensearch.client.ResponseException;
import org.opensearch.common.network.NetworkModule;
import org.opensearch.common.settings.Settings;

/** OTLP over the product's own HTTP server, onto the templates and the parsing of the product. */
public class OtlpHttpNodeTests extends RestNodeTestCase {
  @Override
  protected Settings nodeSettings(int nodeOrdinal) {
    return Settings.builder()
        .put(super.nodeSettings(nodeOrdinal))
        .put(NetworkModule.HTTP_TYPE_KEY, "millrace")
        .put("millrace.write.templates.enabled", true)
        .build();
  }

  private interface Fields {
    void write(CodedOutputStream out) throws IOException;
  }

  private static byte[] message(Fields fields) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    fields.write(out);
    out.flush();
    return bytes.toByteArray();
  }

  private static byte[] pair(String key, String value) throws IOException {
    return message(out -> {
      out.writeString(1, key);
      out.writeByteArray(2, message(inner -> inner.writeString(1, value)));
    });
  }

  /** One log record with attributes of these names, each with its own name as its value. */
  private static byte[] request(String body, String... attributes) throws IOException {
    byte[] record =
        message(out -> {
          out.writeFixed64(1, System.currentTimeMillis() * 1_000_000);
          out.writeByteArray(5, message(inner -> inner.writeString(1, body)));
          for (String attribute : attributes) {
            out.writeByteArray(6, pair(attribute, attribute));
          }
        });
    byte[] scope = message(out -> out.writeByteArray(2, record));
    byte[] resource = message(out -> out.writeByteArray(2, scope));
    return message(out -> out.writeByteArray(1, resource));
  }

  private static byte[] gzip(byte[] body) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream zipped = new GZIPOutputStream(out)) {
      zipped.write(body);
    }
    return out.toByteArray();
  }

  private int post(String path, String type, String encoding, byte[] body) throws IOException {
    Request request = new Request("POST", path);
    request.setEntity(new ByteArrayEntity(body, ContentType.parse(type), encoding));
    try {
      Response response = getRestClient().performRequest(request);
      assertEquals(type, response.getHeader("Content-Type"));
      byte[] answer =
          response.getEntity() == null
              ? new byte[0]
              : response.getEntity().getContent().readAllBytes();
      assertEquals("an empty message: nothing was refused", 0, answer.length);
      return response.getStatusLine().getStatusCode();
    } catch (ResponseException e) {
      return e.getResponse().getStatusLine().getStatusCode();
    }
  }

  private int proto(String encoding, byte[] body) throws IOException {
    return post("/v1/logs", "application/x-protobuf", encoding, body);
  }

  public void testProtobufPlainAndZipped() throws IOException {
    assertEquals(200, proto(null, request("plain words")));
    assertEquals(200, proto("gzip", gzip(request("zipped words"))));
    ok("POST", "/logs-otel-v1-*/_refresh");
    assertEquals(2, ok("GET", "/logs-otel-v1-*/_count?q=body:words").number("count"));
    assertEquals(400, proto(null, "no message".getBytes(StandardCharsets.UTF_8)));
  }

  public void testNamesThatClashLoseNothing() throws Exception {
    // the test framework's own legacy template matches everything, and the shipped one gives way
    ok("DELETE", "/_template/*");
    assertBusy(() -> ok("GET", "/_index_template/millrace-logs"), 60, TimeUnit.SECONDS);
    String[] names = {
      "code.function", "code.function.name", "code", "a..b", ".c", "", "same", "same"
    };
    assertEquals(200, proto(null, request("clash", names)));
    assertEquals(200, proto(null, request("clash again", "code.function.name", "code.function")));
    ok("POST", "/logs-otel-v1-*/_refresh");
    Answer found = ok("GET", "/logs-otel-v1-*/_search?q=body:clash&size=10");
    assertEquals(found.text(), 2, found.number("hits.total.value"));
    for (String name : names) {
      assertTrue(name, found.text().contains("\"" + name + "\":"));
    }
    for (String name : new String[] {"code.function", "code.function.name"}) {
      String term = "{\"term\":{\"%sattributes." + name + "\":\"" + name + "\"}}";
      assertEquals(
          name,
          2,
          ok(
                  "POST",
                  "/logs-otel-v1-*/_count",
                  "{\"query\":{\"bool\":{\"should\":["
                      + term.formatted("")
                      + ","
                      + term.formatted("unmapped.")
                      + "]}}}")
              .number("count"));
    }
  }

  /** A breaker answers before any handler is asked, with a body of its own. */
  public void testABreakersRefusalSaysWhenToComeAgain() throws IOException {
    assertEquals(200, proto(null, request("before")));
    assertRefusedByABreaker("/v1/logs", "1");
    assertRefusedByABreaker("/loki/api/v1/push", "1");
    assertEquals(200, proto(null, request("after")));
  }

  /** A path that is not served answers as stock does, without a header of ours. */
  public void testABreakersRefusalIsStocksWhileTheFeatureIsOff() throws IOException {
    for (String feature : new String[] {"otlp", "loki"}) {
      String path = feature.equals("otlp") ? "/v1/logs" : "/loki/api/v1/push";
      String enabled = "{\"transient\":{\"millrace.pipelines." + feature + ".enabled\":%s}}";
      ok("PUT", "/_cluster/settings", enabled.formatted("false"));
      try {
        assertRefusedByABreaker(path, null);
        assertEquals(400, post(path, "application/x-protobuf", null, request("off")));
      } finally {
        ok("PUT", "/_cluster/settings", enabled.formatted("null"));
      }
      assertRefusedByABreaker(path, "1");
    }
  }

  private void assertRefusedByABreaker(String path, String retryAfter) throws IOException {
    String limit = "{\"transient\":{\"network.breaker.inflight_requests.limit\":%s}}";
    ok("PUT", "/_cluster/settings", limit.formatted("\"600b\""));
    try {
      for (String type : new String[] {"application/x-protobuf", "application/json"}) {
        Request request = new Request("POST", path);
        request.setEntity(new ByteArrayEntity(new byte[1_000], ContentType.parse(type)));
        ResponseException refused =
            expectThrows(ResponseException.class, () -> getRestClient().performRequest(request));
        assertEquals(429, refused.getResponse().getStatusLine().getStatusCode());
        assertTrue(
            refused.getMessage(), refused.getMessage().contains("circuit_breaking_exception"));
        assertEquals(retryAfter, refused.getResponse().getHeader("Retry-After"));
      }
    } finally {
      ok("PUT", "/_cluster/settings", limit.formatted("null"));
    }
  }

  /** On every other path such a body stays what it is on stock. */
  public void testForeignBodiesStayRefusedElsewhere() throws IOException {
    assertEquals(406, post("/_bulk", "application/x-protobuf", null, request("x")));
    assertEquals(406, post("/v1/logs", "application/x-other", null, request("x")));
  }
}
