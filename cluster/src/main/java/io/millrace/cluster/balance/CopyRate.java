package io.millrace.cluster.balance;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * How much one copy writes.
 *
 * @param operations documents and deletions in a second
 * @param busy the share of a thread that they keep busy
 * @param now what the last look saw of {@code operations}: 0 when writing has stopped, at most 1
 */
record CopyRate(double operations, double busy, double now) {
  private static final String OPERATIONS = "operations";
  private static final String BUSY = "busy";
  private static final String NOW = "now";

  /** As a node reports it. */
  Map<String, Object> report() {
    return Map.of(OPERATIONS, operations, BUSY, busy, NOW, now);
  }

  /** Reads the rates of a report by shard; anything that is no rate is left out. */
  static Map<String, CopyRate> read(@Nullable Object reported) {
    Map<String, CopyRate> rates = new HashMap<>();
    if (reported instanceof Map<?, ?> shards) {
      shards.forEach((shard, fields) -> {
        if (shard instanceof String name && fields instanceof Map<?, ?> rate) {
          CopyRate read =
              new CopyRate(
                  number(rate.get(OPERATIONS)), number(rate.get(BUSY)), number(rate.get(NOW)));
          if (read.operations >= 0 && read.busy >= 0 && read.now >= 0 && read.now <= 1) {
            rates.put(name, read);
          }
        }
      });
    }
    return rates;
  }

  /** A finite number, or one that no rate is. */
  private static double number(@Nullable Object field) {
    return field instanceof Number number && Double.isFinite(number.doubleValue())
        ? number.doubleValue()
        : -1;
  }

  /** Watches the counters of one copy. Its time begins with the first document. */
  static final class Watch {
    private DecayedRate operations;
    private DecayedRate millis;

    Watch(long nanos, long operations, long millis) {
      this.operations = new DecayedRate(nanos, operations);
      this.millis = new DecayedRate(nanos, millis);
    }

    /**
     * The counters stand there now.
     *
     * @return the rate; null for a copy that has written nothing or was not watched for long
     */
    @Nullable CopyRate look(long nanos, long count, long spent, BalanceLimits limits) {
      if (count == 0) {
        operations = new DecayedRate(nanos, count);
        millis = new DecayedRate(nanos, spent);
        return null;
      }
      long window = limits.window().nanos();
      operations.look(nanos, count, window);
      millis.look(nanos, spent, window);
      // 0.9: the clock of the one that asks is another one
      if (operations.seenNanos() < 2 * 0.9 * limits.interval().nanos()) {
        return null;
      }
      double average = operations.perSecond();
      return new CopyRate(
          average,
          millis.perSecond() / TimeUnit.SECONDS.toMillis(1),
          average == 0 ? 0 : Math.min(1, operations.lastPerSecond() / average));
    }
  }
}
