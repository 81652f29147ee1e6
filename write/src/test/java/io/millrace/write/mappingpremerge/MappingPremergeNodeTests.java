package io.millrace.write.mappingpremerge;

import io.millrace.kernel.FeaturePlugin;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.opensearch.action.bulk.BulkItemRequest;
import org.opensearch.action.bulk.BulkItemResponse;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.action.bulk.BulkResponse;
import org.opensearch.action.bulk.BulkShardRequest;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.action.support.WriteRequest;
import org.opensearch.action.support.replication.TransportReplicationAction.ConcreteShardRequest;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.index.shard.IndexShard;
import org.opensearch.indices.IndicesService;
import org.opensearch.plugins.Plugin;
import org.opensearch.test.OpenSearchSingleNodeTestCase;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportRequestHandler;

/** Storms of new fields with and without the feature: cluster states counted, answers compared. */
public class MappingPremergeNodeTests extends OpenSearchSingleNodeTestCase {
  /** Hosts the feature. */
  public static final class Host extends FeaturePlugin {
    public Host() {
      super(List.of(new MappingPremergeFeature()));
    }
  }

  @Override
  protected Collection<Class<? extends Plugin>> getPlugins() {
    return List.of(Host.class);
  }

  private void on(boolean on) {
    client()
        .admin()
        .cluster()
        .prepareUpdateSettings()
        .setTransientSettings(Settings.builder().put("millrace.write.mapping_premerge.enabled", on))
        .get();
  }

  @Override
  public void tearDown() throws Exception {
    client()
        .admin()
        .cluster()
        .prepareUpdateSettings()
        .setTransientSettings(Settings.builder().putNull("millrace.write.mapping_premerge.enabled"))
        .get();
    super.tearDown();
  }

  private void create(String index, String mapping) {
    client()
        .admin()
        .indices()
        .prepareCreate(index)
        .setSettings(Settings.builder().put("index.number_of_shards", 1))
        .setMapping(mapping)
        .get();
    ensureGreen(index);
  }

  private long states() {
    return getInstanceFromNode(ClusterService.class).state().version();
  }

  private BulkResponse bulk(String index, List<String> documents) {
    BulkRequestBuilder bulk = client().prepareBulk();
    for (int i = 0; i < documents.size(); i++) {
      bulk.add(
          client()
              .prepareIndex(index)
              .setId("" + i)
              .setSource(documents.get(i), MediaTypeRegistry.JSON));
    }
    return bulk.get();
  }

  private Map<String, Object> mapping(String index) {
    return client()
        .admin()
        .indices()
        .prepareGetMappings(index)
        .get()
        .mappings()
        .get(index)
        .sourceAsMap();
  }

  private static List<String> results(BulkResponse response) {
    List<String> out = new ArrayList<>();
    for (BulkItemResponse item : response.getItems()) {
      out.add(
          item.getId()
              + " "
              + (item.isFailed()
                  ? item.getFailure().getCause().getClass().getSimpleName()
                      + " "
                      + item.getFailureMessage().replaceAll("\\[(on|off)\\]|\\(off|on\\)", "")
                  : item.getResponse().getResult()));
    }
    return out;
  }

  public void testStormTakesOneClusterStateForABulk() {
    create("storm", "{}");
    List<String> documents = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      documents.add("{\"f" + i + "\":" + i + ",\"o\":{\"g" + i + "\":\"x\"},\"list\":[{\"h\":1}]}");
    }
    long before = states();
    assertFalse(bulk("storm", documents).hasFailures());
    assertEquals(1, states() - before);

    on(false);
    create("stock", "{}");
    before = states();
    assertFalse(bulk("stock", documents).hasFailures());
    assertEquals("stock makes one for each document", 60, states() - before);
    assertEquals(mapping("stock"), mapping("storm"));
  }

  /** A corrected bulk must not find the types of one that was refused. */
  public void testARefusedBulkLeavesTheMappingAlone() {
    client()
        .admin()
        .indices()
        .prepareCreate("copies")
        .setSettings(
            Settings.builder().put("index.number_of_shards", 1).put("index.number_of_replicas", 1))
        .get();
    BulkResponse refused =
        client()
            .prepareBulk()
            .add(client().prepareIndex("copies").setSource("status", "fine"))
            .add(client().prepareIndex("copies").setSource("status", "good"))
            .setWaitForActiveShards(2)
            .setTimeout("100ms")
            .get();
    assertTrue(refused.getItems()[0].isFailed());
    assertTrue(
        refused.getItems()[0].getFailureMessage(),
        refused.getItems()[0].getFailureMessage().contains("Not enough active copies"));
    assertNull(mapping("copies").get("properties"));

    assertFalse(bulk("copies", List.of("{\"status\":200}", "{\"status\":404}")).hasFailures());
    assertTrue(mapping("copies").toString().contains("status={type=long}"));
  }

  /** What indexing pressure has not counted yet does not wait for a mapping. */
  public void testABulkFromAnotherPrimaryGoesStraightOn() throws Exception {
    create("moved", "{}");
    IndexShard shard =
        getInstanceFromNode(IndicesService.class)
            .indexServiceSafe(resolveIndex("moved"))
            .getShard(0);
    PremergeInterceptor interceptor = new PremergeInterceptor(() -> true);
    interceptor.start(
        client(), getInstanceFromNode(ThreadPool.class), getInstanceFromNode(ClusterService.class));
    interceptor.afterIndexShardStarted(shard);
    BulkItemRequest[] items = {
      new BulkItemRequest(0, new IndexRequest("moved").id("1").source("new_field", 1))
    };
    for (boolean local : new boolean[] {false, true}) {
      BulkShardRequest bulk =
          new BulkShardRequest(shard.shardId(), WriteRequest.RefreshPolicy.NONE, items);
      CountDownLatch handled = new CountDownLatch(1);
      TransportRequestHandler<ConcreteShardRequest<BulkShardRequest>> handler =
          interceptor.interceptHandler(
              PremergeInterceptor.ACTION,
              ThreadPool.Names.SAME,
              false,
              (request, channel, task) -> handled.countDown());
      handler.messageReceived(
          new ConcreteShardRequest<>(
              bulk,
              shard.routingEntry().allocationId().getId(),
              shard.getPendingPrimaryTerm(),
              local,
              local),
          null,
          null);
      if (!local) {
        assertEquals("on the caller's thread", 0, handled.getCount());
      }
      assertTrue(handled.await(60, TimeUnit.SECONDS));
      assertEquals(local ? 1 : 0, interceptor.looked.sum());
    }
  }

  public void testAnswersAndMappingsAreStocks() {
    List<String> mappings =
        List.of(
            "{}",
            "{\"dynamic\":\"strict\",\"properties\":{\"a\":{\"type\":\"long\"}}}",
            "{\"dynamic\":false,\"properties\":{\"a\":{\"type\":\"long\"}}}",
            "{\"properties\":{\"a\":{\"type\":\"long\"},\"o\":{\"type\":\"object\",\"enabled\":false}}}",
            "{\"dynamic_templates\":[{\"k\":{\"match\":\"k_*\",\"mapping\":{\"type\":\"keyword\"}}}]}",
            "{\"date_detection\":false,\"numeric_detection\":true}");
    List<String> documents =
        List.of(
            "{\"a\":1,\"k_x\":\"text\",\"d\":\"2020-01-01\"}",
            "{\"a\":\"no number\",\"b\":2}",
            "{\"a\":2.5,\"n\":\"17\",\"d\":\"not a date\"}",
            "{\"o\":{\"p\":{\"q\":1}},\"x.y\":1}",
            "{\"o\":5,\"z\":1}",
            "{\"nothing\":null,\"empty\":{},\"list\":[]}",
            "{\"broken\":",
            "{\"k_y\":true,\"f\":1.5,\"x\":{\"w\":[1,2]}}",
            "{\"b\":\"now text\",\"c\":1}");
    for (int i = 0; i < mappings.size(); i++) {
      on(true);
      create("on" + i, mappings.get(i));
      List<String> ours = results(bulk("on" + i, documents));
      List<String> oursAgain = results(bulk("on" + i, documents));
      on(false);
      create("off" + i, mappings.get(i));
      List<String> stock = results(bulk("off" + i, documents));
      List<String> stockAgain = results(bulk("off" + i, documents));
      assertEquals(mappings.get(i), stock.toString().replace("off" + i, "on" + i), ours.toString());
      assertEquals(stockAgain.toString().replace("off" + i, "on" + i), oursAgain.toString());
      assertEquals(
          new TreeMap<>(mapping("off" + i)).toString(),
          new TreeMap<>(mapping("on" + i)).toString());
    }
  }

  /** The first value in the bulk decides, also of a field that was empty until then. */
  public void testTypesAreThoseOfTheFirstValues() {
    List<List<String>> bulks =
        List.of(
            List.of("{\"a\":null}", "{\"a\":\"x\"}", "{\"a\":1,\"b\":1}"),
            List.of("{\"c\":[],\"d\":{}}", "{\"c\":null}"),
            List.of("{\"c\":\"x\"}", "{\"c\":7,\"e\":1}", "{\"d\":{\"f\":1},\"g\":1}"));
    for (boolean on : new boolean[] {true, false}) {
      on(on);
      create("first-" + on, "{}");
      for (List<String> documents : bulks) {
        BulkResponse response = bulk("first-" + on, documents);
        assertFalse(response.buildFailureMessage(), response.hasFailures());
      }
    }
    assertEquals(mapping("first-false"), mapping("first-true"));
  }

  /** An upsert's document is not known in advance: what comes after it waits for it. */
  public void testAnUpdateBeforeDecidesToo() {
    for (boolean on : new boolean[] {true, false}) {
      on(on);
      String index = "upsert-" + on;
      create(index, "{}");
      BulkRequestBuilder bulk = client().prepareBulk();
      bulk.add(
          client()
              .prepareUpdate(index, "1")
              .setDoc("{\"code\":\"E12\"}", MediaTypeRegistry.JSON)
              .setDocAsUpsert(true));
      bulk.add(
          client()
              .prepareIndex(index)
              .setId("2")
              .setSource("{\"code\":12}", MediaTypeRegistry.JSON));
      BulkResponse response = bulk.get();
      assertFalse(response.buildFailureMessage(), response.hasFailures());
    }
    assertEquals(mapping("upsert-false"), mapping("upsert-true"));
  }

  /** Documents too large for the thread that brings them are looked at on a write thread. */
  public void testLargeDocumentsAreLookedAtElsewhere() {
    create("large", "{}");
    String text = "x".repeat(200_000);
    List<String> documents = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      documents.add("{\"f" + i + "\":1,\"text\":\"" + text + "\"}");
    }
    long before = states();
    assertFalse(bulk("large", documents).hasFailures());
    assertEquals(1, states() - before);
    assertFalse(bulk("large", documents).hasFailures());
    assertEquals(1, states() - before);
  }

  public void testFieldLimitBoundsAHostileStorm() {
    client()
        .admin()
        .indices()
        .prepareCreate("limited")
        .setSettings(
            Settings.builder()
                .put("index.number_of_shards", 1)
                .put("index.mapping.total_fields.limit", 50))
        .get();
    ensureGreen("limited");
    List<String> documents = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      documents.add("{\"hostile" + i + "\":" + i + "}");
    }
    long before = states();
    BulkResponse response = bulk("limited", documents);
    long accepted = 0;
    for (BulkItemResponse item : response.getItems()) {
      if (item.isFailed()) {
        assertTrue(
            item.getFailureMessage(),
            item.getFailureMessage().contains("Limit of total fields [50] has been exceeded"));
      } else {
        accepted++;
      }
    }
    assertEquals("as many as stock takes", 50, accepted);
    assertTrue("cluster states: " + (states() - before), states() - before <= 50);
  }

  public void testNothingNewAndBarrenNamesCostNoUpdate() {
    create("known", "{\"dynamic\":false,\"properties\":{\"a\":{\"type\":\"long\"}}}");
    long before = states();
    for (int round = 0; round < 3; round++) {
      assertFalse(bulk("known", List.of("{\"a\":1,\"ignored\":2}", "{\"a\":3}")).hasFailures());
    }
    assertEquals(0, states() - before);
  }

  public void testDefaults() {
    MappingPremergeFeature feature = new MappingPremergeFeature();
    assertTrue(feature.enabled().on());
    assertEquals(List.of(), feature.knobs());
  }
}
