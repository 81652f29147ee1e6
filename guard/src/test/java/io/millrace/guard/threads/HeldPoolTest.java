package io.millrace.guard.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HeldPoolTest {
  private static final long AFTER = 1_000;
  private static final int MOST = 16;

  private final ThreadPoolExecutor pool =
      new ThreadPoolExecutor(2, 2, 1, TimeUnit.MINUTES, new LinkedBlockingQueue<>());
  private final HeldPool held = new HeldPool(pool, this::resize);
  private final CountDownLatch release = new CountDownLatch(1);
  private final List<Future<?>> tasks = new ArrayList<>();

  private void resize(int size) {
    pool.setCorePoolSize(Math.min(size, pool.getMaximumPoolSize()));
    pool.setMaximumPoolSize(size);
    pool.setCorePoolSize(size);
  }

  @AfterEach
  void end() {
    release.countDown();
    pool.shutdownNow();
  }

  /** So many that do not end, all of which a thread has begun that can have one. */
  private void hold(int count) throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(Math.min(count, pool.getMaximumPoolSize()));
    for (int i = 0; i < count; i++) {
      tasks.add(
          pool.submit(() -> {
            begun.countDown();
            release.await();
            return null;
          }));
    }
    begun.await();
  }

  private int look(long now) {
    return held.look(now, AFTER, MOST);
  }

  @Test
  void whatIsHeldGetsFurtherThreadsUntilWorkGoesOn() throws Exception {
    hold(5);
    assertEquals(0, look(1));
    assertEquals(0, look(AFTER));
    assertEquals(4, look(AFTER + 1));
    assertEquals(2, held.further());
    Thread.yield();
    while (pool.getActiveCount() < 4) {
      Thread.onSpinWait();
    }
    assertEquals(0, look(2 * AFTER)); // not a while since
    assertEquals(8, look(2 * AFTER + 1));
    pool.submit(() -> 1).get();
  }

  @Test
  void noMoreThanAllowed() throws Exception {
    hold(40);
    int size = 0;
    for (long now = 1; now < 20 * AFTER; now += AFTER) {
      size = Math.max(size, look(now));
      while (pool.getActiveCount() < pool.getMaximumPoolSize()) {
        Thread.onSpinWait();
      }
    }
    assertEquals(MOST, size);
    assertEquals(MOST, pool.getMaximumPoolSize());
  }

  @Test
  void aPoolThatGetsThingsDoneStaysAsItIs() throws Exception {
    hold(1);
    for (int i = 0; i < 10; i++) {
      pool.submit(() -> 1).get();
      assertEquals(0, look(1 + i * 10 * AFTER));
    }
    hold(1); // all have work, and nothing waits
    assertEquals(0, look(200 * AFTER));
    assertEquals(0, look(300 * AFTER));
    assertEquals(2, pool.getMaximumPoolSize());
  }

  private void letGo() throws InterruptedException, ExecutionException {
    release.countDown();
    for (Future<?> task : tasks) {
      task.get();
    }
    while (pool.getActiveCount() > 0) {
      Thread.onSpinWait();
    }
  }

  @Test
  void threadsAreTakenAwayWhenNothingWaitsForAWhile() throws Exception {
    hold(3);
    look(1);
    assertEquals(4, look(AFTER + 1));
    letGo();
    look(AFTER + 2);
    look(2 * AFTER);
    assertEquals(4, pool.getMaximumPoolSize());
    look(12 * AFTER + 3);
    assertEquals(2, pool.getMaximumPoolSize());
    assertEquals(0, held.further());
  }

  @Test
  void whoeverSetsTheWidthMeanwhileIsObeyed() throws Exception {
    hold(3);
    look(1);
    assertEquals(4, look(AFTER + 1));
    resize(6);
    look(AFTER + 2);
    assertEquals(0, held.further());
    held.restore();
    assertEquals(6, pool.getMaximumPoolSize());
  }

  @Test
  void switchedOffItHasItsOwnWidth() throws Exception {
    hold(3);
    look(1);
    assertEquals(4, look(AFTER + 1));
    held.restore();
    assertEquals(2, pool.getMaximumPoolSize());
  }
}
