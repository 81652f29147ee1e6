package io.millrace.plugin.rest;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.opensearch.index.IndexService;
import org.opensearch.index.shard.IndexShard;
import org.opensearch.indices.IndicesService;
import org.opensearch.test.OpenSearchIntegTestCase.ClusterScope;
import org.opensearch.test.OpenSearchIntegTestCase.Scope;

/**
 * write.keyword-truncation as a client sees it: two data nodes, so that replicas are there, too.
 */
@ClusterScope(
    scope = Scope.SUITE,
    numDataNodes = 2,
    numClientNodes = 0,
    supportsDedicatedMasters = false)
public class KeywordTruncationNodeTests extends RestNodeTestCase {
  private static final int LIMIT = 32_766;
  private static final String LONG = "x".repeat(LIMIT) + "tail";

  /**
   * A refused document leaves a no-op in the translog's buffer until the next sync, and the test
   * framework waits ten seconds for every buffer: so the translog is synced often.
   */
  private void createIndex(String index, boolean truncate, String properties) throws IOException {
    ok(
        "PUT",
        "/" + index,
        "{\"settings\":{\"number_of_shards\":1,\"number_of_replicas\":1,"
            + "\"index.translog.durability\":\"async\",\"index.translog.sync_interval\":\"100ms\","
            + "\"index.mapping.keyword.truncate\":"
            + truncate
            + "},\"mappings\":{\"properties\":{"
            + properties
            + "}}}");
    ok("GET", "/_cluster/health/" + index + "?wait_for_status=green&timeout=60s");
  }

  private static String document(String field, String value) {
    return "{\"" + field + "\":\"" + value + "\"}";
  }

  private void setTruncate(String index, String value) throws IOException {
    ok("PUT", "/" + index + "/_settings", "{\"index.mapping.keyword.truncate\":" + value + "}");
  }

  private long termHits(String index, String field, String value) throws IOException {
    ok("POST", "/" + index + "/_refresh");
    return ok(
            "POST",
            "/" + index + "/_count",
            "{\"query\":{\"term\":{\"" + field + "\":\"" + value + "\"}}}")
        .number("count");
  }

  private String bucketKey(String index, String field) throws IOException {
    ok("POST", "/" + index + "/_refresh");
    return String.valueOf(
        ok(
                "POST",
                "/" + index + "/_search?size=0",
                "{\"aggs\":{\"t\":{\"terms\":{\"field\":\"" + field + "\"}}}}")
            .at("aggregations.t.buckets.0.key"));
  }

  private long truncated() throws IOException {
    return ok("GET", "/_millrace/stats")
        .number("features.write\\.keyword-truncation.metrics.values_truncated.value");
  }

  public void testOffRefusesAsStock() throws IOException {
    createIndex("off", false, "\"k\":{\"type\":\"keyword\"}");
    Answer refused = call("PUT", "/off/_doc/1", document("k", LONG));
    assertEquals(400, refused.status());
    assertTrue(refused.text(), refused.text().contains("immense term"));
  }

  public void testTermAndDocValueAreCutAndTheSourceIsWhole() throws IOException {
    createIndex("cut", true, "\"k\":{\"type\":\"keyword\"}");
    long before = truncated();
    ok("PUT", "/cut/_doc/1", document("k", LONG));
    assertEquals(1, termHits("cut", "k", LONG.substring(0, LIMIT)));
    assertEquals(LONG.substring(0, LIMIT), bucketKey("cut", "k"));
    assertEquals(LONG, ok("GET", "/cut/_doc/1").at("_source.k"));
    assertEquals("primary and replica", 2, truncated() - before);
    assertEquals(1, termHits("cut", "_ignored", "k"));
    ok("PUT", "/cut/_doc/2", document("k", "short"));
    assertEquals(1, termHits("cut", "_ignored", "k"));
  }

  public void testExactLimitIsLeftAlone() throws IOException {
    createIndex("exact", true, "\"k\":{\"type\":\"keyword\"}");
    long before = truncated();
    ok("PUT", "/exact/_doc/1", document("k", LONG.substring(0, LIMIT)));
    assertEquals(LONG.substring(0, LIMIT), bucketKey("exact", "k"));
    assertEquals(before, truncated());
  }

  public void testCutsBetweenCharacters() throws IOException {
    createIndex("utf8", true, "\"k\":{\"type\":\"keyword\"}");
    for (String character : new String[] {"é", "漢", "\uD83D\uDE00"}) {
      for (int shift = 0; shift < 4; shift++) {
        ok("PUT", "/utf8/_doc/1", document("k", "y".repeat(shift) + character.repeat(20_000)));
        String key = bucketKey("utf8", "k");
        int bytes = key.getBytes(StandardCharsets.UTF_8).length;
        assertTrue(character + shift + " " + bytes, bytes <= LIMIT && bytes > LIMIT - 4);
        assertTrue(key.endsWith(character));
        assertFalse(key.contains("\uFFFD"));
      }
    }
  }

  public void testDynamicSettingAndSwitch() throws IOException {
    createIndex("dynamic", false, "\"k\":{\"type\":\"keyword\"}");
    assertEquals(400, call("PUT", "/dynamic/_doc/1", document("k", LONG)).status());
    setTruncate("dynamic", "true");
    ok("PUT", "/dynamic/_doc/1", document("k", LONG));
    String node = "{\"persistent\":{\"millrace.write.keyword_truncation.enabled\":%s}}";
    ok("PUT", "/_cluster/settings", node.formatted("false"));
    assertEquals(400, call("PUT", "/dynamic/_doc/2", document("k", LONG)).status());
    ok("PUT", "/_cluster/settings", node.formatted("null"));
    setTruncate("dynamic", "null");
    assertEquals(400, call("PUT", "/dynamic/_doc/2", document("k", LONG)).status());
  }

  public void testMultiFieldsArraysAndNestedDocuments() throws IOException {
    createIndex(
        "shapes",
        true,
        """
        "m":{"type":"text","fields":{"keyword":{"type":"keyword"}}},
        "o":{"type":"nested","properties":{"k":{"type":"keyword"}}},
        "c":{"type":"keyword","copy_to":"all"},"all":{"type":"keyword","index":false},
        "n":{"type":"keyword","doc_values":false}\
        """);
    String words = "word ".repeat(10_000);
    ok("PUT", "/shapes/_doc/1", document("m", words));
    assertEquals(1, termHits("shapes", "m.keyword", words.substring(0, LIMIT)));
    assertEquals("text is not cut", 1, termHits("shapes", "m", "word"));
    ok("PUT", "/shapes/_doc/2", "{\"o\":[{\"k\":\"" + LONG + "\"},{\"k\":\"short\"}]}");
    ok("PUT", "/shapes/_doc/3", "{\"c\":[\"a\",\"" + LONG + "\",\"b" + LONG + "\"]}");
    assertEquals(1, termHits("shapes", "c", "b" + LONG.substring(0, LIMIT - 1)));
    assertEquals(1, termHits("shapes", "c", "a"));
    ok("PUT", "/shapes/_doc/4", document("n", LONG));
    assertEquals(1, termHits("shapes", "n", LONG.substring(0, LIMIT)));
  }

  public void testIgnoreAboveAndNormalizerComeFirst() throws IOException {
    ok(
        "PUT",
        "/first",
        """
        {"settings":{"number_of_shards":1,"number_of_replicas":0,"index.mapping.keyword.truncate":true,
          "analysis":{"normalizer":{"low":{"type":"custom","filter":["lowercase"]}}}},
         "mappings":{"properties":{"i":{"type":"keyword","ignore_above":100},
          "l":{"type":"keyword","normalizer":"low"}}}}\
        """);
    ok("PUT", "/first/_doc/1", document("i", LONG));
    assertEquals(0, ok("POST", "/first/_count?q=_exists_:i").number("count"));
    ok("PUT", "/first/_doc/2", document("l", "X" + LONG));
    assertEquals(1, termHits("first", "l", LONG.substring(0, LIMIT)));
  }

  public void testStoredFieldsStayWhole() throws IOException {
    createIndex(
        "stored",
        true,
        "\"s\":{\"type\":\"keyword\",\"store\":true},"
            + "\"only\":{\"type\":\"keyword\",\"store\":true,\"index\":false,\"doc_values\":false}");
    ok("PUT", "/stored/_doc/1", "{\"s\":\"" + LONG + "\",\"only\":\"" + LONG + "\"}");
    assertEquals(1, termHits("stored", "s", LONG.substring(0, LIMIT)));
    Answer hit = ok("GET", "/stored/_search?stored_fields=s,only");
    assertEquals(LONG, hit.at("hits.hits.0.fields.s.0"));
    assertEquals(LONG, hit.at("hits.hits.0.fields.only.0"));
  }

  public void testOtherTypesStayStock() throws IOException {
    createIndex("other", true, "\"f\":{\"type\":\"flat_object\"}");
    createIndex("stock", false, "\"f\":{\"type\":\"flat_object\"}");
    String body = "{\"f\":{\"a\":\"" + LONG + "\"}}";
    assertEquals(
        call("PUT", "/stock/_doc/1", body).status(), call("PUT", "/other/_doc/1", body).status());
  }

  public void testDerivedSourceIsLeftToStock() throws IOException {
    ok(
        "PUT",
        "/derived",
        """
        {"settings":{"number_of_shards":1,"number_of_replicas":0,"index.mapping.keyword.truncate":true,
          "index.derived_source.enabled":true},
         "mappings":{"properties":{"k":{"type":"keyword"}}}}\
        """);
    assertEquals(400, call("PUT", "/derived/_doc/1", document("k", LONG)).status());
    ok("PUT", "/derived/_doc/1", document("k", "short"));
  }

  /** What was accepted while on must survive replay and recovery after it was turned off. */
  public void testReplayAndRecoveryAfterTurningOff() throws Exception {
    ok(
        "PUT",
        "/replay",
        """
        {"settings":{"number_of_shards":1,"number_of_replicas":0,"index.mapping.keyword.truncate":true,
          "index.translog.flush_threshold_size":"512mb"},
         "mappings":{"properties":{"k":{"type":"keyword"}}}}\
        """);
    ok("PUT", "/replay/_doc/1", document("k", LONG));
    setTruncate("replay", "false");
    failPrimary("replay");
    Answer recovery = ok("GET", "/replay/_recovery");
    assertEquals("EXISTING_STORE", recovery.at("replay.shards.0.type"));
    assertEquals(recovery.text(), 1, recovery.number("replay.shards.0.translog.recovered"));
    assertEquals(1, termHits("replay", "k", LONG.substring(0, LIMIT)));
    ok("PUT", "/replay/_settings", "{\"index.number_of_replicas\":1}");
    ok("GET", "/_cluster/health/replay?wait_for_status=green&timeout=60s");
    for (String copy : new String[] {"_primary", "_replica"}) {
      Map<?, ?> hits =
          (Map<?, ?>) ok("GET", "/replay/_search?preference=" + copy + "&size=1").at("hits.total");
      assertEquals(copy, 1, ((Number) hits.get("value")).intValue());
    }
    assertEquals(LONG, ok("GET", "/replay/_doc/1").at("_source.k"));
  }

  /** The shard starts again from its files and its translog, as after a crash. */
  private void failPrimary(String index) throws Exception {
    long term = primaryTerm(index);
    for (IndicesService node : internalCluster().getInstances(IndicesService.class)) {
      IndexService service = node.indexService(resolveIndex(index));
      if (service != null && service.getShardOrNull(0) instanceof IndexShard shard) {
        shard.failShard("as a crash would", null);
      }
    }
    assertBusy(() -> assertTrue(primaryTerm(index) > term), 120, TimeUnit.SECONDS);
    ok("GET", "/_cluster/health/" + index + "?wait_for_status=green&timeout=60s");
  }

  private long primaryTerm(String index) {
    return clusterService().state().metadata().index(index).primaryTerm(0);
  }

  public void testBadValueIsNamed() throws IOException {
    Answer refused =
        call("PUT", "/bad", "{\"settings\":{\"index.mapping.keyword.truncate\":\"maybe\"}}");
    assertEquals(400, refused.status());
    assertTrue(refused.text(), refused.text().contains("maybe"));
  }
}
