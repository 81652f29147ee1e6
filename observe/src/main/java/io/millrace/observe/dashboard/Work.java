package io.millrace.observe.dashboard;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a shard, or all of an index's shards on this node, did: counters since the shard opened, or
 * the difference of two of them.
 */
record Work(long indexed, long indexMillis, long queries, long queryMillis) {
  static final Work NONE = new Work(0, 0, 0, 0);

  Work plus(Work more) {
    return new Work(
        indexed + more.indexed,
        indexMillis + more.indexMillis,
        queries + more.queries,
        queryMillis + more.queryMillis);
  }

  /** What was done since; a shard that opened anew in between counts from its opening. */
  Work since(Work before) {
    Work done =
        new Work(
            indexed - before.indexed,
            indexMillis - before.indexMillis,
            queries - before.queries,
            queryMillis - before.queryMillis);
    return done.indexed < 0 || done.queries < 0 ? this : done;
  }

  /** Milliseconds of threads; what the busiest are ordered by. */
  long millis() {
    return indexMillis + queryMillis;
  }

  boolean any() {
    return indexed + queries + millis() > 0;
  }

  Map<String, Object> perSecond(double seconds) {
    Map<String, Object> rates = new LinkedHashMap<>();
    rates.put("indexed_per_second", rate(indexed, seconds));
    rates.put("index_millis_per_second", rate(indexMillis, seconds));
    rates.put("queries_per_second", rate(queries, seconds));
    rates.put("query_millis_per_second", rate(queryMillis, seconds));
    return rates;
  }

  private static double rate(long n, double seconds) {
    return Math.round(10 * n / seconds) / 10.0;
  }
}
