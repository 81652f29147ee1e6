package io.millrace.write.lenientparsing;

import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertAcked;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.action.bulk.BulkResponse;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.plugins.Plugin;
import org.opensearch.search.SearchHit;
import org.opensearch.test.OpenSearchIntegTestCase;
import org.opensearch.test.OpenSearchIntegTestCase.ClusterScope;

/** Replicas, recoveries and the replay of a translog come to what the primary came to. */
@ClusterScope(numDataNodes = 2, supportsDedicatedMasters = false, numClientNodes = 0)
public class LenientParsingReplicaNodeTests extends OpenSearchIntegTestCase {
  private static final String INDEX = "logs";

  @Override
  protected Collection<Class<? extends Plugin>> nodePlugins() {
    List<Class<? extends Plugin>> plugins = new ArrayList<>(super.nodePlugins());
    plugins.add(LenientParsingHost.class);
    return plugins;
  }

  @Override
  protected boolean addMockInternalEngine() {
    // brings an engine of its own, and OpenSearch takes one per index
    return false;
  }

  private int send(Random random, int bulks) {
    int sent = 0;
    for (int i = 0; i < bulks; i++) {
      BulkRequestBuilder bulk = client().prepareBulk();
      for (int j = 0; j < 40; j++) {
        bulk.add(
            new IndexRequest(INDEX)
                .source(
                    new BytesArray(HostileDocuments.next(random).getBytes(StandardCharsets.UTF_8)),
                    XContentType.JSON));
        sent++;
      }
      BulkResponse response = bulk.get();
      assertFalse(
          response.hasFailures() ? shortened(response.buildFailureMessage()) : "",
          response.hasFailures());
    }
    return sent;
  }

  /** What one copy finds: every document's ignored fields, timestamp and status. */
  private Map<String, String> copy(String preference, int documents) {
    SearchResponse found =
        client()
            .prepareSearch(INDEX)
            .setPreference(preference)
            .setSize(documents)
            .setQuery(QueryBuilders.matchAllQuery())
            .addDocValueField("@timestamp")
            .addDocValueField("status")
            .get();
    assertEquals(0, found.getFailedShards());
    Map<String, String> copy = new TreeMap<>();
    for (SearchHit hit : found.getHits()) {
      List<String> fields = new ArrayList<>();
      for (String name : List.of("_ignored", "@timestamp", "status")) {
        Object[] values =
            hit.field(name) == null ? new Object[0] : hit.field(name).getValues().toArray();
        if (name.equals("_ignored")) {
          // a path may be named at another depth where the mapping has changed since
          values =
              Arrays.stream(values)
                  .map(value -> value.toString().replaceAll("(?<=.)\\..*", ""))
                  .distinct()
                  .toArray();
        }
        Arrays.sort(values);
        fields.add(name + Arrays.toString(values));
      }
      copy.put(hit.getId(), fields + hit.getSourceAsString());
    }
    return copy;
  }

  private static void assertSame(Map<String, String> expected, Map<String, String> actual) {
    assertEquals(expected.keySet(), actual.keySet());
    expected.forEach((id, document) ->
        assertTrue(
            shortened(document) + " <> " + shortened(actual.get(id)),
            document.equals(actual.get(id))));
  }

  private static String shortened(String document) {
    return document.replaceAll("w{1000,}", "www").replaceAll("0{100,}", "000");
  }

  public void testEveryCopyAndEveryReplayHoldsTheSame() throws Exception {
    assertAcked(
        prepareCreate(INDEX)
            .setSettings(
                Settings.builder()
                    .put("index.number_of_shards", 1)
                    .put("index.number_of_replicas", 1)
                    .put("index.refresh_interval", "-1")
                    .put("index.millrace.lenient_parsing.enabled", true)
                    .put("index.mapping.total_fields.limit", 60))
            .setMapping(
                """
                {"properties": {
                  "@timestamp": {"type": "date"},
                  "status": {"type": "long"},
                  "unmapped": {"type": "flat_object"}}}
                """));
    ensureGreen(INDEX);
    Random random = new Random(random().nextLong());
    int documents = send(random, 10);
    refresh(INDEX);
    Map<String, String> primary = copy("_primary", documents);
    assertEquals(documents, primary.size());
    assertSame(primary, copy("_replica", documents));

    // not flushed: the copies replay their translogs, with the setting off
    client()
        .admin()
        .indices()
        .prepareUpdateSettings(INDEX)
        .setSettings(Settings.builder().put("index.millrace.lenient_parsing.enabled", false))
        .get();
    internalCluster().fullRestart();
    ensureGreen(INDEX);
    refresh(INDEX);
    assertSame(primary, copy("_primary", documents));
    assertSame(primary, copy("_replica", documents));

    // a copy made by peer recovery
    client()
        .admin()
        .indices()
        .prepareUpdateSettings(INDEX)
        .setSettings(
            Settings.builder()
                .put("index.millrace.lenient_parsing.enabled", true)
                .put("index.number_of_replicas", 0))
        .get();
    documents += send(random, 3);
    client()
        .admin()
        .indices()
        .prepareUpdateSettings(INDEX)
        .setSettings(Settings.builder().put("index.number_of_replicas", 1))
        .get();
    ensureGreen(INDEX);
    refresh(INDEX);
    primary = copy("_primary", documents);
    assertEquals(documents, primary.size());
    assertSame(primary, copy("_replica", documents));
  }

  /** What a primary did with the first value of a field must hold on a copy that comes later. */
  public void testFirstValuesThatNoNumberTypeHolds() throws Exception {
    assertAcked(
        prepareCreate(INDEX)
            .setSettings(
                Settings.builder()
                    .put("index.number_of_shards", 1)
                    .put("index.number_of_replicas", 0)
                    .put("index.millrace.lenient_parsing.enabled", true)));
    List<String> sent = new ArrayList<>();
    List<String> numbers = List.of("1e361", "-1e39", "9".repeat(30), "[1e361]", "[{\"in\":1e361}]");
    List<String> names = List.of("n", " ", "o.n");
    for (String name : names) {
      for (String number : numbers) {
        String field = name + numbers.indexOf(number);
        sent.add("{\"%s\":%s,\"status\":5}".formatted(field, number));
        sent.add("{\"%s\":\"two words\"}".formatted(field));
        sent.add("{\"%s\":7}".formatted(field));
      }
    }
    sent.add("{\" \":1e361}");
    sent.add("{\" \":\"two words\"}");
    for (String document : sent) {
      client().prepareIndex(INDEX).setSource(document, XContentType.JSON).get();
    }
    assertAcked(
        client()
            .admin()
            .indices()
            .prepareUpdateSettings(INDEX)
            .setSettings(Settings.builder().put("index.number_of_replicas", 1)));
    ensureGreen(INDEX);
    refresh(INDEX);
    Map<String, String> primary = copy("_primary", sent.size());
    assertEquals(sent.size(), primary.size());
    assertSame(primary, copy("_replica", sent.size()));
    for (String copy : List.of("_primary", "_replica")) {
      for (String field : List.of("n0", " 0", "o.n0", " ")) {
        assertEquals(
            field + " on " + copy,
            1,
            client()
                .prepareSearch(INDEX)
                .setPreference(copy)
                .setQuery(QueryBuilders.matchQuery(field, "1e361"))
                .get()
                .getHits()
                .getHits()
                .length);
      }
    }
  }

  /** A document that came while there was room for fields is read alike when there is none. */
  public void testRoomForFieldsThatIsGoneLater() throws Exception {
    assertAcked(
        prepareCreate(INDEX)
            .setSettings(
                Settings.builder()
                    .put("index.number_of_shards", 1)
                    .put("index.number_of_replicas", 0)
                    .put("index.millrace.lenient_parsing.enabled", true)
                    .put("index.mapping.total_fields.limit", 60))
            .setMapping("{\"properties\": {\"status\": {\"type\": \"long\"}}}"));
    List<String> sent =
        new ArrayList<>(
            List.of(
                "{\"status\":\"no\",\"nothing\":[[]]}",
                "{\"status\":\"no\",\"nulls\":[[null],null]}",
                "{\"status\":\"no\",\"mixed\":[\"word\",{},\"word\"]}",
                "{\"status\":\"no\",\"deep\":[[{\"in\":1}],[[{\"in\":2,\"b..c\":3}]]]}"));
    sent.add("{\"status\":\"no\",\"none\":[[{}]]}");
    for (int i = 0; i < 80; i++) {
      sent.add("{\"status\":\"no\",\"new_" + i + "\":[" + i + ",{}]}");
    }
    for (String document : sent) {
      client().prepareIndex(INDEX).setSource(document, XContentType.JSON).get();
    }
    assertAcked(
        client()
            .admin()
            .indices()
            .prepareUpdateSettings(INDEX)
            .setSettings(Settings.builder().put("index.number_of_replicas", 1)));
    ensureGreen(INDEX);
    refresh(INDEX);
    Map<String, String> primary = copy("_primary", sent.size());
    assertEquals(sent.size(), primary.size());
    assertSame(primary, copy("_replica", sent.size()));
  }
}
