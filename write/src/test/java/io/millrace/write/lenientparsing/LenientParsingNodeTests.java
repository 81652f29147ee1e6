package io.millrace.write.lenientparsing;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.opensearch.action.DocWriteRequest;
import org.opensearch.action.bulk.BulkItemResponse;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.action.bulk.BulkResponse;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.cluster.metadata.MappingMetadata;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.plugins.Plugin;
import org.opensearch.plugins.PluginsService;
import org.opensearch.search.SearchHit;
import org.opensearch.test.OpenSearchSingleNodeTestCase;

/** One node: hostile documents are all taken, found by what the mapping takes, and named. */
public class LenientParsingNodeTests extends OpenSearchSingleNodeTestCase {
  private static final String INDEX = "logs";

  private static final String MAPPING =
      """
      {"properties": {
        "@timestamp": {"type": "date"},
        "status": {"type": "long"},
        "message": {"type": "text"},
        "host": {"properties": {"name": {"type": "keyword"}}},
        "unmapped": {"type": "flat_object"}}}
      """;

  @Override
  protected Collection<Class<? extends Plugin>> getPlugins() {
    return List.of(LenientParsingHost.class);
  }

  private LenientParsingFeature feature() {
    return getInstanceFromNode(PluginsService.class)
        .filterPlugins(LenientParsingHost.class)
        .get(0)
        .feature();
  }

  private void create(boolean lenient, int fields) {
    client()
        .admin()
        .indices()
        .prepareCreate(INDEX)
        .setSettings(
            Settings.builder()
                .put("index.number_of_shards", 1)
                .put("index.number_of_replicas", 0)
                .put("index.millrace.lenient_parsing.enabled", lenient)
                .put("index.mapping.total_fields.limit", fields))
        .setMapping(MAPPING)
        .get();
  }

  private BulkResponse send(BytesReference... documents) {
    BulkRequestBuilder bulk = client().prepareBulk();
    for (BytesReference document : documents) {
      bulk.add(new IndexRequest(INDEX).source(document, XContentType.JSON));
    }
    BulkResponse response = bulk.get();
    client().admin().indices().prepareRefresh(INDEX).get();
    return response;
  }

  private static BytesReference json(String document) {
    return new BytesArray(document.getBytes(StandardCharsets.UTF_8));
  }

  private SearchHit taken(String document) {
    return taken(json(document));
  }

  /** Sends one document and returns it as a search gives it back. */
  private SearchHit taken(BytesReference document) {
    BulkItemResponse item = send(document).getItems()[0];
    assertFalse(item.getFailureMessage(), item.isFailed());
    SearchResponse found =
        client()
            .prepareSearch(INDEX)
            .setQuery(QueryBuilders.idsQuery().addIds(item.getId()))
            .addFetchField("@timestamp")
            .get();
    return found.getHits().getAt(0);
  }

  private static Set<String> ignored(SearchHit hit) {
    return hit.field("_ignored") == null
        ? Set.of()
        : new TreeSet<>(hit.field("_ignored").getValues().stream().map(String::valueOf).toList());
  }

  private long count(QueryBuilder query) {
    return client()
        .prepareSearch(INDEX)
        .setQuery(query)
        .setSize(0)
        .get()
        .getHits()
        .getTotalHits()
        .value();
  }

  public void testOffRefusesAsStock() {
    create(false, 1000);
    assertTrue(send(json("{\"status\":\"fine\"}")).hasFailures());
  }

  public void testSwitchOffRefusesAsStock() {
    create(true, 1000);
    String key = "millrace.write.lenient_parsing.enabled";
    client()
        .admin()
        .cluster()
        .prepareUpdateSettings()
        .setTransientSettings(Settings.builder().put(key, false))
        .get();
    try {
      assertTrue(send(json("{\"status\":\"fine\"}")).hasFailures());
    } finally {
      client()
          .admin()
          .cluster()
          .prepareUpdateSettings()
          .setTransientSettings(Settings.builder().putNull(key))
          .get();
    }
  }

  public void testValueOfAnotherType() {
    create(true, 1000);
    String document = "{\"status\":\"fine\",\"message\":\"hello world\"}";
    SearchHit hit = taken(document);
    assertEquals(document, hit.getSourceAsString());
    assertEquals(Set.of("status"), ignored(hit));
    assertEquals(1, count(QueryBuilders.matchQuery("message", "hello")));
    assertEquals(0, count(QueryBuilders.existsQuery("status")));
    assertEquals(1, count(QueryBuilders.termQuery("unmapped.status", "fine")));
    assertEquals(1, count(QueryBuilders.termQuery("_ignored", "status")));
  }

  public void testOnlyTheOddElementsOfAnArray() {
    create(true, 1000);
    SearchHit hit = taken("{\"status\":[1,null,\"x\",3,{\"a\":1},[4,\"y\"]]}");
    assertEquals(Set.of("status"), ignored(hit));
    for (int value : new int[] {1, 3, 4}) {
      assertEquals(1, count(QueryBuilders.termQuery("status", value)));
    }
    assertEquals(1, count(QueryBuilders.termQuery("unmapped.status", "y")));
  }

  public void testObjectWhereAValueIsMappedAndTheReverse() {
    create(true, 1000);
    SearchHit object = taken("{\"status\":{\"code\":200},\"message\":\"one\"}");
    assertEquals(Set.of("status"), ignored(object));
    assertEquals(1, count(QueryBuilders.termQuery("unmapped.status.code", "200")));
    SearchHit value = taken("{\"host\":\"web-1\",\"message\":\"two\"}");
    assertEquals(Set.of("host"), ignored(value));
    assertEquals(1, count(QueryBuilders.termQuery("unmapped.host", "web-1")));
    assertTrue(feature().ignoredValues().documents() >= 2);
  }

  public void testDottedNamesThatClash() {
    create(true, 1000);
    SearchHit hit =
        taken("{\"code.function\":\"f\",\"code.function.name\":\"g\",\"a..b\":1,\"\":2,\" \":3}");
    assertEquals(1, count(QueryBuilders.matchQuery("code.function", "f")));
    assertTrue(ignored(hit).toString(), ignored(hit).contains("code.function.name"));
    assertTrue(ignored(hit).toString(), ignored(hit).contains("a..b"));
    assertEquals(1, count(QueryBuilders.termQuery("unmapped.code.function.name", "g")));
  }

  public void testFieldsBeyondTheLimitAreInTheFlatField() {
    create(true, 40);
    StringBuilder many = new StringBuilder("{\"message\":\"wide\"");
    for (int i = 0; i < 5000; i++) {
      many.append(",\"field_").append(i).append("\":").append(i);
    }
    SearchHit hit = taken(many.append('}').toString());
    assertEquals(1, count(QueryBuilders.matchQuery("message", "wide")));
    assertEquals(1, count(QueryBuilders.termQuery("unmapped.field_4999", "4999")));
    assertTrue(ignored(hit).contains("field_4999"));
    // what there is room for is mapped
    assertEquals(1, count(QueryBuilders.termQuery("field_0", 0)));
    assertEquals(many.toString(), hit.getSourceAsString());
  }

  /** Stock loses the documents of some of these names, and the shard with others. */
  public void testNamesOfLucenesOwnFieldsAreLeftOut() {
    create(true, 1000);
    List<String> names =
        List.of(
            "__soft_deletes", "_tombstone", "_primary_term", "_recovery_source", "__nested_parent");
    int documents = 0;
    for (String name : names) {
      for (String value : List.of("1", "\"x\"", "[\"x\",{\"a\":1}]")) {
        String document = "{\"" + name + "\":" + value + ",\"message\":\"kept\"}";
        SearchHit hit = taken(document);
        assertEquals(document, hit.getSourceAsString());
        assertEquals(Set.of(name), ignored(hit));
        documents++;
      }
      assertEquals(2, count(QueryBuilders.termQuery("unmapped." + name, "x")));
    }
    // below an object they are names as any other
    assertEquals(Set.of(), ignored(taken("{\"o\":{\"__soft_deletes\":1},\"message\":\"kept\"}")));
    assertEquals(Set.of(), ignored(taken("{\"_tombstone\":{\"x\":1},\"message\":\"kept\"}")));
    assertEquals(documents + 2, count(QueryBuilders.matchQuery("message", "kept")));
    // a document that Lucene refuses becomes a no-op, with a tombstone in the field of that name
    MappingMetadata mapping =
        client().admin().indices().prepareGetMappings(INDEX).get().mappings().get(INDEX);
    Map<?, ?> properties = (Map<?, ?>) mapping.sourceAsMap().get("properties");
    names.stream()
        .filter(name -> !name.equals("_tombstone"))
        .forEach(name -> assertFalse(name, properties.containsKey(name)));
  }

  public void testNamesOfManyParts() {
    create(true, 1000);
    String name = "d.".repeat(400) + "d";
    SearchHit hit = taken("{\"" + name + "\":\"far\",\"message\":\"many parts\",\"status\":5}");
    assertEquals(Set.of(name), ignored(hit));
    assertEquals(1, count(QueryBuilders.termQuery("status", 5)));
    assertEquals(1, count(QueryBuilders.termQuery("unmapped." + name, "far")));
    // the deepest that the mapping takes is not left out
    String deepest = "e.".repeat(19) + "e";
    assertEquals(Set.of(), ignored(taken("{\"" + deepest + "\":1}")));
    assertEquals(1, count(QueryBuilders.termQuery(deepest, 1)));
    assertEquals(Set.of("e." + deepest), ignored(taken("{\"e." + deepest + "\":1}")));
  }

  /** More values than are judged: what was judged is found, the rest is left out. */
  public void testManyOddElements() {
    create(true, 1000);
    StringBuilder odd = new StringBuilder("{\"message\":\"odd\",\"status\":[1");
    for (int i = 0; i < 20_000; i++) {
      odd.append(",{\"a\":").append(i).append("},\"x\"");
    }
    SearchHit hit = taken(odd.append("]}").toString());
    assertEquals(odd.toString(), hit.getSourceAsString());
    assertEquals(Set.of("status"), ignored(hit));
    assertEquals(1, count(QueryBuilders.matchQuery("message", "odd")));
    assertEquals(1, count(QueryBuilders.termQuery("unmapped.status", "x")));
  }

  public void testTooDeep() {
    create(true, 1000);
    String document = "{\"d\":".repeat(60) + "1" + "}".repeat(60);
    SearchHit hit = taken(document);
    assertEquals(document, hit.getSourceAsString());
    assertFalse(ignored(hit).isEmpty());
    String abyss = "{\"d\":".repeat(5000) + "1" + "}".repeat(5000);
    SearchHit deeper = taken(abyss);
    assertFalse(ignored(deeper).isEmpty());
    assertNotNull(deeper.getSourceAsMap());
  }

  public void testWhatOpenSearchCannotReadIsMended() {
    create(true, 1000);
    byte[] bad = "{\"message\":\"caf\u0000 late\",\"status\":7}".getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < bad.length; i++) {
      bad[i] = bad[i] == 0 ? (byte) 0xE9 : bad[i];
    }
    SearchHit latin = taken(new BytesArray(bad));
    assertEquals("caf\uFFFD late", latin.getSourceAsMap().get("message"));
    assertEquals(1, count(QueryBuilders.termQuery("status", 7)));

    SearchHit twice = taken("{\"message\":\"first\",\"message\":\"second\",\"status\":8}");
    assertEquals(List.of("first", "second"), twice.getSourceAsMap().get("message"));
    assertEquals(1, count(QueryBuilders.matchQuery("message", "first")));
    assertEquals(1, count(QueryBuilders.matchQuery("message", "second")));

    SearchHit nan = taken("{\"load\":NaN,\"status\":9,\"tab\":\"a\tb\"}");
    assertEquals("NaN", nan.getSourceAsMap().get("load"));
    assertEquals(1, count(QueryBuilders.termQuery("status", 9)));
  }

  public void testNearJsonIsRead() {
    create(true, 1000);
    SearchHit path = taken("{\"path\":\"C:\\Windows\\x22\\u12\",\"status\":11,}");
    assertEquals("C:\\Windows\\x22\\u12", path.getSourceAsMap().get("path"));
    assertEquals(1, count(QueryBuilders.termQuery("status", 11)));

    SearchHit python = taken("{'user': 'it\\'s \"me\"', 'status': 12, 'ok': True, 'none': None}");
    assertEquals(
        Map.of("user", "it's \"me\"", "status", 12, "ok", "True", "none", "None"),
        python.getSourceAsMap());
    assertEquals(1, count(QueryBuilders.termQuery("status", 12)));

    SearchHit nginx = taken("{\"size\":007,\"time\":.5,\"upstream\":-,\"status\":13,\"length\":}");
    Map<String, Object> source = nginx.getSourceAsMap();
    assertEquals("007", source.get("size"));
    assertEquals(".5", source.get("time"));
    assertEquals("-", source.get("upstream"));
    assertNull(source.get("length"));
    assertEquals(1, count(QueryBuilders.termQuery("status", 13)));
  }

  public void testWhatIsNoJsonStaysRefused() {
    create(true, 1000);
    for (String broken : List.of("{\"a\":", "[1]", "12", "{\"a\":1} x", "")) {
      BulkResponse response = send(json(broken));
      assertTrue(broken, response.hasFailures());
    }
  }

  public void testUnreadableTimestampIsTheTimeOfArrival() {
    create(true, 1000);
    long before = System.currentTimeMillis();
    SearchHit hit = taken("{\"@timestamp\":\"yesterday evening\",\"message\":\"late\"}");
    assertEquals(Set.of("@timestamp"), ignored(hit));
    assertEquals(1, count(QueryBuilders.rangeQuery("@timestamp").gte(before - 1000).lte("now+1m")));
    Map<String, Object> source = hit.getSourceAsMap();
    assertEquals("yesterday evening", source.get("@timestamp"));
    assertEquals(Set.of("@timestamp", "message", "event.ingested"), source.keySet());
  }

  /** A data stream's index needs a time, also of a document that says nothing readable of it. */
  public void testUnreadableTimesInADataStream() {
    client()
        .admin()
        .indices()
        .prepareCreate(INDEX)
        .setSettings(Settings.builder().put("index.millrace.lenient_parsing.enabled", true))
        .setMapping(
            "{\"_data_stream_timestamp\":{\"enabled\":true},"
                + "\"properties\":{\"@timestamp\":{\"type\":\"date\"}}}")
        .get();
    for (String said : List.of("\"yesterday\"", "[]", "{}", "true")) {
      String document =
          "{\"@timestamp\":\"evening\",\"event\":{\"ingested\":" + said + "},\"n\":1}";
      SearchHit hit = taken(document);
      assertTrue(ignored(hit).contains("@timestamp"));
      assertEquals("evening", hit.getSourceAsMap().get("@timestamp"));
    }
    SearchHit hit = taken("{\"@timestamp\":\"no\",\"event\":{\"ingested\":\"yesterday\"}}");
    assertEquals(
        "what the document says stays as it is",
        Map.of("@timestamp", "no", "event", Map.of("ingested", "yesterday")),
        hit.getSourceAsMap());
    assertEquals(5, count(QueryBuilders.rangeQuery("@timestamp").gte("now-1h").lte("now+1m")));
  }

  public void testStrictMappingsRefuse() {
    client()
        .admin()
        .indices()
        .prepareCreate(INDEX)
        .setSettings(Settings.builder().put("index.millrace.lenient_parsing.enabled", true))
        .setMapping("{\"dynamic\":\"strict\",\"properties\":{\"n\":{\"type\":\"long\"}}}")
        .get();
    assertTrue(send(json("{\"other\":1}")).hasFailures());
    assertFalse(send(json("{\"n\":\"x\"}")).hasFailures());
  }

  public void testUpdatesAndOwnIds() {
    create(true, 1000);
    client()
        .prepareIndex(INDEX)
        .setId("1")
        .setSource("{\"status\":\"x\"}", XContentType.JSON)
        .get();
    client()
        .prepareUpdate(INDEX, "1")
        .setDoc("{\"message\":\"added\",\"@timestamp\":\"no\"}", XContentType.JSON)
        .get();
    Map<String, Object> source = client().prepareGet(INDEX, "1").get().getSourceAsMap();
    assertEquals(Map.of("status", "x", "message", "added", "@timestamp", "no"), source);
  }

  private static String shortened(String document) {
    return document.replaceAll("w{1000,}", "www").replaceAll("0{100,}", "000");
  }

  /** Random hostile documents in bulks: none refused, none lost, each whole in _source. */
  public void testHostileDocuments() {
    create(true, 100);
    Random random = new Random(random().nextLong());
    int documents = 0;
    for (int bulk = 0; bulk < 20; bulk++) {
      BytesReference[] batch = new BytesReference[50];
      for (int i = 0; i < batch.length; i++) {
        batch[i] = json(HostileDocuments.next(random));
      }
      BulkResponse response = send(batch);
      for (BulkItemResponse item : response) {
        assertEquals(DocWriteRequest.OpType.INDEX, item.getOpType());
        assertFalse(
            shortened(batch[item.getItemId()].utf8ToString()) + " -> " + item.getFailureMessage(),
            item.isFailed());
      }
      documents += batch.length;
    }
    assertEquals(documents, count(QueryBuilders.matchAllQuery()));
    // every one of them can be read back, and filtered
    SearchResponse all =
        client()
            .prepareSearch(INDEX)
            .setSize(documents)
            .setFetchSource("status", null)
            .setQuery(QueryBuilders.matchAllQuery())
            .get();
    assertEquals(documents, all.getHits().getHits().length);
    assertEquals(0, all.getFailedShards());
    assertTrue(Arrays.stream(all.getHits().getHits()).allMatch(SearchHit::hasSource));
  }
}
