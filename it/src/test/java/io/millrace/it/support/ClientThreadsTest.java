package io.millrace.it.support;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Clients of a port where nobody listens; they send nothing. */
class ClientThreadsTest {
  private static ClientThreads threads(int count, ClientThreads.Client client) {
    return new ClientThreads("test", 1, count, Duration.ofSeconds(1), Duration.ZERO, client);
  }

  @Test
  void clientsGoOnUntilTheEnd() throws InterruptedException {
    CountDownLatch three = new CountDownLatch(3);
    try (ClientThreads threads = threads(1, http -> three.countDown())) {
      three.await();
    }
  }

  @Test
  void aClientThatFailedIsToldAtTheEndOnce() throws InterruptedException {
    IllegalStateException failure = new IllegalStateException("no index");
    CountDownLatch failed = new CountDownLatch(2);
    ClientThreads threads =
        threads(
            2,
            http -> {
              failed.countDown();
              throw failure;
            });
    failed.await();
    AssertionError told =
        assertThrows(AssertionError.class, () -> threads.finish(Duration.ofMinutes(1)));
    assertEquals(failure, told.getCause());
    threads.close();
  }

  @Test
  void whatFailsBecauseItEndsIsNoFailure() throws InterruptedException {
    CountDownLatch under = new CountDownLatch(1);
    try (ClientThreads threads =
        threads(
            1,
            http -> {
              under.countDown();
              try {
                Thread.sleep(Duration.ofMinutes(1));
              } catch (InterruptedException e) {
                throw new IllegalStateException("cut off", e);
              }
            })) {
      under.await();
    }
  }
}
