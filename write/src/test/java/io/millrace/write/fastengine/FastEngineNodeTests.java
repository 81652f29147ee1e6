package io.millrace.write.fastengine;

import static org.opensearch.index.query.QueryBuilders.existsQuery;
import static org.opensearch.index.query.QueryBuilders.matchAllQuery;
import static org.opensearch.index.query.QueryBuilders.matchPhraseQuery;
import static org.opensearch.index.query.QueryBuilders.matchQuery;
import static org.opensearch.index.query.QueryBuilders.prefixQuery;
import static org.opensearch.index.query.QueryBuilders.rangeQuery;
import static org.opensearch.index.query.QueryBuilders.termQuery;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.opensearch.action.bulk.BulkItemResponse;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.action.get.GetResponse;
import org.opensearch.action.support.WriteRequest.RefreshPolicy;
import org.opensearch.cluster.metadata.MappingMetadata;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.index.Index;
import org.opensearch.index.IndexService;
import org.opensearch.index.mapper.MapperExtrasModulePlugin;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.index.shard.IndexShard;
import org.opensearch.indices.IndicesService;
import org.opensearch.plugins.Plugin;
import org.opensearch.plugins.PluginsService;
import org.opensearch.search.aggregations.AggregationBuilders;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.search.sort.SortOrder;
import org.opensearch.test.OpenSearchSingleNodeTestCase;

/** One node, two indices with the same documents, one of them on stock's parser: equal answers. */
public class FastEngineNodeTests extends OpenSearchSingleNodeTestCase {
  private static final String MAPPING =
      """
      {"properties":{
        "@timestamp":{"type":"date"},
        "host":{"properties":{"name":{"type":"keyword"},"ip":{"type":"ip"}}},
        "level":{"type":"keyword","ignore_above":8},
        "status":{"type":"short"},"bytes":{"type":"long"},"pid":{"type":"integer"},
        "latency":{"type":"float"},"ratio":{"type":"double"},"ok":{"type":"boolean"},
        "bare":{"type":"keyword","doc_values":false},"off":{"type":"long","index":false},
        "kept":{"type":"text","store":true},
        "message":{"type":"text","fields":{"keyword":{"type":"keyword","ignore_above":256}}}}}
      """;
  private static final List<RandomMapping.Leaf> LEAVES =
      List.of(
          leaf("date", "@timestamp"),
          leaf("keyword", "host", "name"),
          leaf("ip", "host", "ip"),
          leaf("keyword", "level"),
          leaf("short", "status"),
          leaf("long", "bytes"),
          leaf("integer", "pid"),
          leaf("float", "latency"),
          leaf("double", "ratio"),
          leaf("boolean", "ok"),
          leaf("keyword", "bare"),
          leaf("long", "off"),
          leaf("text", "kept"),
          leaf("text", "message"));

  private static RandomMapping.Leaf leaf(String type, String... path) {
    return new RandomMapping.Leaf(List.of(path), type);
  }

  @Override
  protected Collection<Class<? extends Plugin>> getPlugins() {
    // the modules of the distribution bring metadata fields, which the plan has to know as harmless
    return List.of(FastEngineHost.class, MapperExtrasModulePlugin.class);
  }

  private FastEngineCounters counters() {
    return getInstanceFromNode(PluginsService.class)
        .filterPlugins(FastEngineHost.class)
        .get(0)
        .feature()
        .counters();
  }

  private void createBoth(String mapping) {
    for (String index : List.of("stock", "fast")) {
      client()
          .admin()
          .indices()
          .prepareCreate(index)
          .setSettings(
              Settings.builder()
                  .put("index.number_of_shards", 1)
                  .put("index.number_of_replicas", 0)
                  .put("index.refresh_interval", "-1")
                  .put("index.millrace.fast_engine.enabled", index.equals("fast")))
          .setMapping(mapping)
          .get();
    }
    ensureGreen();
  }

  /** Sends the same documents to both indices and returns what each said about every one. */
  private void bulkBoth(List<byte[]> documents, int firstId) {
    List<List<String>> answers = new ArrayList<>();
    for (String index : List.of("stock", "fast")) {
      BulkRequestBuilder bulk = client().prepareBulk();
      for (int i = 0; i < documents.size(); i++) {
        bulk.add(
            client()
                .prepareIndex(index)
                .setId("id" + (firstId + i))
                .setRouting(i % 5 == 0 ? "r" + i : null)
                .setSource(new BytesArray(documents.get(i)), XContentType.JSON));
      }
      List<String> said = new ArrayList<>();
      for (BulkItemResponse item : bulk.get()) {
        said.add(
            item.isFailed()
                ? item.getFailure().getStatus() + " " + item.getFailure().getCause()
                : item.getResponse().getResult() + " " + item.getResponse().getSeqNo());
      }
      answers.add(said.stream().map(answer -> answer.replace("[fast/", "[stock/")).toList());
    }
    for (int i = 0; i < documents.size(); i++) {
      assertEquals(
          new String(documents.get(i), StandardCharsets.UTF_8),
          withoutIds(answers.get(0).get(i)),
          withoutIds(answers.get(1).get(i)));
    }
  }

  /**
   * Without what differs between two indices of stock, too. After broken JSON, the preview holds as
   * much of the value as the thread's recycled buffer had room for (Jackson's TextBuffer), so it
   * depends on what the thread parsed before.
   */
  private static String withoutIds(String answer) {
    return answer
        .replaceAll("\\[stock/[^]]+\\]", "[index]")
        .replaceAll(
            "(?s)Preview of field's value: '.*'(]; nested: JsonParseException)", "Preview$1");
  }

  private String ask(String index, SearchSourceBuilder source) {
    return client()
        .prepareSearch(index)
        .setSource(source)
        .get()
        .toString()
        .replaceAll("\"took\":\\d+", "\"took\":0")
        .replace("\"_index\":\"" + index + "\"", "\"_index\":\"x\"");
  }

  private void compareAnswers() {
    for (String index : List.of("stock", "fast")) {
      client().admin().indices().prepareForceMerge(index).setMaxNumSegments(1).get();
      client().admin().indices().prepareRefresh(index).get();
    }
    List<SearchSourceBuilder> requests = new ArrayList<>();
    List<QueryBuilder> queries = new ArrayList<>(List.of(matchAllQuery()));
    for (RandomMapping.Leaf leaf : LEAVES) {
      queries.add(existsQuery(String.join(".", leaf.path())));
    }
    queries.add(existsQuery("message.keyword"));
    for (String word :
        List.of("get", "servers", "it's", "took", "köln", "0.25", "s_x", "v2", "123")) {
      queries.add(matchQuery("message", word));
      queries.add(matchQuery("kept", word));
    }
    queries.add(matchPhraseQuery("message", "servers 17 took"));
    queries.add(matchPhraseQuery("message", "s_x it's get"));
    queries.add(termQuery("ok", true));
    queries.add(termQuery("ok", false));
    queries.add(termQuery("bare", "short"));
    queries.add(termQuery("host.ip", "127.0.0.1"));
    queries.add(termQuery("host.ip", "10.0.0.0/8"));
    queries.add(prefixQuery("host.name", "GET"));
    queries.add(rangeQuery("@timestamp").gte("2000-01-01").lt("2030-01-01"));
    for (String number : List.of("status", "bytes", "pid", "latency", "ratio")) {
      queries.add(rangeQuery(number).gte(3).lt(90));
      queries.add(termQuery(number, 7));
    }
    for (QueryBuilder query : queries) {
      requests.add(
          new SearchSourceBuilder()
              .query(query)
              .trackTotalHits(true)
              .size(10)
              .sort("_score", SortOrder.DESC)
              .sort("_seq_no", SortOrder.ASC));
    }
    SearchSourceBuilder everything =
        new SearchSourceBuilder()
            .query(matchAllQuery())
            .size(5_000)
            .version(true)
            .seqNoAndPrimaryTerm(true)
            .fetchSource(true)
            .storedField("_source")
            .storedField("_routing")
            .storedField("kept")
            .sort("_seq_no", SortOrder.ASC);
    for (String field :
        List.of(
            "@timestamp",
            "host.name",
            "host.ip",
            "level",
            "status",
            "bytes",
            "pid",
            "latency",
            "ratio",
            "ok",
            "off",
            "message.keyword")) {
      everything.docValueField(field);
      requests.add(
          new SearchSourceBuilder()
              .size(20)
              .sort(field, SortOrder.DESC)
              .sort("_seq_no", SortOrder.ASC));
      requests.add(
          new SearchSourceBuilder()
              .size(0)
              .aggregation(AggregationBuilders.terms("t").field(field).size(50))
              .aggregation(AggregationBuilders.cardinality("c").field(field)));
    }
    requests.add(everything);
    for (SearchSourceBuilder request : requests) {
      assertEquals(request.toString(), ask("stock", request), ask("fast", request));
    }
  }

  private static List<byte[]> documents(long seed, int count) {
    RandomDocuments drawn = new RandomDocuments(new Random(seed), LEAVES, 95);
    List<byte[]> documents = new ArrayList<>();
    while (documents.size() < count) {
      byte[] document = drawn.next();
      // an unknown field changes the mapping: see the test that is about it
      if (!new String(document, StandardCharsets.UTF_8).contains("unknown")) {
        documents.add(document);
      }
    }
    return documents;
  }

  public void testAnswersAreStocks() {
    createBoth(MAPPING);
    for (int bulk = 0; bulk < 4; bulk++) {
      // ids repeat: the second half overwrites the first
      bulkBoth(documents(bulk, 500), bulk % 2 * 500);
    }
    assertTrue(counters().documents() > 500);
    assertTrue(counters().fallbacks(Fallback.SYNTAX) > 0);
    compareAnswers();
    for (int i = 0; i < 100; i++) {
      GetResponse stock = client().prepareGet("stock", "id" + i).get();
      GetResponse fast = client().prepareGet("fast", "id" + i).get();
      assertEquals(stock.isExists(), fast.isExists());
      assertEquals(stock.getSourceAsString(), fast.getSourceAsString());
      assertEquals(stock.getVersion(), fast.getVersion());
      assertEquals(stock.getSeqNo(), fast.getSeqNo());
    }
  }

  public void testAFilteredOrDisabledSourceIsStocks() {
    for (String filter :
        List.of("\"includes\":[\"m*\",\"host.*\"],\"excludes\":[\"*.ip\"]", "\"enabled\":false")) {
      long taken = counters().documents();
      createBoth(MAPPING.replaceFirst("\\{", "{\"_source\":{" + filter + "},"));
      bulkBoth(documents(9, 300), 0);
      assertTrue(counters().documents() > taken + 100);
      for (int i = 0; i < 50; i++) {
        assertEquals(
            client().prepareGet("stock", "id" + i).get().getSourceAsString(),
            client().prepareGet("fast", "id" + i).get().getSourceAsString());
      }
      compareAnswers();
      client().admin().indices().prepareDelete("stock", "fast").get();
    }
  }

  public void testBothSwitchesWorkWhileTheIndexIsOpen() {
    createBoth(MAPPING);
    bulkBoth(documents(1, 100), 0);
    long taken = counters().documents();
    assertTrue(taken > 0);

    setNodeSwitch(false);
    bulkBoth(documents(2, 100), 100);
    assertEquals(taken, counters().documents());
    setNodeSwitch(null);
    bulkBoth(documents(3, 100), 200);
    assertTrue(counters().documents() > taken);

    setIndexSwitch("fast", false);
    taken = counters().documents();
    bulkBoth(documents(4, 100), 300);
    assertEquals(taken, counters().documents());
    setIndexSwitch("fast", true);
    bulkBoth(documents(5, 100), 400);
    assertTrue(counters().documents() > taken);
    compareAnswers();
  }

  private void setNodeSwitch(Boolean on) {
    client()
        .admin()
        .cluster()
        .prepareUpdateSettings()
        .setTransientSettings(
            Settings.builder()
                .put("millrace.write.fast_engine.enabled", on == null ? null : on.toString()))
        .get();
  }

  private void setIndexSwitch(String index, boolean on) {
    client()
        .admin()
        .indices()
        .prepareUpdateSettings(index)
        .setSettings(Settings.builder().put("index.millrace.fast_engine.enabled", on))
        .get();
  }

  public void testUnknownFieldsExtendTheMappingAsInStock() {
    createBoth("{\"properties\":{\"a\":{\"type\":\"keyword\"}}}");
    List<byte[]> documents = new ArrayList<>();
    for (String json :
        List.of(
            "{\"a\":\"x\",\"text\":\"some words\"}",
            "{\"a\":\"y\",\"text\":\"more words\",\"number\":5}",
            "{\"a\":\"z\",\"number\":6,\"deep\":{\"er\":1.5,\"day\":\"2020-01-01\"}}",
            "{\"a\":\"z\",\"deep\":{\"er\":2.5,\"day\":\"2021-01-01T00:00:00Z\"},\"text\":\"words\"}",
            "{\"deep\":\"not an object\"}",
            "{\"number\":\"not a number\"}")) {
      documents.add(json.getBytes(StandardCharsets.UTF_8));
    }
    bulkBoth(documents, 0);
    long taken = counters().documents();
    bulkBoth(documents, 10);
    assertEquals(
        "every good document is covered once its fields are mapped",
        4,
        counters().documents() - taken);
    Map<String, MappingMetadata> mappings =
        client().admin().indices().prepareGetMappings("stock", "fast").get().mappings();
    assertEquals(mappings.get("stock").source().string(), mappings.get("fast").source().string());
    for (String index : List.of("stock", "fast")) {
      client().admin().indices().prepareRefresh(index).get();
    }
    for (QueryBuilder query :
        List.of(
            matchQuery("text", "words"),
            termQuery("text.keyword", "words"),
            termQuery("number", 6),
            rangeQuery("deep.day").gte("2021"),
            rangeQuery("deep.er").gt(2))) {
      SearchSourceBuilder source =
          new SearchSourceBuilder().query(query).sort("_seq_no", SortOrder.ASC);
      assertEquals(query.toString(), ask("stock", source), ask("fast", source));
    }
  }

  public void testReplaysTheTranslog() throws Exception {
    createBoth(MAPPING);
    bulkBoth(documents(11, 300), 0);
    long taken = counters().documents();
    for (String index : List.of("stock", "fast")) {
      Index resolved = resolveIndex(index);
      IndexShard shard =
          getInstanceFromNode(IndicesService.class).indexServiceSafe(resolved).getShard(0);
      shard.failShard("test: recover from the translog", new IllegalStateException("test"));
      assertBusy(
          () -> {
            IndexService service = getInstanceFromNode(IndicesService.class).indexService(resolved);
            assertNotNull(service);
            IndexShard now = service.getShardOrNull(0);
            assertNotNull(now);
            assertNotSame(shard, now);
          },
          120,
          TimeUnit.SECONDS);
      ensureGreen(index);
    }
    assertTrue("the replay took the fast path", counters().documents() > taken);
    compareAnswers();
  }

  /**
   * Stock's parser has limits of its own, which hold for every field: what it refuses is refused.
   */
  public void testNumbersAndNamesBeyondTheParsersLimits() {
    createBoth(
        "{\"dynamic\":false,\"properties\":{\"t\":{\"type\":\"text\"},"
            + "\"k\":{\"type\":\"keyword\",\"ignore_above\":100},\"l\":{\"type\":\"long\"},"
            + "\"d\":{\"type\":\"double\"}}}");
    List<byte[]> documents = new ArrayList<>();
    for (int digits : new int[] {400, 999, 1000, 1001, 5000}) {
      for (String field : List.of("t", "k", "l", "d", "unmapped")) {
        for (String number :
            List.of(
                "1".repeat(digits),
                "-" + "1".repeat(digits),
                "0." + "1".repeat(digits),
                "1e" + "0".repeat(digits) + "1")) {
          documents.add(("{\"" + field + "\":" + number + "}").getBytes(StandardCharsets.US_ASCII));
        }
      }
    }
    for (int characters : new int[] {4_000, 50_000, 50_001}) {
      documents.add(
          ("{\"t\":\"x\",\"" + "n".repeat(characters) + "\":1}")
              .getBytes(StandardCharsets.US_ASCII));
    }
    bulkBoth(documents, 0);
  }

  public void testOverLongKeywordIsRefusedAsInStock() {
    createBoth(MAPPING);
    String tooLong = "{\"host\":{\"name\":\"" + "x".repeat(32_767) + "\"}}";
    String longest = "{\"host\":{\"name\":\"" + "x".repeat(32_766) + "\"}}";
    bulkBoth(
        List.of(tooLong.getBytes(StandardCharsets.UTF_8), longest.getBytes(StandardCharsets.UTF_8)),
        0);
    client()
        .prepareIndex("fast")
        .setSource("level", "info")
        .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
        .get();
    compareAnswersAfterOneMore();
  }

  private void compareAnswersAfterOneMore() {
    client()
        .prepareIndex("stock")
        .setSource("level", "info")
        .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
        .get();
    SearchSourceBuilder all =
        new SearchSourceBuilder().size(0).query(existsQuery("host.name")).trackTotalHits(true);
    assertEquals(ask("stock", all), ask("fast", all));
  }
}
