package io.millrace.guard.threads;

import io.millrace.guard.FeatureNodeTestCase;
import io.millrace.guard.bodythreads.BodyThreadsFeature;
import io.millrace.kernel.Feature;
import io.millrace.kernel.FeaturePlugin;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.action.index.IndexResponse;
import org.opensearch.common.action.ActionFuture;
import org.opensearch.plugins.Plugin;
import org.opensearch.threadpool.ThreadPool;

/** Writes and gets beside work that holds all threads of their pools and does not end. */
public class HeldThreadsNodeTests extends FeatureNodeTestCase {
  private final CountDownLatch release = new CountDownLatch(1);

  /** Hosts the feature; the node constructs it, the test finds it again. */
  public static final class Host extends FeaturePlugin {
    static volatile HeldThreadsFeature feature;

    public Host() {
      super(List.of(feature = new HeldThreadsFeature(), new BodyThreadsFeature()));
    }
  }

  @Override
  protected Feature feature() {
    return Host.feature;
  }

  @Override
  protected Collection<Class<? extends Plugin>> getPlugins() {
    return List.of(Host.class);
  }

  @Override
  public void tearDown() throws Exception {
    release.countDown();
    super.tearDown();
  }

  private ThreadPool threads() {
    return getInstanceFromNode(ThreadPool.class);
  }

  private int width(String pool) {
    return ((ThreadPoolExecutor) threads().executor(pool)).getMaximumPoolSize();
  }

  private boolean nothingWaits(String pool) {
    return ((ThreadPoolExecutor) threads().executor(pool)).getQueue().isEmpty();
  }

  private void hold(String pool) throws InterruptedException {
    int width = width(pool);
    CountDownLatch begun = new CountDownLatch(width);
    for (int i = 0; i < width; i++) {
      threads()
          .executor(pool)
          .execute(() -> {
            begun.countDown();
            try {
              release.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          });
    }
    assertTrue(begun.await(30, TimeUnit.SECONDS));
  }

  private ActionFuture<IndexResponse> write() {
    return client().index(new IndexRequest("i").id("1").source("n", 1));
  }

  public void testWritesAndGetsGoOnBesideWorkThatDoesNotEnd() throws Exception {
    createIndex("i");
    set("after", "50ms");
    int writers = width(ThreadPool.Names.WRITE);
    hold(ThreadPool.Names.WRITE);
    hold(ThreadPool.Names.GET);
    hold(ThreadPool.Names.MANAGEMENT);
    hold(BodyThreadsFeature.POOL);
    CountDownLatch read = new CountDownLatch(1);
    threads().executor(BodyThreadsFeature.POOL).execute(read::countDown);
    assertEquals("1", write().actionGet(30, TimeUnit.SECONDS).getId());
    assertTrue(client().prepareGet("i", "1").setRealtime(true).get().isExists());
    assertEquals(0, client().admin().indices().prepareStats("i").get().getFailedShards());
    assertTrue(read.await(30, TimeUnit.SECONDS));
    assertTrue(metric("further") > 0);
    assertTrue(metric("widened") >= 4);
    release.countDown();
    assertBusy(() -> assertEquals(writers, width(ThreadPool.Names.WRITE)));
    assertBusy(() -> assertEquals(0, metric("further"), 0));
  }

  public void testSwitchedOffTheyWaitAsInStock() throws Exception {
    createIndex("i");
    set("after", "50ms");
    set("enabled", "false");
    int writers = width(ThreadPool.Names.WRITE);
    hold(ThreadPool.Names.WRITE);
    ActionFuture<IndexResponse> waiting = write();
    assertBusy(() -> assertFalse(nothingWaits(ThreadPool.Names.WRITE)));
    Host.feature.look();
    assertFalse(waiting.isDone());
    assertEquals(writers, width(ThreadPool.Names.WRITE));
    release.countDown();
    assertEquals("1", waiting.actionGet(30, TimeUnit.SECONDS).getId());
  }
}
