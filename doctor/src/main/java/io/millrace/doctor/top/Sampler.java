package io.millrace.doctor.top;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.millrace.client.Answer;
import io.millrace.client.ClusterClient;
import io.millrace.client.NoAnswerException;
import io.millrace.client.Request;
import io.millrace.doctor.snapshot.Json;
import io.millrace.doctor.snapshot.Product;
import java.net.URLEncoder;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Asks a cluster what it does: some seven requests per sample, one after the other, with {@code
 * filter_path}, shards of the busiest indices only. A sample takes {@link #LIMIT} at most, however
 * many of its requests are slow: what is not there by then is named as missing. Reads only.
 */
public final class Sampler {
  /** Of the first request, and of all requests of a sample together. */
  public static final Duration LIMIT = Duration.ofSeconds(10);

  private static final String TOO_LATE =
      "no answer within the " + LIMIT.toSeconds() + " s of a sample";
  private static final long LEAST_NANOS = 10_000_000;
  private static final int MOST_SHARDED = 3;
  private static final String NODES =
      "/_nodes/stats/os,process,jvm,thread_pool,indices/indexing,search?filter_path="
          + "nodes.*.name,nodes.*.os.cpu,nodes.*.process.cpu.percent,nodes.*.jvm.mem.heap_used_percent,"
          + "nodes.*.jvm.gc.collectors.*.collection_time_in_millis,"
          + "nodes.*.thread_pool.*.active,nodes.*.thread_pool.*.queue,nodes.*.thread_pool.*.rejected,"
          + "nodes.*.indices.indexing.index_total,nodes.*.indices.search.query_total";
  private static final String INDICES =
      "/_all/_stats/indexing,search,docs,store?filter_path="
          + "indices.*.primaries.indexing.index_total,indices.*.primaries.docs.count,"
          + "indices.*.total.indexing.index_time_in_millis,indices.*.total.search.query_total,"
          + "indices.*.total.search.query_time_in_millis,indices.*.total.store.size_in_bytes";
  private static final String SHARDS =
      "/%s/_stats/indexing,search?level=shards&filter_path=indices.*.shards.*.routing.node,"
          + "indices.*.shards.*.routing.primary,indices.*.shards.*.indexing.index_total,"
          + "indices.*.shards.*.search.query_total";
  private static final String TASKS =
      "/_tasks?detailed=true&actions=*search*,*bulk*,*reindex*,*byquery*,*forcemerge*,*snapshot*&filter_path="
          + "nodes.*.name,nodes.*.tasks.*.action,nodes.*.tasks.*.description,"
          + "nodes.*.tasks.*.running_time_in_nanos,nodes.*.tasks.*.parent_task_id";
  private static final String THREADS =
      "/_nodes/hot_threads?threads=4&interval=200ms&snapshots=1&ignore_idle_threads=true";

  private final ClusterClient client;
  private final Map<String, String> missing = new TreeMap<>();
  private JsonNode root = MissingNode.getInstance();
  private boolean millrace = true;
  private long until;
  private int answered;
  private @Nullable NoAnswerException late;

  public Sampler(ClusterClient client) {
    this.client = client;
  }

  /**
   * Makes sure that a cluster answers and lets us in.
   *
   * @throws io.millrace.client.failure.ExpectedFailure saying what was found instead
   */
  public void check() throws NoAnswerException, InterruptedException {
    client.check();
    until = System.nanoTime() + LIMIT.toNanos();
    root = json("cluster", "/");
  }

  /** Name and version, for a heading. */
  public String cluster() {
    return root.path("cluster_name").asText("") + "  " + Product.of(root);
  }

  /**
   * One sample. A part that is refused is empty, with the reason.
   *
   * @param before the one before, whose busiest indices are asked for their shards; may be empty
   * @throws NoAnswerException when the cluster does not answer at all
   */
  public TopSample take(List<String> before) throws NoAnswerException, InterruptedException {
    missing.clear();
    answered = 0;
    late = null;
    until = System.nanoTime() + LIMIT.toNanos();
    JsonNode health = json("health", "/_cluster/health");
    JsonNode nodes = json("nodes", NODES);
    JsonNode indices = json("indices", INDICES);
    long nanos = System.nanoTime();
    List<String> busiest = before.isEmpty() ? written(indices) : before;
    JsonNode shards = MissingNode.getInstance();
    if (!busiest.isEmpty()) {
      String names =
          String.join(
              ",",
              busiest.stream()
                  .limit(MOST_SHARDED)
                  .map(name -> URLEncoder.encode(name, StandardCharsets.UTF_8))
                  .toList());
      shards = json("shards", String.format(java.util.Locale.ROOT, SHARDS, names));
    }
    JsonNode tasks = json("tasks", TASKS);
    Answer threads = ask("threads", THREADS);
    if (threads != null && threads.status() != 200) {
      missing.put("threads", "HTTP " + threads.status() + " " + threads.reason());
    }
    JsonNode freshness = freshness();
    NoAnswerException last = late;
    if (answered == 0 && last != null) {
      throw last;
    }
    return new TopSample(
        Instant.now(),
        nanos,
        health,
        nodes,
        indices,
        shards,
        tasks,
        threads != null && threads.status() == 200 ? threads.text() : "",
        freshness,
        Map.copyOf(missing));
  }

  private static List<String> written(JsonNode indices) {
    return indices.path("indices").properties().stream()
        .sorted(
            Comparator.<Map.Entry<String, JsonNode>>comparingLong(
                    entry -> Json.number(entry.getValue(), "primaries.indexing.index_total"))
                .reversed())
        .limit(MOST_SHARDED)
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Only Millrace answers: whoever does not is not asked again. */
  private JsonNode freshness() throws NoAnswerException, InterruptedException {
    if (!millrace) {
      return MissingNode.getInstance();
    }
    JsonNode answer = json("freshness", "/_millrace/freshness");
    // late is not the same as unknown
    millrace = answer.has("nodes") || TOO_LATE.equals(missing.remove("freshness"));
    return answer;
  }

  /** Null when there is no time left for it, or it came too late. */
  private @Nullable Answer ask(String part, String path)
      throws NoAnswerException, InterruptedException {
    long left = until - System.nanoTime();
    if (left < LEAST_NANOS) {
      missing.put(part, TOO_LATE);
      return null;
    }
    try {
      Answer answer = client.send(Request.of("GET", path).within(Duration.ofNanos(left)));
      answered++;
      return answer;
    } catch (NoAnswerException e) {
      if (e.getCause() instanceof HttpTimeoutException && e.ambiguous()) {
        missing.put(part, TOO_LATE);
        late = e;
        return null;
      }
      throw e;
    }
  }

  private JsonNode json(String part, String path) throws NoAnswerException, InterruptedException {
    Answer answer = ask(part, path);
    if (answer == null) {
      return MissingNode.getInstance();
    }
    JsonNode json = answer.json();
    if (answer.status() == 200 && json != null) {
      return json;
    }
    missing.put(
        part,
        "HTTP "
            + answer.status()
            + (json == null ? ", no JSON: " + answer.excerpt() : " " + answer.reason()));
    return MissingNode.getInstance();
  }
}
