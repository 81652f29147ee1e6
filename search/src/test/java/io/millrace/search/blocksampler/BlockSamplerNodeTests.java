package io.millrace.search.blocksampler;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.action.search.SearchPhaseExecutionException;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.indices.breaker.CircuitBreakerService;
import org.opensearch.search.aggregations.HasAggregations;
import org.opensearch.search.aggregations.bucket.MultiBucketsAggregation;
import org.opensearch.search.aggregations.metrics.NumericMetricsAggregation;

/** Estimates, what is exact, and what is refused. */
public class BlockSamplerNodeTests extends BlockSamplerTestCase {
  private static final String ALL = "{\"match_all\":{}}";
  private static final String SLOW = "{\"range\":{\"ms\":{\"gte\":15}}}";
  private static final String MOST =
      "\"levels\":{\"terms\":{\"field\":\"level\"},\"aggs\":{\"ms\":{\"avg\":{\"field\":\"ms\"}}}},"
          + "\"hours\":{\"date_histogram\":{\"field\":\"@timestamp\",\"fixed_interval\":\"1h\"},"
          + "\"aggs\":{\"total\":{\"sum\":{\"field\":\"ms\"}}}},"
          + "\"values\":{\"value_count\":{\"field\":\"ms\"}},"
          + "\"mean\":{\"avg\":{\"field\":\"ms\"}},"
          + "\"p\":{\"percentiles\":{\"field\":\"ms\",\"percents\":[50,90]}},"
          + "\"parts\":{\"filters\":{\"filters\":{\"e\":{\"term\":{\"level\":\"ERROR\"}},"
          + "\"w\":{\"term\":{\"level\":\"WARN\"}}}}},"
          + "\"one\":{\"filter\":{\"range\":{\"ms\":{\"gte\":30}}},"
          + "\"aggs\":{\"l\":{\"terms\":{\"field\":\"level\"}}}}";
  private static final String WHOLE =
      "\"max\":{\"max\":{\"field\":\"@timestamp\"}},\"min\":{\"min\":{\"field\":\"@timestamp\"}},"
          + "\"most\":{\"max\":{\"field\":\"n\"}},\"least\":{\"min\":{\"field\":\"n\"}},"
          + "\"slowest\":{\"max\":{\"field\":\"ms\"}},"
          + "\"different\":{\"cardinality\":{\"field\":\"n\"}},"
          + "\"worst\":{\"top_hits\":{\"size\":3,\"_source\":false,\"sort\":[{\"ms\":\"desc\"}]}},"
          + "\"stats\":{\"terms\":{\"field\":\"level\"},\"aggs\":{\"x\":{\"max\":{\"field\":\"n\"}}}}";

  public void testIntervalsHoldTheTruthAsOftenAsTheySay() throws IOException {
    merged("a", 16_384);
    Map<String, Double> truth = values(search("a", plain(SLOW, MOST)).getAggregations(), "");
    Map<String, int[]> counts = new TreeMap<>();
    double error = 0;
    int errors = 0;
    int seeds = 200;
    for (int seed = 0; seed < seeds; seed++) {
      SearchResponse response =
          search("a", sampled(SLOW, "\"probability\":0.25,\"min_docs\":0,\"seed\":" + seed, MOST));
      assertTrue(sampler(response).sampled() > 0);
      Map<String, Double> found = values(sampler(response).getAggregations(), "");
      for (Map.Entry<String, Double> each : truth.entrySet()) {
        Double lower = found.get(each.getKey() + "_interval/lower");
        Double upper = found.get(each.getKey() + "_interval/upper");
        assertNotNull(each.getKey() + " in " + found, lower);
        int[] count = counts.computeIfAbsent(each.getKey(), none -> new int[2]);
        count[lower <= each.getValue() && each.getValue() <= upper ? 0 : 1]++;
        error += Math.abs(found.get(each.getKey()) - each.getValue()) / each.getValue();
        errors++;
      }
    }
    int[] all = new int[2];
    for (Map.Entry<String, int[]> each : counts.entrySet()) {
      all[0] += each.getValue()[0];
      all[1] += each.getValue()[1];
      assertTrue(
          each.getKey() + " missed by " + each.getValue()[1] + " of " + seeds,
          each.getValue()[1] <= seeds / 10);
    }
    assertTrue("of all, missed " + all[1], all[1] <= (all[0] + all[1]) * 0.07);
    assertTrue("mean error " + error / errors, error / errors < 0.1);
  }

  /** Counts, sums, averages and their intervals by path. */
  private static Map<String, Double> values(
      Iterable<? extends org.opensearch.search.aggregations.Aggregation> all, String above) {
    Map<String, Double> values = new TreeMap<>();
    for (org.opensearch.search.aggregations.Aggregation each : all) {
      String path = above + "/" + each.getName();
      if (each instanceof MultiBucketsAggregation buckets) {
        for (MultiBucketsAggregation.Bucket bucket : buckets.getBuckets()) {
          String key = path + "/" + bucket.getKeyAsString();
          values.put(key + "/doc_count", (double) bucket.getDocCount());
          values.putAll(values(bucket.getAggregations(), key));
        }
      } else if (each instanceof NumericMetricsAggregation.SingleValue value) {
        values.put(path, value.value());
      } else if (each instanceof InternalInterval interval) {
        interval
            .bounds()
            .forEach((key, bounds) -> {
              String end = key.isEmpty() ? "" : "/" + key;
              values.put(path + end + "/lower", bounds.lower());
              values.put(path + end + "/upper", bounds.upper());
            });
      } else if (each instanceof HasAggregations inner) {
        values.putAll(values(inner.getAggregations(), path));
      }
    }
    return values;
  }

  public void testProbabilityOneAndSmallShardsAreExact() throws IOException {
    documents("a", 3000, 3, Settings.EMPTY);
    List<String> stock = json(search("a", plain(SLOW, MOST + "," + WHOLE)).getAggregations());
    for (String parameters :
        List.of("\"probability\":1,\"min_docs\":0", "\"probability\":0.01", "")) {
      SearchResponse ours = search("a", sampled(SLOW, parameters, MOST + "," + WHOLE));
      assertEquals(0, sampler(ours).sampled());
      assertEquals(stock, json(sampler(ours).getAggregations()));
      assertEquals(ours.getHits().getTotalHits().value(), sampler(ours).getDocCount());
    }
  }

  public void testExtremesAndBestHitsAreNeverSampled() throws IOException {
    documents("a", 12_000, 4, Settings.EMPTY);
    BulkRequestBuilder deletes = client().prepareBulk();
    for (int i = 0; i < 12_000; i += 3) { // the last among them
      deletes.add(client().prepareDelete("a", "a" + (12_000 - 1 - i)));
    }
    assertFalse(deletes.get().hasFailures());
    client().admin().indices().prepareRefresh("a").get();
    for (String query : List.of(ALL, SLOW, "{\"term\":{\"level\":\"ERROR\"}}")) {
      List<String> stock = json(search("a", plain(query, WHOLE)).getAggregations());
      SearchResponse ours =
          search("a", sampled(query, "\"probability\":0.02,\"min_docs\":0", WHOLE));
      assertTrue(sampler(ours).sampled() > 0);
      List<String> found =
          json(sampler(ours).getAggregations()).stream()
              .filter(text -> !text.contains("interval"))
              .toList();
      assertEquals(stock, found);
    }
  }

  public void testTheSampleIsThatOfTheSeedWithAnySlices() throws IOException {
    documents("a", 12_000, 6, Settings.EMPTY);
    String body = sampled(SLOW, "\"probability\":0.1,\"min_docs\":0,\"seed\":5", MOST);
    Map<String, Double> first = values(sampler(search("a", body)).getAggregations(), "");
    assertEquals(first, values(sampler(search("a", body)).getAggregations(), ""));
    concurrent("all");
    try {
      Map<String, Double> sliced = values(sampler(search("a", body)).getAggregations(), "");
      assertEquals(first.keySet(), sliced.keySet());
      for (String key : first.keySet()) {
        assertEquals(key, first.get(key), sliced.get(key), Math.abs(first.get(key)) * 0.02 + 1e-6);
        if (key.endsWith("doc_count")) {
          assertEquals(key, first.get(key), sliced.get(key), 0);
        }
      }
      assertEquals(
          json(search("a", plain(SLOW, WHOLE)).getAggregations()),
          json(sampler(search("a", sampled(SLOW, "", WHOLE))).getAggregations()));
    } finally {
      concurrent(null);
    }
    Map<String, Double> other =
        values(
            sampler(search("a", body.replace("\"seed\":5", "\"seed\":6"))).getAggregations(), "");
    assertNotEquals(first, other);
  }

  private void concurrent(String mode) {
    client()
        .admin()
        .cluster()
        .prepareUpdateSettings()
        .setTransientSettings(
            Settings.builder()
                .put("search.concurrent_segment_search.mode", mode)
                .put("search.concurrent.max_slice_count", mode == null ? null : "3"))
        .get();
  }

  public void testShardsAddUpSampledOrNot() throws IOException {
    documents("a", 9000, 2, Settings.builder().put("index.number_of_shards", 3).build());
    documents("small", 100, 1, Settings.EMPTY);
    documents("empty", 0, 0, Settings.EMPTY);
    String parts =
        "\"l\":{\"terms\":{\"field\":\"level\"}},\"c\":{\"value_count\":{\"field\":\"ms\"}},"
            + "\"m\":{\"max\":{\"field\":\"n\"}}";
    SearchResponse response =
        search("a,small,empty", sampled(ALL, "\"probability\":0.1,\"min_docs\":100", parts));
    InternalBlockSampler sampler = sampler(response);
    assertTrue(sampler.sampled() > 0);
    assertEquals(100 + sampler.sampled() * 10, sampler.getDocCount());
    Map<String, Double> values = values(sampler.getAggregations(), "");
    assertEquals(sampler.getDocCount(), values.get("/c"), 0);
    assertEquals(
        sampler.getDocCount(),
        values.entrySet().stream()
            .filter(each -> each.getKey().startsWith("/l/"))
            .filter(each -> each.getKey().endsWith("/doc_count"))
            .mapToDouble(Map.Entry::getValue)
            .sum(),
        0);
    assertEquals(8999, values.get("/m"), 0);
    assertTrue(values.get("/doc_count_interval/lower") <= 9100);
    assertTrue(values.get("/doc_count_interval/upper") >= 9100);
  }

  public void testAnotherPluginsReaderAndDocCountsKeepTheirEffect() throws IOException {
    merged("hidden", 2560);
    SearchResponse response =
        search(
            "hidden",
            sampled(
                ALL,
                "\"probability\":0.1,\"min_docs\":0",
                "\"l\":{\"terms\":{\"field\":\"level\"}},\"n\":{\"min\":{\"field\":\"n\"}}"));
    // every block shows half of its documents
    assertEquals(1280, response.getHits().getTotalHits().value());
    assertEquals(1280, sampler(response).getDocCount());
    createIndex("weights");
    BulkRequestBuilder bulk = client().prepareBulk();
    for (int i = 0; i < 1920; i++) {
      bulk.add(
          client()
              .prepareIndex("weights")
              .setSource(
                  "{\"_doc_count\":5,\"n\":1,\"@timestamp\":\"2026-11-22T10:00:00Z\"}",
                  XContentType.JSON));
    }
    assertFalse(bulk.get().hasFailures());
    client().admin().indices().prepareForceMerge("weights").setMaxNumSegments(1).get();
    client().admin().indices().prepareRefresh("weights").get();
    response =
        search(
            "weights",
            sampled(
                ALL,
                "\"probability\":0.1,\"min_docs\":0",
                "\"h\":{\"histogram\":{\"field\":\"n\",\"interval\":1}},\"t\":{\"date_histogram\":{"
                    + "\"field\":\"@timestamp\",\"fixed_interval\":\"1d\",\"format\":\"yyyy\"}}"));
    assertTrue(sampler(response).sampled() > 0);
    assertEquals(9600, sampler(response).getDocCount());
    Map<String, Double> counts = values(sampler(response).getAggregations(), "");
    assertEquals(9600, counts.get("/h/1.0/doc_count"), 0);
    assertEquals(9600, counts.get("/t/2026/doc_count"), 0);
  }

  public void testItRunsBesideHitsOtherAggregationsAndAProfile() throws IOException {
    documents("a", 5000, 2, Settings.EMPTY);
    SearchResponse response =
        search(
            "a",
            "{\"profile\":true,\"size\":5,\"sort\":[{\"ms\":\"desc\"}],\"track_total_hits\":true,"
                + "\"query\":{\"match_all\":{}},\"aggs\":{\"s\":{\"block_sampler\":{\"min_docs\":0}"
                + ",\"aggs\":{\"l\":{\"terms\":{\"field\":\"level\"}}}},"
                + "\"exact\":{\"terms\":{\"field\":\"level\"}}}}");
    assertEquals(5000, response.getHits().getTotalHits().value());
    assertTrue(sampler(response).sampled() > 0);
    assertFalse(response.getProfileResults().isEmpty());
    MultiBucketsAggregation exact = response.getAggregations().get("exact");
    assertEquals(
        5000,
        exact.getBuckets().stream().mapToLong(MultiBucketsAggregation.Bucket::getDocCount).sum());
    // both count what they find, so nothing may be left out
    for (String limit : List.of("\"min_score\":0.5", "\"terminate_after\":1000")) {
      response = search("a", sampled(ALL, "\"min_docs\":0", MOST).replace("\"size\":0", limit));
      assertEquals(0, sampler(response).sampled());
    }
  }

  public void testErrorsNameFieldValueAndRemedy() {
    createIndex("a");
    Map<String, String> wrong =
        Map.of(
            "\"probability\":0", "[probability] is [0.0]; give a number between",
            "\"probability\":\"lots\"", "[probability] is [lots]; give a number",
            "\"probability\":1.5", "[probability] is [1.5]",
            "\"confidence\":95", "[confidence] is [95.0]; give a number between [0.5] and [0.999]",
            "\"seed\":1.5", "[seed] is [1.5]; give a whole number",
            "\"min_docs\":-1", "[min_docs] is [-1]; give a whole number between [0]",
            "\"p\":0.1", "does not know the field [p]; it takes probability, seed",
            "\"seed\":[1]", "[seed] is no number; it takes probability");
    for (Map.Entry<String, String> each : wrong.entrySet()) {
      Exception e =
          expectThrows(Exception.class, () -> search("a", sampled(ALL, each.getKey(), MOST)));
      assertTrue(trace(e), trace(e).contains(each.getValue()));
    }
    Exception e =
        expectThrows(
            Exception.class,
            () ->
                search(
                    "a",
                    plain(
                        ALL,
                        "\"l\":{\"terms\":{\"field\":\"level\"},\"aggs\":{\"s\":"
                            + "{\"block_sampler\":{}}}}")));
    assertTrue(trace(e), trace(e).contains("[s] stands inside of [l]; let it stand at the top"));
  }

  private static String trace(Throwable e) {
    StringBuilder text = new StringBuilder();
    for (Throwable each = e; each != null; each = each.getCause()) {
      text.append(each).append('\n');
    }
    return text.toString();
  }

  public void testOffThereIsNoSuchAggregation() throws IOException {
    documents("a", 100, 1, Settings.EMPTY);
    switchTo("false");
    try {
      Exception e = expectThrows(Exception.class, () -> search("a", sampled(ALL, "", MOST)));
      assertTrue(trace(e), trace(e).contains("[millrace.search.block_sampler.enabled] is [false]"));
      assertEquals(100, search("a", plain(ALL, MOST)).getHits().getTotalHits().value());
    } finally {
      switchTo(null);
    }
  }

  private void switchTo(String value) {
    set("millrace.search.block_sampler.enabled", value);
  }

  private void set(String key, String value) {
    client()
        .admin()
        .cluster()
        .prepareUpdateSettings()
        .setTransientSettings(Settings.builder().put(key, value))
        .get();
  }

  public void testTheRequestBreakerHolds() throws IOException {
    documents("a", 2000, 1, Settings.EMPTY);
    CircuitBreaker breaker =
        getInstanceFromNode(CircuitBreakerService.class).getBreaker(CircuitBreaker.REQUEST);
    set("indices.breaker.request.limit", "1kb");
    try {
      Exception e =
          expectThrows(
              SearchPhaseExecutionException.class,
              () -> search("a", sampled(ALL, "\"min_docs\":0", MOST)));
      assertTrue(trace(e), trace(e).contains("CircuitBreakingException"));
    } finally {
      set("indices.breaker.request.limit", null);
    }
    assertTrue(sampler(search("a", sampled(ALL, "\"min_docs\":0", MOST))).sampled() > 0);
    assertBusySafely(() -> assertEquals(0, breaker.getUsed()));
  }

  private static void assertBusySafely(Runnable check) throws IOException {
    try {
      assertBusy(check::run);
    } catch (Exception e) {
      throw new IOException(e);
    }
  }

  public void testTheExampleOfThePageRuns() throws IOException {
    documents("logs", 30_000, 1, Settings.EMPTY);
    String page = Files.readString(Path.of("docs/block-sampler.md"), StandardCharsets.UTF_8);
    String example = page.substring(page.indexOf("```\nGET /logs/_search\n") + 22);
    SearchResponse response = search("logs", example.substring(0, example.indexOf("```")));
    InternalBlockSampler sampler = response.getAggregations().get("sample");
    assertTrue(sampler.sampled() > 0);
    assertEquals(
        List.of("doc_count_interval", "latest", "levels", "mean", "mean_interval"),
        sampler.getAggregations().asMap().keySet().stream().sorted().toList());
  }
}
