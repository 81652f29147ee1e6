package io.millrace.storage.zstandard;

import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertAcked;
import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertHitCount;

import io.millrace.kernel.FeaturePlugin;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.opensearch.action.admin.indices.segments.IndicesSegmentResponse;
import org.opensearch.action.admin.indices.settings.put.UpdateSettingsRequestBuilder;
import org.opensearch.action.admin.indices.shrink.ResizeType;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.action.bulk.BulkResponse;
import org.opensearch.action.support.WriteRequest.RefreshPolicy;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.index.engine.Segment;
import org.opensearch.plugins.Plugin;
import org.opensearch.snapshots.SnapshotState;
import org.opensearch.test.OpenSearchSingleNodeTestCase;

/** One node with the feature and nothing else: settings, life of an index, and the way back. */
public class ZstandardNodeTests extends OpenSearchSingleNodeTestCase {
  private static final String SWITCH = "millrace.storage.zstandard.enabled";

  /** The feature without the rest of the product. */
  public static final class ZstandardPlugin extends FeaturePlugin {
    public ZstandardPlugin() {
      super(List.of(new ZstandardFeature()));
    }
  }

  @Override
  protected Collection<Class<? extends Plugin>> getPlugins() {
    return List.of(ZstandardPlugin.class);
  }

  @Override
  protected boolean resetNodeAfterTest() {
    return true;
  }

  private final List<byte[]> documents = LogDocuments.generate(600, 9);

  private void index(String index, int from, int to) {
    BulkRequestBuilder bulk = client().prepareBulk().setRefreshPolicy(RefreshPolicy.IMMEDIATE);
    for (int i = from; i < to; i++) {
      bulk.add(
          client()
              .prepareIndex(index)
              .setId(Integer.toString(i))
              .setSource(documents.get(i), XContentType.JSON));
    }
    BulkResponse response = bulk.get();
    assertFalse(response.buildFailureMessage(), response.hasFailures());
  }

  private void assertDocuments(String index, int count) {
    client().admin().indices().prepareRefresh(index).get();
    assertHitCount(client().prepareSearch(index).setSize(0).get(), count);
    for (var hit : client().prepareSearch(index).setSize(count).get().getHits().getHits()) {
      assertEquals(
          new String(documents.get(Integer.parseInt(hit.getId())), StandardCharsets.UTF_8),
          hit.getSourceAsString());
    }
    for (int i = 0; i < count; i += 37) {
      assertEquals(
          new String(documents.get(i), StandardCharsets.UTF_8),
          client().prepareGet(index, Integer.toString(i)).get().getSourceAsString());
    }
  }

  /** What {@code GET index/_segments} shows under {@code attributes}: our levels, in order. */
  private List<String> levels(String index) {
    client().admin().indices().prepareFlush(index).setForce(true).get();
    client().admin().indices().prepareRefresh(index).get();
    IndicesSegmentResponse response = client().admin().indices().prepareSegments(index).get();
    List<String> levels = new ArrayList<>();
    for (var shards : response.getIndices().get(index)) {
      for (var shard : shards.getShards()) {
        for (Segment segment : shard.getSegments()) {
          levels.add(
              String.valueOf(segment.getAttributes().get(ZstandardStoredFieldsFormat.LEVEL_KEY)));
        }
      }
    }
    assertFalse(levels.isEmpty());
    return levels;
  }

  private void assertLevels(String index, String level) {
    for (String each : levels(index)) {
      assertEquals(level, each);
    }
  }

  private static Settings codec(String codec) {
    return Settings.builder()
        .put("index.codec", codec)
        .put("index.number_of_shards", 1)
        .put("index.number_of_replicas", 0)
        .build();
  }

  private UpdateSettingsRequestBuilder update(String index) {
    return client().admin().indices().prepareUpdateSettings(index);
  }

  private void close(String index) {
    assertAcked(client().admin().indices().prepareClose(index).get());
  }

  private void open(String index) {
    assertAcked(client().admin().indices().prepareOpen(index).get());
    ensureGreen(index);
  }

  public void testSettingOfTheSeedAtCreation() {
    for (ZstandardVariant variant : ZstandardVariant.values()) {
      createIndex(variant.alias(), codec(variant.alias()));
      index(variant.alias(), 0, 600);
      assertDocuments(variant.alias(), 600);
      assertLevels(variant.alias(), Integer.toString(variant.defaultLevel()));
    }
  }

  public void testLevelAndTemplateAndBadLevels() {
    assertAcked(
        client()
            .admin()
            .indices()
            .preparePutTemplate("logs")
            .setPatterns(List.of("logs-*"))
            .setSettings(
                Settings.builder()
                    .put("index.codec", "zstandard")
                    .put("index.codec.compression_level", 5)
                    .put("index.number_of_replicas", 0))
            .get());
    index("logs-1", 0, 100);
    assertDocuments("logs-1", 100);
    assertLevels("logs-1", "5");

    IllegalArgumentException e =
        expectThrows(
            IllegalArgumentException.class,
            () ->
                createIndex(
                    "bad",
                    Settings.builder()
                        .put(codec("zstandard"))
                        .put("index.codec.compression_level", 7)
                        .build()));
    assertTrue(e.getMessage(), e.getMessage().contains("index.codec.compression_level"));
    e = expectThrows(IllegalArgumentException.class, () -> createIndex("bad", codec("zstandart")));
    assertTrue(e.getMessage(), e.getMessage().contains("index.codec"));
  }

  public void testClosedIndexAndTheWayBack() {
    createIndex("logs", codec("default"));
    index("logs", 0, 200);
    assertLevels("logs", "null");
    close("logs");
    assertAcked(
        update("logs").setSettings(Settings.builder().put("index.codec", "zstandard")).get());
    open("logs");
    index("logs", 200, 400);
    assertDocuments("logs", 400);
    assertTrue(levels("logs").contains("3"));
    assertTrue(levels("logs").contains("null"));
    client().admin().indices().prepareForceMerge("logs").setMaxNumSegments(1).get();
    assertEquals(List.of("3"), levels("logs"));

    // back: a single segment is not merged by the tiered policy, so the policy and its compound
    // ratio change with the codec
    close("logs");
    assertAcked(
        update("logs")
            .setSettings(
                Settings.builder()
                    .put("index.codec", "default")
                    .put("index.merge.policy", "log_byte_size")
                    .put("index.merge.log_byte_size_policy.no_cfs_ratio", true))
            .get());
    open("logs");
    client().admin().indices().prepareForceMerge("logs").setMaxNumSegments(1).get();
    if (!levels("logs").equals(List.of("null"))) {
      assertAcked(
          update("logs")
              .setSettings(
                  Settings.builder().put("index.merge.log_byte_size_policy.no_cfs_ratio", false))
              .get());
      client().admin().indices().prepareForceMerge("logs").setMaxNumSegments(1).get();
    }
    assertEquals(List.of("null"), levels("logs"));
    assertDocuments("logs", 400);
  }

  public void testTheWayBackFromOneCompoundSegment() {
    createIndex("logs", codec("zstandard"));
    index("logs", 0, 50);
    assertEquals(List.of("3"), levels("logs"));
    close("logs");
    assertAcked(
        update("logs")
            .setSettings(
                Settings.builder()
                    .put("index.codec", "default")
                    .put("index.merge.policy", "log_byte_size")
                    .put("index.merge.log_byte_size_policy.no_cfs_ratio", true))
            .get());
    open("logs");
    client().admin().indices().prepareForceMerge("logs").setMaxNumSegments(1).get();
    assertAcked(
        update("logs")
            .setSettings(
                Settings.builder().put("index.merge.log_byte_size_policy.no_cfs_ratio", false))
            .get());
    client().admin().indices().prepareForceMerge("logs").setMaxNumSegments(1).get();
    assertEquals(List.of("null"), levels("logs"));
    assertDocuments("logs", 50);
  }

  public void testShrinkSplitAndCloneKeepTheCodec() {
    createIndex(
        "two",
        Settings.builder()
            .put(codec("zstandard"))
            .put("index.number_of_shards", 2)
            .put("index.number_of_routing_shards", 4)
            .build());
    index("two", 0, 300);
    assertAcked(
        update("two").setSettings(Settings.builder().put("index.blocks.write", true)).get());
    // copies are allowed even while the switch is off: the codec is their source's
    setSwitch(false);
    resize("two", "one", ResizeType.SHRINK, 1);
    resize("two", "four", ResizeType.SPLIT, 4);
    resize("two", "twin", ResizeType.CLONE, 2);
    for (String copy : List.of("one", "four", "twin")) {
      ensureGreen(copy);
      assertDocuments(copy, 300);
      assertLevels(copy, "3");
    }
    setSwitch(null);
  }

  private void resize(String from, String to, ResizeType type, int shards) {
    assertAcked(
        client()
            .admin()
            .indices()
            .prepareResizeIndex(from, to)
            .setResizeType(type)
            .setSettings(
                Settings.builder()
                    .put("index.number_of_shards", shards)
                    .put("index.number_of_replicas", 0)
                    .putNull("index.blocks.write")
                    .build())
            .get());
  }

  private void setSwitch(Boolean on) {
    Settings.Builder settings = Settings.builder();
    if (on == null) {
      settings.putNull(SWITCH);
    } else {
      settings.put(SWITCH, on);
    }
    assertAcked(
        client().admin().cluster().prepareUpdateSettings().setTransientSettings(settings).get());
  }

  public void testOffRefusesNewIndicesAndKeepsOldOnes() {
    createIndex("old", codec("zstandard"));
    index("old", 0, 100);
    createIndex("stock", codec("default"));
    setSwitch(false);
    IllegalArgumentException e =
        expectThrows(IllegalArgumentException.class, () -> createIndex("new", codec("zstandard")));
    assertTrue(e.getMessage(), e.getMessage().contains(SWITCH));
    close("stock");
    e =
        expectThrows(
            IllegalArgumentException.class,
            () ->
                update("stock")
                    .setSettings(Settings.builder().put("index.codec", "zstandard_archive"))
                    .get());
    assertTrue(e.getMessage(), e.getMessage().contains(SWITCH));
    e =
        expectThrows(
            IllegalArgumentException.class,
            () ->
                update("stock")
                    .setSettings(Settings.builder().put("codec", "zstandard")) // no prefix
                    .get());
    assertTrue(e.getMessage(), e.getMessage().contains(SWITCH));
    assertAcked(
        update("stock")
            .setSettings(Settings.builder().put("index.codec", "best_compression"))
            .get());
    index("old", 100, 200);
    close("old");
    open("old");
    assertDocuments("old", 200);
    assertTrue(levels("old").contains("3"));
    setSwitch(null);
    createIndex("new", codec("zstandard"));
  }

  public void testSnapshotAndRestore() {
    createIndex("logs", codec("zstandard_archive"));
    index("logs", 0, 400);
    assertAcked(
        client()
            .admin()
            .cluster()
            .preparePutRepository("backup")
            .setType("fs")
            .setSettings(
                Settings.builder()
                    .put(
                        "location", node().getEnvironment().repoFiles()[0].resolve("r").toString()))
            .get());
    var snapshot =
        client()
            .admin()
            .cluster()
            .prepareCreateSnapshot("backup", "s")
            .setIndices("logs")
            .setWaitForCompletion(true)
            .get()
            .getSnapshotInfo();
    assertEquals(SnapshotState.SUCCESS, snapshot.state());
    assertAcked(client().admin().indices().prepareDelete("logs").get());
    client()
        .admin()
        .cluster()
        .prepareRestoreSnapshot("backup", "s")
        .setWaitForCompletion(true)
        .get();
    ensureGreen("logs");
    assertDocuments("logs", 400);
    assertLevels("logs", "1");
  }

  public void testUpdateDeleteAndReopen() {
    createIndex("logs", codec("zstandard"));
    index("logs", 0, 300);
    for (int i = 0; i < 50; i++) {
      client().prepareDelete("logs", Integer.toString(i)).get();
    }
    index("logs", 0, 20);
    client().prepareUpdate("logs", "299").setDoc("service", "renamed").get();
    client().admin().indices().prepareForceMerge("logs").setMaxNumSegments(1).get();
    close("logs");
    open("logs");
    client().admin().indices().prepareRefresh("logs").get();
    assertHitCount(client().prepareSearch("logs").setSize(0).get(), 270);
    assertEquals(
        "renamed", client().prepareGet("logs", "299").get().getSourceAsMap().get("service"));
    assertLevels("logs", "3");
  }
}
