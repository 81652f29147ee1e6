package io.millrace.write.bulkrouting;

import io.millrace.kernel.FeaturePlugin;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.opensearch.action.DocWriteResponse;
import org.opensearch.action.bulk.BulkItemResponse;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.action.bulk.BulkResponse;
import org.opensearch.action.delete.DeleteRequest;
import org.opensearch.action.explain.ExplainResponse;
import org.opensearch.action.get.GetResponse;
import org.opensearch.action.get.MultiGetItemResponse;
import org.opensearch.action.get.MultiGetResponse;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.action.update.UpdateRequest;
import org.opensearch.action.update.UpdateResponse;
import org.opensearch.common.settings.Settings;
import org.opensearch.index.engine.DocumentMissingException;
import org.opensearch.index.engine.VersionConflictEngineException;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.plugins.Plugin;
import org.opensearch.test.OpenSearchSingleNodeTestCase;

/** Three shards: documents that bulks have placed are read and written by their id alone. */
public class EveryShardNodeTests extends OpenSearchSingleNodeTestCase {
  private static final String INDEX = "routed";
  private static final int PER_BULK = 4;

  /** Hosts the feature. */
  public static final class Host extends FeaturePlugin {
    public Host() {
      super(List.of(new BulkRoutingFeature()));
    }
  }

  @Override
  protected Collection<Class<? extends Plugin>> getPlugins() {
    return List.of(Host.class);
  }

  /** Three bulks, one for each shard. */
  private List<String> load() {
    create(INDEX, true);
    List<String> ids = new ArrayList<>();
    for (int bulk = 0; bulk < 3; bulk++) {
      BulkRequestBuilder request = client().prepareBulk();
      for (int i = 0; i < PER_BULK; i++) {
        request.add(new IndexRequest(INDEX).source("n", bulk * PER_BULK + i));
      }
      for (BulkItemResponse item : whole(request.get())) {
        ids.add(item.getId());
      }
    }
    return ids;
  }

  private void create(String index, boolean routed) {
    client()
        .admin()
        .indices()
        .prepareCreate(index)
        .setSettings(
            Settings.builder()
                .put("index.number_of_shards", 3)
                .put("index.number_of_replicas", 0)
                .put("index.refresh_interval", "-1")
                .put("index.bulk_routing.enabled", routed))
        .get();
  }

  private static BulkResponse whole(BulkResponse response) {
    assertFalse(
        response.hasFailures() ? response.buildFailureMessage() : "", response.hasFailures());
    return response;
  }

  private long found() {
    client().admin().indices().prepareRefresh(INDEX).get();
    return client()
        .prepareSearch(INDEX)
        .setSize(0)
        .setTrackTotalHits(true)
        .get()
        .getHits()
        .getTotalHits()
        .value();
  }

  public void testGetsAreFoundBeforeAndAfterARefresh() {
    List<String> ids = load();
    for (String id : ids) {
      GetResponse fresh = client().prepareGet(INDEX, id).get();
      assertTrue(id, fresh.isExists());
      assertNotNull(fresh.getSource().get("n"));
      assertFalse(client().prepareGet(INDEX, id).setRealtime(false).get().isExists());
    }
    client().admin().indices().prepareRefresh(INDEX).get();
    for (String id : ids) {
      GetResponse get = client().prepareGet(INDEX, id).setRealtime(false).get();
      assertTrue(id, get.isExists());
      assertNotNull("by its bulk's routing", get.getField("_routing"));
      assertTrue(client().prepareGet(INDEX, id).setVersion(1).get().isExists());
      expectThrows(
          VersionConflictEngineException.class,
          () -> client().prepareGet(INDEX, id).setVersion(2).get());
      ExplainResponse explained =
          client().prepareExplain(INDEX, id).setQuery(QueryBuilders.existsQuery("n")).get();
      assertTrue(id, explained.isExists() && explained.isMatch());
    }
    assertFalse(client().prepareGet(INDEX, "aaaaaaaaaaaaaaaaaaaa").get().isExists());
    assertFalse(
        client()
            .prepareExplain(INDEX, "aaaaaaaaaaaaaaaaaaaa")
            .setQuery(QueryBuilders.matchAllQuery())
            .get()
            .isExists());
  }

  public void testMultiGetsKeepTheirOrder() {
    List<String> ids = load();
    create("plain", false);
    client().prepareIndex("plain").setId("own").setSource("n", 100).get();
    client().prepareIndex(INDEX).setId("own").setSource("n", 101).get();
    String sole = client().prepareIndex(INDEX).setSource("n", 102).get().getId();

    var request = client().prepareMultiGet().add("plain", "own").add("gone", "own");
    ids.forEach(id -> request.add(INDEX, id));
    MultiGetResponse response =
        request.add(INDEX, "own").add(INDEX, "aaaaaaaaaaaaaaaaaaaa").add(INDEX, sole).get();

    List<String> asked = new ArrayList<>(List.of("own", "own"));
    asked.addAll(ids);
    asked.addAll(List.of("own", "aaaaaaaaaaaaaaaaaaaa", sole));
    MultiGetItemResponse[] items = response.getResponses();
    assertEquals(asked.size(), items.length);
    for (int i = 0; i < items.length; i++) {
      assertEquals(asked.get(i), items[i].getId());
    }
    assertTrue(items[0].getResponse().isExists());
    assertTrue("an index that is missing", items[1].isFailed());
    for (int i = 2; i < 2 + ids.size(); i++) {
      assertTrue(items[i].getId(), items[i].getResponse().isExists());
    }
    assertTrue(items[2 + ids.size()].getResponse().isExists());
    assertFalse(items[3 + ids.size()].getResponse().isExists());
    assertTrue(items[4 + ids.size()].getResponse().isExists());
  }

  public void testUpdatesAndDeletes() {
    List<String> ids = load();
    for (String id : ids.subList(0, 6)) {
      UpdateResponse updated = client().prepareUpdate(INDEX, id).setDoc("seen", true).get();
      assertEquals(DocWriteResponse.Result.UPDATED, updated.getResult());
      assertEquals(2, updated.getVersion());
      assertEquals(true, client().prepareGet(INDEX, id).get().getSource().get("seen"));
    }
    for (String id : ids.subList(6, 9)) {
      assertEquals(
          DocWriteResponse.Result.DELETED, client().prepareDelete(INDEX, id).get().getResult());
      assertFalse(client().prepareGet(INDEX, id).get().isExists());
      assertEquals(
          DocWriteResponse.Result.NOT_FOUND, client().prepareDelete(INDEX, id).get().getResult());
    }
    assertEquals(ids.size() - 3, found());
    expectThrows(
        DocumentMissingException.class,
        () -> client().prepareUpdate(INDEX, "aaaaaaaaaaaaaaaaaaaa").setDoc("a", 1).get());
    client().prepareUpdate(INDEX, "aaaaaaaaaaaaaaaaaaaa").setDoc("a", 1).setDocAsUpsert(true).get();
    assertTrue(client().prepareGet(INDEX, "aaaaaaaaaaaaaaaaaaaa").get().isExists());
  }

  public void testBulkItems() {
    List<String> ids = load();
    BulkRequestBuilder bulk = client().prepareBulk();
    for (String id : ids.subList(0, 5)) {
      bulk.add(new DeleteRequest(INDEX, id));
    }
    for (String id : ids.subList(5, 12)) {
      bulk.add(new UpdateRequest(INDEX, id).doc("seen", true).docAsUpsert(true));
    }
    bulk.add(new DeleteRequest(INDEX, "aaaaaaaaaaaaaaaaaaaa"));
    bulk.add(new IndexRequest(INDEX).id("own").source("n", 1));
    BulkItemResponse[] items = whole(bulk.get()).getItems();
    for (int i = 0; i < 5; i++) {
      assertEquals(DocWriteResponse.Result.DELETED, items[i].getResponse().getResult());
    }
    for (int i = 5; i < 12; i++) {
      assertEquals(DocWriteResponse.Result.UPDATED, items[i].getResponse().getResult());
    }
    assertEquals(DocWriteResponse.Result.NOT_FOUND, items[12].getResponse().getResult());
    assertEquals(ids.size() - 5 + 1, found());
  }

  public void testSequenceNumbersAreThoseOfTheDocumentsShard() {
    for (String id : load()) {
      GetResponse get = client().prepareGet(INDEX, id).get();
      expectThrows(
          VersionConflictEngineException.class,
          () ->
              client()
                  .prepareUpdate(INDEX, id)
                  .setDoc("seen", true)
                  .setIfSeqNo(get.getSeqNo() + 100)
                  .setIfPrimaryTerm(get.getPrimaryTerm())
                  .get());
      client()
          .prepareUpdate(INDEX, id)
          .setDoc("seen", true)
          .setIfSeqNo(get.getSeqNo())
          .setIfPrimaryTerm(get.getPrimaryTerm())
          .get();
      expectThrows(
          VersionConflictEngineException.class,
          () ->
              client()
                  .prepareDelete(INDEX, id)
                  .setIfSeqNo(get.getSeqNo())
                  .setIfPrimaryTerm(get.getPrimaryTerm())
                  .get());
    }
  }

  public void testFoundAfterTheIndexOptedOut() {
    List<String> ids = load();
    client()
        .admin()
        .indices()
        .prepareUpdateSettings(INDEX)
        .setSettings(Settings.builder().put("index.bulk_routing.enabled", false))
        .get();
    for (String id : ids) {
      assertTrue(id, client().prepareGet(INDEX, id).get().isExists());
    }
  }

  public void testThroughAnAliasAndWithTheSwitchOff() {
    List<String> ids = load();
    client().admin().indices().prepareAliases().addAlias(INDEX, "other").get();
    for (String id : ids) {
      assertTrue(id, client().prepareGet("other", id).get().isExists());
      client().prepareUpdate("other", id).setDoc("seen", 1).get();
    }
    String key = "millrace.write.bulk_routing.enabled";
    client()
        .admin()
        .cluster()
        .prepareUpdateSettings()
        .setTransientSettings(Settings.builder().put(key, false))
        .get();
    try {
      long here =
          ids.stream().filter(id -> client().prepareGet(INDEX, id).get().isExists()).count();
      assertTrue("stock looks on one shard only, found " + here, here < ids.size());
    } finally {
      client()
          .admin()
          .cluster()
          .prepareUpdateSettings()
          .setTransientSettings(Settings.builder().putNull(key))
          .get();
    }
  }
}
