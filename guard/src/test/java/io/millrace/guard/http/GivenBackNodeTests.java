package io.millrace.guard.http;

import com.carrotsearch.randomizedtesting.annotations.ThreadLeakScope;
import io.millrace.guard.http.Wire.Response;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.cluster.node.DiscoveryNodes;
import org.opensearch.common.settings.ClusterSettings;
import org.opensearch.common.settings.IndexScopedSettings;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.settings.SettingsFilter;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.plugins.ActionPlugin;
import org.opensearch.plugins.Plugin;
import org.opensearch.rest.BytesRestResponse;
import org.opensearch.rest.RestChannel;
import org.opensearch.rest.RestController;
import org.opensearch.rest.RestHandler;
import org.opensearch.rest.RestRequest;
import org.opensearch.test.OpenSearchIntegTestCase.ClusterScope;
import org.opensearch.test.OpenSearchIntegTestCase.Scope;
import org.opensearch.transport.client.node.NodeClient;

/**
 * However a request ends, its bytes come back: every test here takes some of a budget, sees that it
 * did, and lets the check after each test count to zero. {@code http.read_timeout} is a setting of
 * the node: {@link ReadTimeoutNodeTests}.
 */
@ClusterScope(
    scope = Scope.SUITE,
    numDataNodes = 1,
    numClientNodes = 0,
    supportsDedicatedMasters = false)
@ThreadLeakScope(ThreadLeakScope.Scope.NONE)
public class GivenBackNodeTests extends GuardedNodeTestCase {
  private static final int BODY = 200_000;
  private static final int LARGE = 24 * MB;

  /** Handlers that fail, answer much, or answer when they are told to. */
  public static final class Handlers extends Plugin implements ActionPlugin {
    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch answer = new CountDownLatch(1);

    @Override
    public List<RestHandler> getRestHandlers(
        Settings settings,
        RestController controller,
        ClusterSettings clusterSettings,
        IndexScopedSettings indexSettings,
        SettingsFilter filter,
        IndexNameExpressionResolver resolver,
        Supplier<DiscoveryNodes> nodes) {
      return List.of(
          new Path(
              "/_fails",
              (request, channel) -> {
                throw new IllegalStateException("made to fail");
              }),
          new Path(
              "/_fails_later",
              (request, channel) ->
                  channel.sendResponse(
                      new BytesRestResponse(
                          channel, new IllegalStateException("made to fail later")))),
          new Path(
              "/_much",
              (request, channel) ->
                  channel.sendResponse(
                      new BytesRestResponse(RestStatus.OK, "text/plain", new byte[LARGE]))),
          new Path(
              "/_late",
              (request, channel) ->
                  new Thread(
                          () -> {
                            asked.countDown();
                            try {
                              answer.await(30, TimeUnit.SECONDS);
                            } catch (InterruptedException e) {
                              return;
                            }
                            channel.sendResponse(new BytesRestResponse(RestStatus.OK, "late"));
                          })
                      .start()));
    }
  }

  private record Path(String path, Answer answer) implements RestHandler {
    private interface Answer {
      void to(RestRequest request, RestChannel channel) throws Exception;
    }

    @Override
    public List<Route> routes() {
      return List.of(new Route(RestRequest.Method.POST, path));
    }

    @Override
    public void handleRequest(RestRequest request, RestChannel channel, NodeClient client)
        throws Exception {
      answer.to(request, channel);
    }
  }

  @Override
  protected Collection<Class<? extends Plugin>> nodePlugins() {
    List<Class<? extends Plugin>> plugins = new ArrayList<>(super.nodePlugins());
    plugins.add(Handlers.class);
    return plugins;
  }

  private static Socket socket() throws IOException {
    Socket socket = new Socket();
    socket.setReceiveBufferSize(16 << 10);
    socket.connect(http(), 60_000);
    return socket;
  }

  private static void post(Socket socket, String path, String body) throws IOException {
    socket
        .getOutputStream()
        .write(
            ("POST "
                    + path
                    + " HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: "
                    + body.length()
                    + "\r\n\r\n"
                    + body)
                .getBytes(StandardCharsets.US_ASCII));
    socket.getOutputStream().flush();
  }

  public void testAClientThatLeavesInTheMiddleOfABody() throws Exception {
    for (int linger : new int[] {-1, 0}) {
      try (Socket socket = socket()) {
        Wire wire = new Wire(socket, http());
        wire.post("/left/_bulk", 3 * MB, bulk(BODY));
        await(() -> assertEquals(3 * MB, inbound("large_used")));
        // 0: a reset instead of an orderly end
        socket.setSoLinger(linger == 0, 0);
      }
      await(() -> assertEquals(0, inbound("large_used")));
    }
  }

  public void testAClientThatLeavesInTheMiddleOfAChunkedBody() throws Exception {
    try (Wire wire = wire()) {
      wire.send(
          "POST /left/_bulk HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-ndjson\r\n"
              + "Transfer-Encoding: chunked\r\n\r\n"
              + Integer.toHexString(BODY)
              + "\r\n"
              + "x".repeat(BODY / 2));
      await(() -> assertTrue(inbound("small_used") >= BODY / 2));
    }
    await(() -> assertEquals(0, inbound("small_used")));
  }

  public void testAStreamThatIsGivenUp() throws Exception {
    try (Http2Wire wire = new Http2Wire(socket(), false)) {
      int body = wire.bulk("left", 3 * MB);
      wire.data(body, "{", false);
      await(() -> assertEquals(3 * MB, inbound("large_used")));
      wire.reset(body);
      await(() -> assertEquals(0, inbound("large_used")));
      int answer = wire.request("POST", "/_much", true);
      await(() -> assertTrue(outbound("pending") >= LARGE));
      wire.reset(answer);
      await(() -> assertEquals(0, outbound("pending")));
    }
  }

  public void testARefusedBody() throws Exception {
    set(Settings.builder().put(INBOUND + "max_wait", "200ms").put(INBOUND + "floor_rate", "0b"));
    long refusals = inbound("refusals");
    try (Wire refused = wire()) {
      String body = bulk(2 * MB);
      try (Wire blocker = wire()) {
        blocker.post("/refused/_bulk", 3 * MB, "{");
        await(() -> assertEquals(3 * MB, inbound("large_used")));
        assertEquals(429, refused.post("/refused/_bulk", body.length(), body).response().status());
        assertEquals(3 * MB, inbound("large_used"));
        assertEquals(0, inbound("waiting"));
      }
      assertEquals(1, inbound("refusals") - refusals);
      await(() -> assertEquals(0, inbound("large_used")));
      // once there is room the same body is served
      assertEquals(200, refused.post("/refused/_bulk", body.length(), body).response().status());
    }
  }

  public void testAResetWhileTheAnswerIsWritten() throws Exception {
    try (Socket socket = socket()) {
      post(socket, "/_much", "x".repeat(BODY));
      assertTrue(socket.getInputStream().read() >= 0);
      await(() -> assertEquals(LARGE, outbound("pending")));
      assertEquals("the request's own bytes are back already", 0, inbound("small_used"));
      socket.setSoLinger(true, 0);
    }
    await(() -> assertEquals(0, outbound("pending")));
  }

  public void testAResetWhileAnAnswerWaitsBehindAnother() throws Exception {
    set(Settings.builder().put(OUTBOUND + "pipelining", 2));
    try (Socket socket = socket()) {
      post(socket, "/_much", "x".repeat(BODY));
      post(socket, "/_much", "x".repeat(BODY));
      await(() -> assertEquals(2 * LARGE, outbound("pending")));
      socket.setSoLinger(true, 0);
    }
    await(() -> assertEquals(0, outbound("pending")));
  }

  public void testAHandlerThatFails() throws Exception {
    for (String path : new String[] {"/_fails", "/_fails_later"}) {
      try (Wire wire = wire()) {
        for (int i = 0; i < 3; i++) {
          Response response =
              wire.send(
                      "POST "
                          + path
                          + " HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                          + "Content-Length: "
                          + BODY
                          + "\r\n\r\n"
                          + "x".repeat(BODY))
                  .response();
          assertEquals(500, response.status());
          assertTrue(response.body(), response.body().contains("made to fail"));
          assertEquals(0, inbound("small_used"));
        }
      }
    }
  }

  public void testAClientThatLeavesWhileItsRequestIsAtWork() throws Exception {
    Handlers handlers =
        internalCluster()
            .getDataNodeInstance(org.opensearch.plugins.PluginsService.class)
            .filterPlugins(Handlers.class)
            .getFirst();
    try (Socket socket = socket()) {
      post(socket, "/_late", "x".repeat(BODY));
      assertTrue(handlers.asked.await(30, TimeUnit.SECONDS));
      assertTrue(inbound("small_used") >= BODY);
      socket.setSoLinger(true, 0);
    }
    // the body is dropped with its connection, before the handler answers
    await(() -> assertEquals(0, inbound("small_used")));
    handlers.answer.countDown();
  }

  public void testAPeerThatReadsSlowlyButSteadilyIsServed() throws Exception {
    set(
        Settings.builder()
            .put(OUTBOUND + "stall_timeout", "3s")
            .put(OUTBOUND + "pressed_stall_timeout", "3s"));
    long closed = outbound("stalled_readers") + outbound("pressed_out");
    try (Socket socket = socket()) {
      post(socket, "/_much", "");
      byte[] piece = new byte[128 << 10];
      long read = 0;
      while (read < LARGE) {
        int count = socket.getInputStream().read(piece);
        assertTrue("closed after " + read + " bytes", count >= 0);
        read += count;
        // one answer takes several times stall_timeout, and is one buffer to Netty
        if (read / MB > (read - count) / MB) {
          Thread.sleep(400);
        }
      }
    }
    assertEquals(closed, outbound("stalled_readers") + outbound("pressed_out"));
  }

  public void testAPeerThatDripsIsClosed() throws Exception {
    set(
        Settings.builder()
            .put(OUTBOUND + "stall_timeout", "5s")
            .put(OUTBOUND + "pressed_stall_timeout", "5s")
            .put(OUTBOUND + "floor_rate", "1mb"));
    drips(100_000, 500);
  }

  public void testAPeerThatReadsAByteASecondIsClosed() throws Exception {
    set(Settings.builder().put(OUTBOUND + "stall_timeout", "5s"));
    drips(1, 1000);
  }

  private static void drips(int bytes, int everyMillis) throws Exception {
    long closed = outbound("stalled_readers") + outbound("pressed_out");
    try (Socket socket = socket()) {
      post(socket, "/_much", "");
      await(() -> assertEquals(LARGE, outbound("pending")));
      CountDownLatch gone = new CountDownLatch(1);
      Thread dripping =
          new Thread(() -> {
            try {
              while (!gone.await(everyMillis, TimeUnit.MILLISECONDS)) {
                socket.getInputStream().readNBytes(bytes);
              }
            } catch (IOException | InterruptedException e) {
              // closed, as it should be
            }
          });
      dripping.start();
      await(() -> assertEquals(closed + 1, outbound("stalled_readers") + outbound("pressed_out")));
      gone.countDown();
      dripping.join(10_000);
    }
    await(() -> assertEquals(0, outbound("pending")));
  }
}
