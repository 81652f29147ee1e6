package io.millrace.guard.http;

import com.carrotsearch.randomizedtesting.annotations.ThreadLeakScope;
import io.millrace.guard.http.Wire.Response;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.cluster.node.DiscoveryNodes;
import org.opensearch.common.settings.ClusterSettings;
import org.opensearch.common.settings.IndexScopedSettings;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.settings.SettingsFilter;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.indices.breaker.CircuitBreakerService;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.http.HttpServerTransport;
import org.opensearch.http.netty4.Netty4HttpServerTransport;
import org.opensearch.plugins.ActionPlugin;
import org.opensearch.plugins.Plugin;
import org.opensearch.rest.BaseRestHandler;
import org.opensearch.rest.BytesRestResponse;
import org.opensearch.rest.RestController;
import org.opensearch.rest.RestHandler;
import org.opensearch.rest.RestRequest;
import org.opensearch.test.OpenSearchIntegTestCase.ClusterScope;
import org.opensearch.test.OpenSearchIntegTestCase.Scope;
import org.opensearch.transport.client.node.NodeClient;

/** A node that reads all its connections with one thread, and an API that takes long to read. */
@ClusterScope(
    scope = Scope.SUITE,
    numDataNodes = 1,
    numClientNodes = 0,
    supportsDedicatedMasters = false)
@ThreadLeakScope(ThreadLeakScope.Scope.NONE)
public class BodyThreadsNodeTests extends GuardedNodeTestCase {
  private static final String SETTING = "millrace.guard.body_threads.";
  private static volatile CountDownLatch gate = new CountDownLatch(0);
  private static final AtomicInteger READING = new AtomicInteger();

  /** {@code POST /_slow}: reads until the gate opens; then tells on which thread. */
  public static final class Slow extends Plugin implements ActionPlugin {
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
          new BaseRestHandler() {
            @Override
            public String getName() {
              return "slow";
            }

            @Override
            public List<Route> routes() {
              return List.of(new Route(RestRequest.Method.POST, "/_slow"));
            }

            @Override
            protected RestChannelConsumer prepareRequest(RestRequest request, NodeClient client) {
              int length = request.content().length();
              String name = request.header("X-Opaque-Id");
              READING.incrementAndGet();
              try {
                gate.await();
              } catch (InterruptedException e) {
                throw new AssertionError(e);
              } finally {
                READING.decrementAndGet();
              }
              if (length == 70_001) {
                throw new IllegalStateException("fails while it reads");
              }
              String heard = client.threadPool().getThreadContext().getHeader("X-Opaque-Id");
              return channel ->
                  channel.sendResponse(
                      new BytesRestResponse(
                          RestStatus.OK,
                          length + " " + name + heard + " " + Thread.currentThread().getName()));
            }
          });
    }
  }

  @Override
  protected Collection<Class<? extends Plugin>> nodePlugins() {
    List<Class<? extends Plugin>> plugins = new ArrayList<>(super.nodePlugins());
    plugins.add(Slow.class);
    return plugins;
  }

  @Override
  protected Settings nodeSettings(int nodeOrdinal) {
    return Settings.builder()
        .put(super.nodeSettings(nodeOrdinal))
        .put(Netty4HttpServerTransport.SETTING_HTTP_WORKER_COUNT.getKey(), 1)
        // would give the pool further threads while a test holds those it has
        .put("millrace.guard.held_threads.enabled", false)
        .put("thread_pool.millrace_bodies.size", 2)
        .put("thread_pool.millrace_bodies.queue_size", 1)
        .build();
  }

  @Override
  public void tearDown() throws Exception {
    gate.countDown();
    set(Settings.builder().putNull(SETTING + "*"));
    super.tearDown();
  }

  private static Wire slow(int bytes) throws Exception {
    return wire()
        .send(
            "POST /_slow HTTP/1.1\r\nHost: x\r\nX-Opaque-Id: me\r\nContent-Type: application/json"
                + "\r\nContent-Length: "
                + bytes
                + "\r\n\r\n"
                + " ".repeat(bytes));
  }

  /** Sends one, and comes back when a thread has it: the pool's queue is short. */
  private static Wire held(int bytes) throws Exception {
    int before = READING.get();
    Wire wire = slow(bytes);
    await(() -> assertEquals(before + 1, READING.get()));
    return wire;
  }

  public void testOthersDoNotWaitForWhatTakesLongToRead() throws Exception {
    gate = new CountDownLatch(1);
    long handed = metric("guard.body-threads", "handed");
    try (Wire first = held(100_000);
        Wire second = held(200_000)) {
      try (Wire third = slow(100_000);
          Wire light = wire()) {
        await(() -> assertEquals(1, metric("guard.body-threads", "waiting")));
        assertEquals(200, light.get("/_cluster/health").response().status());
        String body = bulk(5_000);
        assertEquals(200, light.post("/light/_bulk", body.length(), body).response().status());
        gate.countDown();
        for (Wire each : List.of(first, second, third)) {
          Response response = each.response();
          assertEquals(response.body(), 200, response.status());
          assertTrue(response.body(), response.body().contains("00000 meme "));
          assertTrue(response.body(), response.body().contains("[millrace_bodies]"));
        }
      }
    }
    assertEquals(3, metric("guard.body-threads", "handed") - handed);
  }

  public void testShortBodiesStayOnTheThreadOfTheirConnection() throws Exception {
    try (Wire wire = slow(60_000)) {
      assertTrue(wire.response().body().contains("http_server_worker"));
    }
    set(Settings.builder().put(SETTING + "from", "32kb"));
    try (Wire wire = slow(60_000)) {
      assertTrue(wire.response().body().contains("[millrace_bodies]"));
    }
    set(Settings.builder().put(SETTING + "enabled", false));
    try (Wire wire = slow(200_000)) {
      assertTrue(wire.response().body().contains("http_server_worker"));
    }
  }

  /** What finds no place is read where stock reads it, and nothing is refused. */
  public void testWhereTooManyWaitTheConnectionsThreadReads() throws Exception {
    gate = new CountDownLatch(1);
    long kept = metric("guard.body-threads", "kept");
    try (Wire first = held(100_000);
        Wire second = held(100_000)) {
      try (Wire third = slow(100_000)) {
        await(() -> assertEquals(1, metric("guard.body-threads", "waiting")));
        try (Wire fourth = slow(100_000)) {
          await(() -> assertEquals(3, READING.get()));
          assertEquals(1, metric("guard.body-threads", "kept") - kept);
          gate.countDown();
          assertTrue(fourth.response().body().contains("http_server_worker"));
          for (Wire each : List.of(first, second, third)) {
            assertEquals(200, each.response().status());
          }
        }
      }
    }
  }

  /** The second request of a connection is done first and answered second. */
  public void testAnswersKeepTheOrderOfTheirConnection() throws Exception {
    gate = new CountDownLatch(1);
    try (Wire wire = held(100_000)) {
      wire.get("/_cluster/health");
      try (Wire other = wire()) {
        assertEquals(200, other.get("/").response().status());
      }
      gate.countDown();
      assertTrue(wire.response().body().contains("[millrace_bodies]"));
      assertTrue(wire.response().body().contains("cluster_name"));
    }
  }

  /** What it sent is read all the same, as in stock, and all memory comes back after every test. */
  public void testClientsThatLeaveWhileTheirBodiesWait() throws Exception {
    gate = new CountDownLatch(1);
    long handed = metric("guard.body-threads", "handed");
    try (Wire first = held(100_000);
        Wire second = held(100_000)) {
      try (Wire third = slow(100_000)) {
        await(() -> assertEquals(1, metric("guard.body-threads", "waiting")));
      }
    }
    await(() -> assertEquals(0, open()));
    gate.countDown();
    await(() -> assertEquals(0, metric("guard.body-threads", "waiting")));
    await(() -> assertEquals(0, READING.get()));
    assertEquals(3, metric("guard.body-threads", "handed") - handed);
    await(() ->
        assertEquals(
            0,
            internalCluster()
                .getDataNodeInstance(CircuitBreakerService.class)
                .getBreaker(CircuitBreaker.IN_FLIGHT_REQUESTS)
                .getUsed()));
    try (Wire wire = slow(100_000)) {
      assertEquals(200, wire.response().status());
    }
  }

  private static long open() {
    return internalCluster().getDataNodeInstance(HttpServerTransport.class).stats().getServerOpen();
  }

  public void testAFailureWhileItIsReadIsAnswered() throws Exception {
    try (Wire wire = slow(70_001)) {
      Response response = wire.response();
      assertEquals(500, response.status());
      assertTrue(response.body(), response.body().contains("fails while it reads"));
      assertEquals(200, wire.get("/").response().status());
    }
  }

  public void testWhatASettingMustBe() {
    for (String wrong : List.of("1b", "-1", "x")) {
      IllegalArgumentException refused =
          expectThrows(
              IllegalArgumentException.class,
              () -> set(Settings.builder().put(SETTING + "from", wrong)));
      assertTrue(refused.getMessage(), refused.getMessage().contains(SETTING + "from"));
    }
  }
}
