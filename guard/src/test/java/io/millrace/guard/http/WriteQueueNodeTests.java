package io.millrace.guard.http;

import com.carrotsearch.randomizedtesting.annotations.ThreadLeakScope;
import io.millrace.guard.http.Wire.Response;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadPoolExecutor;
import org.opensearch.common.settings.Settings;
import org.opensearch.test.OpenSearchIntegTestCase.ClusterScope;
import org.opensearch.test.OpenSearchIntegTestCase.Scope;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.threadpool.ThreadPool.Names;

/** The fair line in front of a node's real queue of writes, which a test keeps busy. */
@ClusterScope(
    scope = Scope.SUITE,
    numDataNodes = 1,
    numClientNodes = 0,
    supportsDedicatedMasters = false)
@ThreadLeakScope(ThreadLeakScope.Scope.NONE)
public class WriteQueueNodeTests extends GuardedNodeTestCase {
  /**
   * Writers that fill the node's queue wait in front of it; a client that asks for little does not.
   */
  public void testWaitsForTheQueueOfWrites() throws Exception {
    createIndex("turn", Settings.builder().put("index.number_of_shards", 1).build());
    set(Settings.builder().put(INBOUND + "queued_writes", 1).put(INBOUND + "max_wait", "5m"));
    ThreadPoolExecutor writes =
        (ThreadPoolExecutor)
            internalCluster().getDataNodeInstance(ThreadPool.class).executor(Names.WRITE);
    int threads = writes.getMaximumPoolSize();
    String body = bulk(10_000);
    CountDownLatch busy = new CountDownLatch(1);
    List<Wire> wires = new ArrayList<>();
    try {
      try (Wire wire = wire()) {
        assertEquals(200, wire.post("/turn/_bulk", body.length(), body).response().status());
      }
      occupy(writes, busy);
      for (int i = 0; i < threads; i++) {
        wires.add(wire().post("/turn/_bulk", body.length(), body));
      }
      await(() -> assertEquals(threads, writes.getQueue().size()));
      long paced = inbound("paced");
      for (int i = 0; i < 3; i++) {
        wires.add(wire().post("/turn/_bulk", body.length(), body));
      }
      await(() -> assertEquals(3, inbound("waiting")));
      assertTrue(inbound("paced") > paced);
      assertTrue("bytes would have fit", inbound("small_used") < 2 * MB);
      assertEquals(threads, writes.getQueue().size());
      try (Wire small = wire()) {
        assertEquals(200, small.get("/").response().status());
      }
      set(Settings.builder().put(INBOUND + "max_wait", "200ms"));
      try (Wire refused = wire()) {
        Response response = refused.post("/turn/_bulk", body.length(), body).response();
        assertEquals(429, response.status());
        assertTrue(response.body(), response.body().contains(INBOUND + "queued_writes"));
      }
      busy.countDown();
      for (Wire wire : wires) {
        assertEquals(200, wire.response().status());
      }
    } finally {
      busy.countDown();
      for (Wire wire : wires) {
        wire.close();
      }
    }
  }

  /**
   * Nothing tells the line that the queue became short while the requests that hold bytes go on.
   */
  public void testAShortQueueIsNoticedWhileAllHoldersStall() throws Exception {
    set(Settings.builder().put(INBOUND + "floor_rate", "0b").put(INBOUND + "max_wait", "5m"));
    ThreadPoolExecutor writes =
        (ThreadPoolExecutor)
            internalCluster().getDataNodeInstance(ThreadPool.class).executor(Names.WRITE);
    int threads = writes.getMaximumPoolSize();
    String body = bulk(10_000);
    CountDownLatch busy = new CountDownLatch(1);
    List<Wire> stalled = new ArrayList<>();
    try (Wire wire = wire()) {
      for (int i = 0; i < threads; i++) {
        stalled.add(wire().post("/stalls/_bulk", 5000, "{"));
      }
      await(() -> assertEquals(threads * 5000, inbound("small_used")));
      occupy(writes, busy);
      for (int i = 0; i < threads; i++) {
        writes.execute(() -> awaitQuietly(busy));
      }
      wire.post("/stalls/_bulk", body.length(), body);
      await(() -> assertEquals(1, inbound("waiting")));
      busy.countDown();
      assertEquals(200, wire.response().status());
      assertEquals(threads * 5000, inbound("small_used"));
    } finally {
      busy.countDown();
      for (Wire wire : stalled) {
        wire.close();
      }
    }
  }

  /** A request that has its bytes, but no room among those of its connection any more. */
  public void testFewerPipelinedRequestsThanBefore() throws Exception {
    set(
        Settings.builder()
            .put(INBOUND + "floor_rate", "0b")
            .put(INBOUND + "max_wait", "5m")
            .put(OUTBOUND + "pipelining", 2));
    String body = bulk(2 * MB);
    String small = bulk(1000);
    ThreadPoolExecutor writes =
        (ThreadPoolExecutor)
            internalCluster().getDataNodeInstance(ThreadPool.class).executor(Names.WRITE);
    CountDownLatch busy = new CountDownLatch(1);
    try (Wire wire = wire();
        Wire blocker = wire()) {
      assertEquals(200, wire.post("/fewer/_bulk", small.length(), small).response().status());
      blocker.post("/fewer/_bulk", 3 * MB, "{");
      await(() -> assertEquals(3 * MB, inbound("large_used")));
      occupy(writes, busy);
      wire.post("/fewer/_bulk", small.length(), small);
      await(() -> assertEquals(1, writes.getQueue().size()));
      Thread sender =
          new Thread(() -> {
            try {
              wire.post("/fewer/_bulk", body.length(), body);
            } catch (IOException e) {
              throw new java.io.UncheckedIOException(e);
            }
          });
      sender.start();
      await(() -> assertEquals(1, inbound("waiting")));
      long parked = outbound("pipeline_waits");
      set(Settings.builder().put(OUTBOUND + "pipelining", 1));
      blocker.close();
      await(() -> assertEquals(1, outbound("pipeline_waits") - parked));
      assertEquals(body.length(), inbound("large_used"));
      busy.countDown();
      assertEquals(200, wire.response().status());
      assertEquals(200, wire.response().status());
      sender.join();
    } finally {
      busy.countDown();
    }
  }

  /**
   * Keeps every thread of the pool busy; a task still in its queue would count as a write there.
   */
  private static void occupy(ThreadPoolExecutor writes, CountDownLatch until) throws Exception {
    int threads = writes.getMaximumPoolSize();
    CountDownLatch running = new CountDownLatch(threads);
    for (int i = 0; i < threads; i++) {
      writes.execute(() -> {
        running.countDown();
        awaitQuietly(until);
      });
    }
    await(() -> assertEquals(0, running.getCount()));
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
