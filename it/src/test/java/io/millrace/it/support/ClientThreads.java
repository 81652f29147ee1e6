package io.millrace.it.support;

import io.millrace.testkit.http.JsonHttp;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Threads with a connection each that send one request after the other until they are closed. */
public final class ClientThreads implements AutoCloseable {
  private final List<Thread> threads = new ArrayList<>();
  private final List<JsonHttp> connections = new ArrayList<>();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private volatile boolean ended;
  private volatile boolean cut;

  /** Sends one request and takes its answer. */
  @FunctionalInterface
  public interface Client {
    /** Called again and again, until it is interrupted or the threads have ended. */
    void next(JsonHttp http) throws InterruptedException;
  }

  /**
   * Starts them.
   *
   * @param name of the threads, before their number
   * @param patience how long a request waits for its answer
   * @param spread over which time their first requests are spread
   */
  public ClientThreads(
      String name, int port, int count, Duration patience, Duration spread, Client client) {
    for (int i = 0; i < count; i++) {
      JsonHttp http = new JsonHttp(URI.create("http://127.0.0.1:" + port), patience);
      connections.add(http);
      Duration first = spread.multipliedBy(i).dividedBy(count);
      Thread thread = new Thread(() -> run(first, http, client), name + "-" + i);
      thread.setDaemon(true);
      threads.add(thread);
    }
    threads.forEach(Thread::start);
  }

  private void run(Duration first, JsonHttp http, Client client) {
    try {
      Thread.sleep(first);
      while (!ended) {
        client.next(http);
      }
    } catch (InterruptedException e) {
      return; // it leaves
    } catch (RuntimeException | AssertionError e) {
      if (!cut) {
        failure.compareAndSet(null, e);
      }
    }
  }

  /**
   * Waits for what is under way, at most so long, then leaves.
   *
   * @throws AssertionError as {@link #close}
   */
  public void finish(Duration limit) throws InterruptedException {
    ended = true;
    long until = System.nanoTime() + limit.toNanos();
    for (Thread thread : threads) {
      thread.join(Math.max(1, (until - System.nanoTime()) / 1_000_000));
    }
    close();
  }

  /**
   * Leaves at once: connections are cut, what is under way is not waited for.
   *
   * @throws AssertionError when a client has failed before, and so has sent no more
   */
  @Override
  public void close() throws InterruptedException {
    ended = true;
    cut = true;
    connections.forEach(JsonHttp::close);
    threads.forEach(Thread::interrupt);
    for (Thread thread : threads) {
      thread.join(5_000);
    }
    Throwable first = failure.getAndSet(null);
    if (first != null) {
      throw new AssertionError("a client failed and sent no more: " + first, first);
    }
  }
}
