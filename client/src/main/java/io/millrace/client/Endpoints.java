package io.millrace.client;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The addresses of one cluster, and whose turn it is. One that refuses a connection is left alone
 * for a while, so that a load goes on when the node it talked to dies.
 *
 * <p>An address that the user named is taken at his word. One that the cluster told us has to prove
 * that it is of the same cluster, and again after a failure or {@value #TRUST_SECONDS} seconds
 * without an answer: by then another node may have the address.
 */
final class Endpoints {
  private static final long MAX_REST_NANOS = Duration.ofSeconds(10).toNanos();
  private static final int TRUST_SECONDS = 10;

  private final List<Endpoint> all = new CopyOnWriteArrayList<>();
  private final AtomicInteger turn = new AtomicInteger();

  /** One address with what is known of it. */
  static final class Endpoint {
    private final String base;
    private final boolean named;
    private volatile int failures;
    private volatile long restUntil;
    private volatile long trustUntil;

    private Endpoint(String base, boolean named) {
      this.base = base;
      this.named = named;
      this.restUntil = System.nanoTime();
      trust();
    }

    /** {@code http://host:port}. */
    String base() {
      return base;
    }

    /** It proved just now that it is of our cluster. */
    void trust() {
      trustUntil = System.nanoTime() + Duration.ofSeconds(TRUST_SECONDS).toNanos();
    }

    boolean trusted() {
      return named || trustUntil - System.nanoTime() > 0;
    }

    void answered() {
      failures = 0;
      trust();
    }

    void failed() {
      trustUntil = System.nanoTime();
      failures = Math.min(16, failures + 1);
      restUntil =
          System.nanoTime()
              + Math.min(MAX_REST_NANOS, Duration.ofMillis(100).toNanos() << failures);
    }
  }

  /** Adds an address unless it is there. */
  void add(String base, boolean named) {
    if (all.stream().noneMatch(endpoint -> endpoint.base.equals(base))) {
      all.add(new Endpoint(base, named));
    }
  }

  void remove(Endpoint endpoint) {
    all.remove(endpoint);
  }

  int size() {
    return all.size();
  }

  List<String> bases() {
    return all.stream().map(Endpoint::base).toList();
  }

  /** The address in turn that is not resting; when all rest, the one that wakes first. */
  Endpoint pick() {
    List<Endpoint> now = List.copyOf(all);
    int count = now.size();
    long time = System.nanoTime();
    int from = turn.getAndIncrement();
    Endpoint best = now.get(Math.floorMod(from, count));
    for (int i = 0; i < count; i++) {
      Endpoint candidate = now.get(Math.floorMod(from + i, count));
      if (candidate.restUntil - time <= 0) {
        return candidate;
      }
      if (candidate.restUntil - best.restUntil < 0) {
        best = candidate;
      }
    }
    return best;
  }
}
