package io.millrace.it.kafka;

import io.millrace.testkit.http.JsonAnswer;
import io.millrace.testkit.http.JsonHttp;
import java.io.UncheckedIOException;

/**
 * Asks each shard all the time up to which record a search finds it. Records of a partition are
 * indexed in order, so all before that one are found, too.
 *
 * <p>The time that it notes for a record is that of the first answer with the record: late by as
 * much as the pause between two questions.
 */
final class Arrivals implements AutoCloseable {
  private static final long PAUSE_MILLIS = 100;

  private final JsonHttp http;
  private final String index;
  private final int shards;
  private final Moments[] found;
  private final Thread thread = new Thread(this::run, "arrivals");
  private volatile boolean stopping;

  Arrivals(JsonHttp http, String index, int shards) {
    this.http = http;
    this.index = index;
    this.shards = shards;
    this.found = new Moments[shards];
    for (int i = 0; i < shards; i++) {
      found[i] = new Moments();
    }
    thread.setDaemon(true);
    thread.start();
  }

  /** All records below this number have been found at some time. */
  int below() {
    int below = Integer.MAX_VALUE;
    for (int i = 0; i < shards; i++) {
      below = Math.min(below, found[i].size() * shards + i);
    }
    return below;
  }

  /** When a record was found first, in milliseconds since 1970. */
  long at(int record) {
    return found[record % shards].get(record / shards);
  }

  private void run() {
    while (!stopping) {
      for (int shard = 0; shard < shards; shard++) {
        ask(shard);
      }
      try {
        Thread.sleep(PAUSE_MILLIS);
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private void ask(int shard) {
    JsonAnswer answer;
    try {
      answer =
          http.post(
              "/" + index + "/_search?preference=_shards:" + shard,
              "{\"size\":0,\"track_total_hits\":false,"
                  + "\"aggs\":{\"last\":{\"max\":{\"field\":\"n\"}}}}");
    } catch (UncheckedIOException e) {
      return; // the node was killed
    }
    if (answer.status() != 200 || answer.at("/aggregations/last/value").isNull()) {
      return;
    }
    long now = System.currentTimeMillis();
    int number = (int) answer.at("/aggregations/last/value").asLong();
    while (found[shard].size() <= number / shards) {
      found[shard].add(now);
    }
  }

  @Override
  public void close() {
    stopping = true;
    thread.interrupt();
  }
}
