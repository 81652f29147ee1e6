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
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Asks a cluster what it does: some seven requests per sample, each with a time limit and with
 * {@code filter_path}, shards of the busiest indices only. Reads only.
 */
public final class Sampler {
  private static final Duration LIMIT = Duration.ofSeconds(10);
  private static final int MOST_SHARDED = 3;
  private static final String NODES =
      "/_nodes/stats/os,process,jvm,thread_pool,indices?filter_path="
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
    Answer threads = client.send(Request.of("GET", THREADS).within(LIMIT));
    if (threads.status() != 200) {
      missing.put("threads", "HTTP " + threads.status() + " " + threads.reason());
    }
    return new TopSample(
        Instant.now(),
        nanos,
        health,
        nodes,
        indices,
        shards,
        tasks,
        threads.status() == 200 ? threads.text() : "",
        freshness(),
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
    missing.remove("freshness");
    millrace = answer.has("nodes");
    return answer;
  }

  private JsonNode json(String part, String path) throws NoAnswerException, InterruptedException {
    Answer answer = client.send(Request.of("GET", path).within(LIMIT));
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
