package io.millrace.access.login;

import java.util.function.LongSupplier;
import org.opensearch.common.cache.Cache;
import org.opensearch.common.cache.CacheBuilder;
import org.opensearch.common.unit.TimeValue;

/**
 * Slows down whoever guesses: after {@link #FREE} failures of an address with a name, each further
 * one makes the two wait twice as long, {@link #LONGEST_SECONDS} at most. Nobody is locked out:
 * other addresses are not held back, and neither is a client whose credential was checked before.
 */
final class Damping {
  /** Failures before the first wait. */
  static final int FREE = 5;

  /** The longest wait, seconds. */
  static final int LONGEST_SECONDS = 30;

  private static final int MOST = 10_000;
  private static final long SECOND = 1_000_000_000L;

  private final LongSupplier nanos;
  private final Cache<String, Failures> failures =
      CacheBuilder.<String, Failures>builder()
          .setMaximumWeight(MOST)
          .setExpireAfterAccess(TimeValue.timeValueMinutes(5))
          .build();

  /** How many, and until when the two have to wait. */
  private record Failures(int count, long until) {}

  Damping(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** Seconds that the two have to wait; 0 for none. */
  int wait(String address, String name) {
    Failures so = failures.get(key(address, name));
    long left = so == null ? 0 : so.until() - nanos.getAsLong();
    return left <= 0 ? 0 : (int) (left / SECOND) + 1;
  }

  synchronized void failed(String address, String name) {
    String key = key(address, name);
    Failures so = failures.get(key);
    int count = so == null ? 1 : Math.min(so.count() + 1, 1_000);
    long seconds = count < FREE ? 0 : Math.min(LONGEST_SECONDS, 1L << Math.min(10, count - FREE));
    failures.put(key, new Failures(count, nanos.getAsLong() + seconds * SECOND));
  }

  void succeeded(String address, String name) {
    failures.invalidate(key(address, name));
  }

  private static String key(String address, String name) {
    return address + ' ' + name;
  }
}
