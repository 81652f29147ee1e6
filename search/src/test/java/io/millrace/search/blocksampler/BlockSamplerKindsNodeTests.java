package io.millrace.search.blocksampler;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.common.settings.Settings;
import org.opensearch.search.aggregations.Aggregation;
import org.opensearch.search.aggregations.Aggregations;
import org.opensearch.search.aggregations.HasAggregations;
import org.opensearch.search.aggregations.bucket.MultiBucketsAggregation;
import org.opensearch.search.aggregations.bucket.SingleBucketAggregation;
import org.opensearch.search.aggregations.metrics.NumericMetricsAggregation;

/** Every kind of aggregation that is sampled, beside the same one over all documents. */
public class BlockSamplerKindsNodeTests extends BlockSamplerTestCase {
  private static final String ALL = "{\"match_all\":{}}";
  private static final String SOME =
      "{\"bool\":{\"filter\":[{\"range\":{\"@timestamp\":{\"gte\":1795001000000}}},"
          + "{\"terms\":{\"level\":[\"INFO\",\"ERROR\"]}}]}}";
  private static final String INSIDE =
      ",\"aggs\":{\"t\":{\"terms\":{\"field\":\"level\"},\"aggs\":{"
          + "\"sum\":{\"sum\":{\"field\":\"ms\"}},\"count\":{\"value_count\":{\"field\":\"ms\"}},"
          + "\"mean\":{\"avg\":{\"field\":\"ms\"}}}}}";

  /** Whole numbers in them are counts that a sample can come near to. */
  private static final List<String> KINDS =
      List.of(
          "{\"terms\":{\"field\":\"level\"}" + INSIDE + "}",
          "{\"terms\":{\"field\":\"level\",\"order\":{\"_key\":\"desc\"},\"min_doc_count\":0}"
              + INSIDE
              + "}",
          "{\"terms\":{\"field\":\"nowhere\",\"missing\":\"none\"}" + INSIDE + "}",
          "{\"terms\":{\"field\":\"nowhere\"}" + INSIDE + "}",
          "{\"multi_terms\":{\"terms\":[{\"field\":\"level\"},"
              + "{\"field\":\"level\"}]}"
              + INSIDE
              + "}",
          "{\"date_histogram\":{\"field\":\"@timestamp\",\"fixed_interval\":\"1h\"}" + INSIDE + "}",
          "{\"date_histogram\":{\"field\":\"@timestamp\",\"calendar_interval\":\"1h\","
              + "\"time_zone\":\"Asia/Kolkata\",\"min_doc_count\":0,\"keyed\":true,"
              + "\"extended_bounds\":{\"min\":1794990000000,\"max\":1795050000000}}"
              + INSIDE
              + "}",
          "{\"histogram\":{\"field\":\"ms\",\"interval\":25,\"min_doc_count\":3000}" + INSIDE + "}",
          "{\"range\":{\"field\":\"ms\",\"ranges\":[{\"key\":\"x\",\"to\":10},"
              + "{\"key\":\"x\",\"from\":10},{\"from\":5,\"to\":30}]}"
              + INSIDE
              + "}",
          "{\"date_range\":{\"field\":\"@timestamp\",\"ranges\":[{\"to\":1795006000000},"
              + "{\"from\":1795006000000}],\"keyed\":true}"
              + INSIDE
              + "}",
          "{\"filters\":{\"filters\":[{\"term\":{\"level\":\"INFO\"}},"
              + "{\"range\":{\"ms\":{\"gt\":20}}}],\"other_bucket\":true}"
              + INSIDE
              + "}",
          "{\"filter\":{\"range\":{\"ms\":{\"gt\":20}}}" + INSIDE + "}",
          "{\"missing\":{\"field\":\"n\"}" + INSIDE + "}");

  public void testEachKindComesNearToTheTruth() throws IOException {
    documents("a", 24_000, 3, Settings.EMPTY);
    for (String query : List.of(ALL, SOME)) {
      for (String kind : KINDS) {
        String aggregation = "\"k\":" + kind;
        Map<String, Double> truth =
            flat(search("a", plain(query, aggregation)).getAggregations(), "");
        SearchResponse response =
            search("a", sampled(query, "\"probability\":0.25,\"min_docs\":0", aggregation));
        assertTrue(sampler(response).sampled() > 0);
        Map<String, Double> found = flat(sampler(response).getAggregations(), "");
        truth.forEach((path, value) -> {
          Double estimate = found.get(path);
          assertNotNull(kind + path + " is not in " + found.keySet(), estimate);
          // of milliseconds, which vary as much as they are, a bucket may have a few hundred
          boolean varies = path.endsWith("/mean") || path.endsWith("/sum");
          double most = varies ? 0.4 * value + 2500 : 0.15 * value + 300;
          assertEquals(kind + path, value, estimate, most);
          if (path.endsWith("/docs")) {
            assertEquals(kind + path, 0, estimate % 4, 0);
          }
        });
        assertEquals(kind, truth.keySet(), found.keySet());
      }
    }
  }

  /** Stock's collector by the skip list is not taken beside hard bounds, which here leave all. */
  public void testADateHistogramBySkipListsIsTheSame() throws IOException {
    documents("a", 24_000, 3, Settings.EMPTY);
    concurrent("none"); // stock's profile of several slices asserts that it visits each segment
    for (String query : List.of(ALL, SOME)) {
      for (String interval : List.of("10m", "3h", "1d")) {
        String histogram =
            "{\"date_histogram\":{\"field\":\"@timestamp\",\"fixed_interval\":\""
                + interval
                + "\"%s}"
                + INSIDE
                + "}";
        String bounds = ",\"hard_bounds\":{\"min\":0,\"max\":2000000000000}";
        String both =
            "\"skip\":" + histogram.formatted("") + ",\"each\":" + histogram.formatted(bounds);
        String body = sampled(query, "\"probability\":0.2,\"min_docs\":0", both);
        SearchResponse response = search("a", body.replaceFirst("\\{", "{\"profile\":true,"));
        assertTrue(sampler(response).sampled() > 0);
        Aggregations found = sampler(response).getAggregations();
        assertEquals(
            flat(new Aggregations(List.of(found.get("each"))), "")
                .toString()
                .replace("/each/", "/skip/"),
            flat(new Aggregations(List.of(found.get("skip"))), "").toString());
        // ten groups in each of the segments
        assertTrue(
            response.toString(),
            response.toString().replaceAll("\\s", "").contains("skip_list_collectors_used\":3"));
      }
    }
    concurrent(null);
  }

  private void concurrent(String mode) {
    client()
        .admin()
        .cluster()
        .prepareUpdateSettings()
        .setTransientSettings(Settings.builder().put("search.concurrent_segment_search.mode", mode))
        .get();
  }

  public void testWhatShowsHowFarOffItIsWithoutASampleIsNotSampled() throws IOException {
    documents("a", 8000, 2, Settings.EMPTY);
    String errors =
        "\"k\":{\"terms\":{\"field\":\"n\",\"size\":3,\"shard_size\":4,"
            + "\"show_term_doc_count_error\":true}}";
    assertEquals(
        json(search("a", plain(ALL, errors)).getAggregations()),
        json(
                sampler(search("a", sampled(ALL, "\"probability\":0.1,\"min_docs\":0", errors)))
                    .getAggregations())
            .stream()
            .filter(text -> text.startsWith("{\"k\""))
            .toList());
  }

  public void testASampleOfNextToNothingIsNotTaken() throws IOException {
    documents("a", 8000, 2, Settings.EMPTY);
    String terms = "\"l\":{\"terms\":{\"field\":\"level\"}}";
    for (String parameters :
        List.of(
            "\"probability\":0.000001,\"min_docs\":0", "\"probability\":0.1,\"min_docs\":801")) {
      InternalBlockSampler sampler = sampler(search("a", sampled(ALL, parameters, terms)));
      assertEquals(8000, sampler.getDocCount());
      assertTrue(sampler.toString(), sampler.toString().contains("\"probability\":1.0"));
    }
    // what is sampled says so, even if nothing was found: that is no proof of nothing
    String nothing =
        "{\"bool\":{\"filter\":[{\"range\":{\"ms\":{\"lt\":10}}},{\"range\":{\"ms\":{\"gte\":10}}}]}}";
    InternalBlockSampler sampler =
        sampler(search("a", sampled(nothing, "\"probability\":0.1,\"min_docs\":0", terms)));
    assertEquals(0, sampler.sampled());
    assertTrue(sampler.toString(), sampler.toString().contains("\"probability\":0.1"));
    assertFalse(sampler.toString(), sampler.toString().contains("interval"));
  }

  /** Counts and values by their paths; of buckets with the same key the last one. */
  private static Map<String, Double> flat(Aggregations all, String above) {
    Map<String, Double> values = new TreeMap<>();
    for (Aggregation each : all) {
      String path = above + "/" + each.getName();
      if (each instanceof MultiBucketsAggregation buckets) {
        for (MultiBucketsAggregation.Bucket bucket : buckets.getBuckets()) {
          String key = path + "/" + bucket.getKeyAsString();
          values.put(key + "/docs", (double) bucket.getDocCount());
          values.putAll(flat(bucket.getAggregations(), key));
        }
      } else if (each instanceof NumericMetricsAggregation.SingleValue value) {
        values.put(path, value.value());
      } else if (each instanceof SingleBucketAggregation bucket) {
        values.put(path + "/docs", (double) bucket.getDocCount());
        values.putAll(flat(((HasAggregations) each).getAggregations(), path));
      }
    }
    return values;
  }
}
