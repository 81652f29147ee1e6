package io.millrace.pipelines.sourcecontrol;

import io.millrace.kernel.slot.Sender;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.opensearch.action.bulk.BulkItemResponse;
import org.opensearch.action.bulk.BulkRequest;
import org.opensearch.action.bulk.BulkResponse;
import org.opensearch.action.delete.DeleteRequest;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.action.support.WriteRequest.RefreshPolicy;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.plugins.Plugin;
import org.opensearch.plugins.PluginsService;
import org.opensearch.test.OpenSearchSingleNodeTestCase;
import org.opensearch.transport.client.Client;

/** What a bulk's sender is told, what is written, and what the report says. */
public class SourceControlNodeTests extends OpenSearchSingleNodeTestCase {
  private static final String PREFIX = "millrace.pipelines.source_control.";

  @Override
  protected Collection<Class<? extends Plugin>> getPlugins() {
    return List.of(SourceControlHost.class);
  }

  @Override
  protected boolean resetNodeAfterTest() {
    return true;
  }

  @Override
  public void tearDown() throws Exception {
    client()
        .admin()
        .cluster()
        .prepareUpdateSettings()
        .setTransientSettings(Settings.builder().putNull("millrace.*"))
        .get();
    super.tearDown();
  }

  private void set(Settings.Builder settings) {
    client()
        .admin()
        .cluster()
        .prepareUpdateSettings()
        .setTransientSettings(settings.normalizePrefix(PREFIX))
        .get();
  }

  private static IndexRequest line(String id, String service, String level) {
    return new IndexRequest("logs-a")
        .id(id)
        .source("{\"service\":\"" + service + "\",\"level\":\"" + level + "\"}", XContentType.JSON);
  }

  private Map<?, ?> today() {
    return getInstanceFromNode(PluginsService.class)
        .filterPlugins(SourceControlHost.class)
        .get(0)
        .feature()
        .ledger()
        .report()
        .get(0);
  }

  public void testSourcesAreCountedWithTheirLevels() {
    set(Settings.builder().put("read_one_of", 1));
    BulkRequest bulk = new BulkRequest();
    bulk.add(line("1", "shop", "info"))
        .add(line("2", "shop", "debug"))
        .add(line("3", "x", "error"));
    bulk.add(new DeleteRequest("logs-a", "9"));
    assertEquals(4, client().bulk(bulk).actionGet().getItems().length);
    client().prepareIndex("logs-b").setSource("app", "single").get();
    assertEquals(4L, today().get("documents"));
    List<?> top = (List<?>) today().get("top");
    assertEquals(3, top.size());
    Map<?, ?> shop = (Map<?, ?>) top.get(0);
    assertEquals("shop", shop.get("service"));
    assertEquals("logs-a", shop.get("index"));
    assertEquals(2L, shop.get("documents"));
    assertEquals(1L, ((Map<?, ?>) shop.get("levels")).get("debug"));
  }

  public void testWhatIsOverItsBudgetIsRefusedInItsPlaceAndCounted() {
    set(Settings.builder().putList("budgets", "logs-* service=shop day=60b then=drop"));
    BulkRequest bulk = new BulkRequest().setRefreshPolicy(RefreshPolicy.IMMEDIATE);
    for (int i = 0; i < 4; i++) {
      bulk.add(line("s" + i, "shop", "info")).add(line("x" + i, "x", "info"));
    }
    BulkResponse response = client().bulk(bulk).actionGet();
    for (int i = 0; i < 8; i++) {
      BulkItemResponse item = response.getItems()[i];
      assertEquals(i, item.getItemId());
      boolean refused = i % 2 == 0 && i >= 4; // two lines of 33 bytes cross 60
      assertEquals("item " + i, refused, item.isFailed());
      assertEquals((i % 2 == 0 ? "s" : "x") + i / 2, item.getId());
      if (refused) {
        assertEquals(RestStatus.FORBIDDEN, item.status());
        assertTrue(item.getFailureMessage(), item.getFailureMessage().contains("service=shop"));
      }
    }
    assertEquals(6, client().prepareSearch("logs-a").get().getHits().getTotalHits().value());
    assertEquals(2L, today().get("dropped"));
    assertEquals(6L, today().get("documents"));
    assertEquals(8, bulk.requests().size());
  }

  public void testABulkOfWhichNothingIsLeftIsAnswered() {
    set(Settings.builder().putList("budgets", "logs-* day=1b then=drop"));
    client().bulk(new BulkRequest().add(line("1", "a", "info"))).actionGet();
    BulkResponse response =
        client()
            .bulk(new BulkRequest().add(line("2", "a", "info")).add(line("3", "a", "error")))
            .actionGet();
    assertEquals(2, response.getItems().length);
    assertTrue(response.getItems()[0].isFailed() && response.getItems()[1].isFailed());
  }

  public void testKeysAndUsersAreSourcesOfTheirOwnWhereTheyAreRecognized() {
    set(
        Settings.builder()
            .put("read_one_of", 1)
            .putList("budgets", "logs-* sender=k:loud day=1b then=drop"));
    Client loud = client().filterWithHeader(Map.of(Sender.HEADER, "k:loud"));
    Client alice = client().filterWithHeader(Map.of(Sender.HEADER, "u:alice"));
    BulkRequest bulk = new BulkRequest().add(line("1", "shop", "info"));
    assertFalse(loud.bulk(bulk).actionGet().hasFailures());
    assertTrue(loud.bulk(bulk).actionGet().hasFailures());
    assertFalse(alice.bulk(bulk).actionGet().hasFailures());
    assertFalse(client().bulk(bulk).actionGet().hasFailures());
    Map<Object, Object> documents = new HashMap<>();
    for (Object each : (List<?>) today().get("top")) {
      Map<?, ?> source = (Map<?, ?>) each;
      documents.put(source.get("sender"), source.get("documents") + "-" + source.get("dropped"));
    }
    Map<Object, Object> right = new HashMap<>();
    right.put("k:loud", "1-1");
    right.put("u:alice", "1-0");
    right.put(null, "1-0");
    assertEquals(right, documents);
  }

  public void testOffCountsNothingAndRefusesNothing() {
    set(Settings.builder().put("enabled", false).putList("budgets", "logs-* day=1b then=drop"));
    for (int i = 0; i < 3; i++) {
      assertFalse(
          client()
              .bulk(new BulkRequest().add(line("" + i, "a", "info")))
              .actionGet()
              .hasFailures());
    }
    assertEquals(
        0,
        getInstanceFromNode(PluginsService.class)
            .filterPlugins(SourceControlHost.class)
            .get(0)
            .feature()
            .ledger()
            .report()
            .size());
  }
}
