package io.millrace.it.observe;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.corpus.JsonBuffer;
import io.millrace.corpus.LogGenerator;
import io.millrace.testkit.http.JsonAnswer;
import io.millrace.testkit.http.JsonHttp;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What a small log cluster does all day: two bulks of 250 documents and two searches a second, and
 * every five minutes the next index while the oldest goes.
 *
 * <p>Three indices, one for each kind of promise about freshness: the alias {@code logs} of the
 * profile of that name (30 s), {@code app} with stock's default refresh (none), {@code events} with
 * a refresh interval of one second.
 */
final class NormalLoad implements AutoCloseable {
  private static final int BULK = 250;
  private static final int ROLL_SECONDS = 300;
  private static final int KEPT = 2;

  private final JsonHttp http;
  private final LogGenerator documents =
      new LogGenerator(
          7,
          LogGenerator.Options.defaults()
              .startingAt(System.currentTimeMillis())
              .withMeanGapMillis(2));
  private final ScheduledExecutorService timers =
      Executors.newScheduledThreadPool(
          3,
          task -> {
            Thread thread = new Thread(task, "normal-load");
            thread.setDaemon(true);
            return thread;
          });
  private final List<String> failures = new CopyOnWriteArrayList<>();
  private final AtomicLong acknowledged = new AtomicLong();
  private final AtomicLong searches = new AtomicLong();
  private final AtomicLong deleted = new AtomicLong();
  private int bulks;
  private int generation = 1;

  NormalLoad(JsonHttp http) {
    this.http = http;
  }

  /** Makes the indices and starts. */
  NormalLoad start() {
    String mapping =
        "\"mappings\":{\"properties\":{\"@timestamp\":{\"type\":\"date\"},"
            + "\"host\":{\"type\":\"keyword\"},\"service\":{\"type\":\"keyword\"},"
            + "\"level\":{\"type\":\"keyword\"},\"trace_id\":{\"type\":\"keyword\"},"
            + "\"message\":{\"type\":\"text\"}}}";
    String one = "\"number_of_shards\":1,\"number_of_replicas\":0";
    String logs = "{" + one + ",\"index.millrace.profile\":\"logs\"}";
    http.put(
            "/_index_template/logs",
            "{\"index_patterns\":[\"logs-*\"],\"template\":{\"settings\":"
                + logs
                + ","
                + mapping
                + "}}")
        .ok();
    http.put(indexOf(generation), "{\"aliases\":{\"logs\":{\"is_write_index\":true}}}").ok();
    http.put("/app", "{\"settings\":{" + one + "}," + mapping + "}").ok();
    http.put("/events", "{\"settings\":{" + one + ",\"refresh_interval\":\"1s\"}," + mapping + "}")
        .ok();
    every(500, 0, this::bulk);
    every(500, 250, this::search);
    every(1000 * ROLL_SECONDS, 1000 * ROLL_SECONDS, this::roll);
    return this;
  }

  private void every(long millis, long firstMillis, Runnable task) {
    var unused =
        timers.scheduleAtFixedRate(() -> guarded(task), firstMillis, millis, TimeUnit.MILLISECONDS);
  }

  private void guarded(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | AssertionError e) {
      if (!timers.isShutdown()) {
        failures.add(e.toString());
      }
    }
  }

  private void bulk() {
    JsonBuffer body = new JsonBuffer(1 << 17);
    String main = bulks++ % 2 == 0 ? "logs" : "app";
    for (int i = 0; i < BULK; i++) {
      String index = i % 25 == 0 ? "events" : main;
      body.raw("{\"create\":{\"_index\":\"" + index + "\"}}\n");
      documents.next(body);
      body.raw('\n');
    }
    JsonAnswer answer =
        http.post(
                "/_bulk?filter_path=errors,items.*.error",
                new String(body.toByteArray(), StandardCharsets.UTF_8))
            .ok();
    if (answer.at("/errors").asBoolean()) {
      failures.add(answer.toString());
    } else {
      acknowledged.addAndGet(BULK);
    }
  }

  /** In turn what a person looks for and what a board draws. */
  private void search() {
    String found =
        searches.getAndIncrement() % 2 == 0
            ? search(
                "app",
                "{\"size\":20,\"sort\":[{\"@timestamp\":\"desc\"}],\"query\":{\"bool\":{"
                    + "\"must\":{\"match\":{\"message\":\"error timeout\"}},"
                    + "\"filter\":{\"term\":{\"level\":\"ERROR\"}}}}}")
            : search(
                "logs,events",
                "{\"size\":0,\"query\":{\"range\":{\"@timestamp\":{\"gte\":\"now-10m\"}}},"
                    + "\"aggs\":{\"t\":{\"date_histogram\":{\"field\":\"@timestamp\","
                    + "\"fixed_interval\":\"10s\"},\"aggs\":{\"l\":{\"terms\":{\"field\":"
                    + "\"level\"}}}},\"s\":{\"terms\":{\"field\":\"service\",\"size\":20},"
                    + "\"aggs\":{\"h\":{\"cardinality\":{\"field\":\"host\"}}}}}}");
    if (found != null) {
      failures.add(found);
    }
  }

  private @Nullable String search(String index, String body) {
    JsonAnswer answer = http.post("/" + index + "/_search", body).ok();
    JsonNode failed = answer.at("/_shards/failed");
    return failed.asInt() == 0 ? null : answer.toString();
  }

  private void roll() {
    http.post("/logs/_rollover").ok();
    generation++;
    if (generation > KEPT) {
      http.delete(indexOf(generation - KEPT)).ok();
      deleted.incrementAndGet();
    }
  }

  private static String indexOf(int generation) {
    return String.format(Locale.ROOT, "/logs-%06d", generation);
  }

  /** Documents that a bulk acknowledged. */
  long acknowledged() {
    return acknowledged.get();
  }

  long searches() {
    return searches.get();
  }

  /** Indices that were deleted. */
  long deleted() {
    return deleted.get();
  }

  /** What was not answered as it should be; a normal load has none. */
  List<String> failures() {
    return List.copyOf(failures);
  }

  @Override
  public void close() {
    timers.shutdownNow();
  }
}
