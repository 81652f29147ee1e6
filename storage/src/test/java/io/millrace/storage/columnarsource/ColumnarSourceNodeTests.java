package io.millrace.storage.columnarsource;

import static org.opensearch.index.query.QueryBuilders.matchQuery;
import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertAcked;
import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertHitCount;

import io.millrace.corpus.LogGenerator;
import io.millrace.kernel.FeaturePlugin;
import io.millrace.storage.zstandard.ZstandardFeature;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.opensearch.action.admin.indices.shrink.ResizeType;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.action.bulk.BulkResponse;
import org.opensearch.action.get.GetResponse;
import org.opensearch.action.support.WriteRequest.RefreshPolicy;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.index.engine.Segment;
import org.opensearch.plugins.Plugin;
import org.opensearch.search.fetch.subphase.highlight.HighlightBuilder;
import org.opensearch.snapshots.SnapshotState;
import org.opensearch.test.OpenSearchSingleNodeTestCase;

/** One node: settings, everything that reads {@code _source}, copies, and the way back. */
public class ColumnarSourceNodeTests extends OpenSearchSingleNodeTestCase {
  private static final String ENABLED = "index.millrace.columnar_source.enabled";
  private static final String SWITCH = "millrace.storage.columnar_source.enabled";

  /** The two features without the rest of the product. */
  public static final class Host extends FeaturePlugin {
    public Host() {
      super(List.of(new ZstandardFeature(), new ColumnarSourceFeature()));
    }
  }

  @Override
  protected Collection<Class<? extends Plugin>> getPlugins() {
    return List.of(Host.class);
  }

  @Override
  protected boolean resetNodeAfterTest() {
    return true;
  }

  private final List<byte[]> documents = new ArrayList<>();

  @Override
  public void setUp() throws Exception {
    super.setUp();
    LogGenerator generator = new LogGenerator(9);
    for (int i = 0; i < 3000; i++) {
      documents.add(generator.next());
    }
  }

  private static Settings.Builder columns() {
    return Settings.builder()
        .put(ENABLED, true)
        .put("index.number_of_shards", 1)
        .put("index.number_of_replicas", 0);
  }

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

  private String source(int i) {
    return new String(documents.get(i), StandardCharsets.UTF_8);
  }

  private void assertDocuments(String index, int count) {
    client().admin().indices().prepareRefresh(index).get();
    assertHitCount(client().prepareSearch(index).setSize(0).get(), count);
    var hits = client().prepareSearch(index).setSize(count).get().getHits().getHits();
    assertEquals(count, hits.length);
    for (var hit : hits) {
      assertEquals(source(Integer.parseInt(hit.getId())), hit.getSourceAsString());
    }
    for (int i = 0; i < count; i += 37) {
      assertEquals(
          source(i), client().prepareGet(index, Integer.toString(i)).get().getSourceAsString());
    }
  }

  /** The codec beside the columns of each segment; null for a segment without columns. */
  private List<String> segments(String index) {
    client().admin().indices().prepareFlush(index).setForce(true).get();
    client().admin().indices().prepareRefresh(index).get();
    List<String> others = new ArrayList<>();
    var response = client().admin().indices().prepareSegments(index).get();
    for (var shards : response.getIndices().get(index)) {
      for (var shard : shards.getShards()) {
        for (Segment segment : shard.getSegments()) {
          others.add(String.valueOf(segment.getAttributes().get(ColumnarSourceFormat.OTHERS_KEY)));
        }
      }
    }
    assertFalse(others.isEmpty());
    return others;
  }

  private void assertColumns(String index, String others) {
    for (String each : segments(index)) {
      assertEquals(others, each);
    }
  }

  public void testSettingBringsItsCodec() {
    createIndex("logs", columns().build());
    assertEquals(
        "zstandard",
        client()
            .admin()
            .indices()
            .prepareGetSettings("logs")
            .get()
            .getSetting("logs", "index.codec"));
    index("logs", 0, 3000);
    assertDocuments("logs", 3000);
    assertColumns("logs", "Millrace1050Zstandard32k");
    createIndex("archive", columns().put("index.codec", "zstandard_archive").build());
    index("archive", 0, 300);
    assertDocuments("archive", 300);
    assertColumns("archive", "Millrace1050ZstandardArchive");
    createIndex("plain", Settings.builder().put("index.codec", "zstandard").build());
    index("plain", 0, 10);
    assertColumns("plain", "null");
  }

  private void refused(Settings settings, String mapping, String... words) {
    IllegalArgumentException e =
        expectThrows(
            IllegalArgumentException.class,
            () ->
                client()
                    .admin()
                    .indices()
                    .prepareCreate("bad")
                    .setSettings(settings)
                    .setMapping(mapping)
                    .get());
    for (String word : words) {
      assertTrue(e.getMessage(), e.getMessage().contains(word));
    }
  }

  public void testWhatCannotWorkIsRefused() {
    refused(
        columns().put("index.codec", "best_compression").build(),
        "{}",
        ENABLED,
        "best_compression",
        "zstandard_archive");
    refused(columns().put("index.derived_source.enabled", true).build(), "{}", ENABLED, "derived");
    refused(columns().build(), "{\"_source\":{\"enabled\":false}}", ENABLED, "_source.enabled");
    refused(Settings.builder().put(ENABLED, "maybe").build(), "{}", ENABLED, "maybe");
    refused(Settings.builder().put("index.codec", ColumnarSourceCodec.NAME).build(), "{}", ENABLED);
    createIndex("logs", columns().build());
    IllegalArgumentException e =
        expectThrows(
            IllegalArgumentException.class,
            () ->
                client()
                    .admin()
                    .indices()
                    .prepareUpdateSettings("logs")
                    .setSettings(Settings.builder().put(ENABLED, false))
                    .get());
    assertTrue(e.getMessage(), e.getMessage().contains(ENABLED));
    e =
        expectThrows(
            IllegalArgumentException.class,
            () ->
                client()
                    .admin()
                    .indices()
                    .prepareUpdateSettings("logs")
                    .setSettings(Settings.builder().put("codec", ColumnarSourceCodec.NAME))
                    .get());
    assertTrue(e.getMessage(), e.getMessage().contains("name inside segments"));
  }

  public void testSwitchRefusesNewIndicesOnly() {
    createIndex("logs", columns().build());
    setSwitch(false);
    refused(columns().build(), "{}", ENABLED, SWITCH);
    index("logs", 0, 50);
    assertDocuments("logs", 50);
    assertColumns("logs", "Millrace1050Zstandard32k");
    setSwitch(null);
  }

  private void setSwitch(Boolean on) {
    assertAcked(
        client()
            .admin()
            .cluster()
            .prepareUpdateSettings()
            .setTransientSettings(Settings.builder().put(SWITCH, on == null ? null : on.toString()))
            .get());
  }

  public void testGetUpdateAndDelete() {
    createIndex("logs", columns().put("index.refresh_interval", "-1").build());
    index("logs", 0, 500);
    // realtime: from the translog, then from the segment
    client().prepareIndex("logs").setId("5").setSource(documents.get(600), XContentType.JSON).get();
    assertEquals(source(600), client().prepareGet("logs", "5").get().getSourceAsString());
    client().prepareUpdate("logs", "6").setDoc(Map.of("level", "FATAL")).get();
    GetResponse updated = client().prepareGet("logs", "6").get();
    assertEquals("FATAL", updated.getSourceAsMap().get("level"));
    client().prepareDelete("logs", "7").get();
    assertFalse(client().prepareGet("logs", "7").get().isExists());
    client().admin().indices().prepareForceMerge("logs").setMaxNumSegments(1).get();
    client().admin().indices().prepareRefresh("logs").get();
    assertEquals(source(600), client().prepareGet("logs", "5").get().getSourceAsString());
    assertEquals("FATAL", client().prepareGet("logs", "6").get().getSourceAsMap().get("level"));
    assertFalse(client().prepareGet("logs", "7").get().isExists());
    assertEquals(source(8), client().prepareGet("logs", "8").get().getSourceAsString());
  }

  public void testFilteringAndHighlighting() {
    createIndex("logs", columns().build());
    index("logs", 0, 400);
    var filtered =
        client()
            .prepareSearch("logs")
            .setSize(400)
            .setFetchSource(new String[] {"host", "status"}, null)
            .get()
            .getHits();
    for (var hit : filtered) {
      assertEquals(java.util.Set.of("host", "status"), hit.getSourceAsMap().keySet());
    }
    var highlighted =
        client()
            .prepareSearch("logs")
            .setQuery(matchQuery("message", "file"))
            .highlighter(new HighlightBuilder().field("message"))
            .get()
            .getHits();
    assertTrue(highlighted.getHits().length > 0);
    for (var hit : highlighted) {
      assertTrue(hit.getHighlightFields().get("message").toString().contains("<em>"));
    }
  }

  public void testOtherContentTypes() throws IOException {
    createIndex("logs", columns().build());
    Map<String, BytesReference> sent = new HashMap<>();
    for (XContentType type : XContentType.values()) {
      if (type.mediaTypeWithoutParameters() == null) {
        continue;
      }
      for (int i = 0; i < 20; i++) {
        try (XContentBuilder builder = MediaTypeRegistry.contentBuilder(type)) {
          builder.startObject().field("n", i).field("text", "value " + i).endObject();
          BytesReference bytes = BytesReference.bytes(builder);
          String id = type + "-" + i;
          client().prepareIndex("logs").setId(id).setSource(bytes, type).get();
          sent.put(id, bytes);
        }
      }
    }
    client().admin().indices().prepareForceMerge("logs").setMaxNumSegments(1).get();
    client().admin().indices().prepareRefresh("logs").get();
    for (var hit : client().prepareSearch("logs").setSize(200).get().getHits()) {
      assertEquals(sent.remove(hit.getId()), hit.getSourceRef());
    }
    assertTrue(sent.isEmpty());
  }

  public void testTranslogReplayAndIndexSort() {
    createIndex(
        "logs",
        columns().put("index.sort.field", "@timestamp").put("index.sort.order", "desc").build(),
        "_doc",
        "@timestamp",
        "type=date",
        "message",
        "type=text");
    index("logs", 0, 700);
    index("logs", 700, 1500);
    // not flushed: what is opened again is replayed
    close("logs");
    open("logs");
    index("logs", 1500, 1600);
    client().admin().indices().prepareForceMerge("logs").setMaxNumSegments(1).get();
    assertDocuments("logs", 1600);
    assertColumns("logs", "Millrace1050Zstandard32k");
  }

  private void close(String index) {
    assertAcked(client().admin().indices().prepareClose(index).get());
  }

  private void open(String index) {
    assertAcked(client().admin().indices().prepareOpen(index).get());
    ensureGreen(index);
  }

  public void testTheWayBackAndForth() {
    createIndex("logs", columns().build());
    index("logs", 0, 900);
    assertColumns("logs", "Millrace1050Zstandard32k");
    codec("default");
    index("logs", 900, 1000);
    assertTrue(segments("logs").contains("null"));
    assertDocuments("logs", 1000);
    rewrite();
    assertEquals(List.of("null"), segments("logs"));
    assertDocuments("logs", 1000);
    codec("zstandard_16k");
    index("logs", 1000, 1100);
    rewrite();
    assertColumns("logs", "Millrace1050Zstandard16k");
    assertDocuments("logs", 1100);
  }

  private void codec(String codec) {
    close("logs");
    assertAcked(
        client()
            .admin()
            .indices()
            .prepareUpdateSettings("logs")
            .setSettings(
                Settings.builder()
                    .put("index.codec", codec)
                    .put("index.merge.policy", "log_byte_size")
                    .put("index.merge.log_byte_size_policy.no_cfs_ratio", true))
            .get());
    open("logs");
  }

  /** Both ways, since a lone segment is only rewritten when its compound state is wrong. */
  private void rewrite() {
    for (boolean compound : new boolean[] {true, false}) {
      assertAcked(
          client()
              .admin()
              .indices()
              .prepareUpdateSettings("logs")
              .setSettings(
                  Settings.builder().put("index.merge.log_byte_size_policy.no_cfs_ratio", compound))
              .get());
      client().admin().indices().prepareForceMerge("logs").setMaxNumSegments(1).get();
    }
  }

  public void testShrinkSplitAndCloneKeepTheColumns() {
    createIndex(
        "two",
        columns()
            .put("index.number_of_shards", 2)
            .put("index.number_of_routing_shards", 4)
            .build());
    index("two", 0, 900);
    assertAcked(
        client()
            .admin()
            .indices()
            .prepareUpdateSettings("two")
            .setSettings(Settings.builder().put("index.blocks.write", true))
            .get());
    setSwitch(false); // copies are allowed: the format is their source's
    resize("one", ResizeType.SHRINK, 1);
    resize("four", ResizeType.SPLIT, 4);
    resize("twin", ResizeType.CLONE, 2);
    for (String copy : List.of("one", "four", "twin")) {
      ensureGreen(copy);
      client().admin().indices().prepareForceMerge(copy).setMaxNumSegments(1).get();
      assertDocuments(copy, 900);
      assertColumns(copy, "Millrace1050Zstandard32k");
    }
    setSwitch(null);
  }

  private void resize(String to, ResizeType type, int shards) {
    assertAcked(
        client()
            .admin()
            .indices()
            .prepareResizeIndex("two", to)
            .setResizeType(type)
            .setSettings(
                Settings.builder()
                    .put("index.number_of_shards", shards)
                    .put("index.number_of_replicas", 0)
                    .putNull("index.blocks.write")
                    .build())
            .get());
  }

  public void testSnapshotAndRestore() {
    assertAcked(
        client()
            .admin()
            .cluster()
            .preparePutRepository("backup")
            .setType("fs")
            .setSettings(Settings.builder().put("location", "columns"))
            .get());
    createIndex("logs", columns().build());
    index("logs", 0, 800);
    assertEquals(
        SnapshotState.SUCCESS,
        client()
            .admin()
            .cluster()
            .prepareCreateSnapshot("backup", "one")
            .setWaitForCompletion(true)
            .get()
            .getSnapshotInfo()
            .state());
    assertAcked(client().admin().indices().prepareDelete("logs").get());
    client()
        .admin()
        .cluster()
        .prepareRestoreSnapshot("backup", "one")
        .setWaitForCompletion(true)
        .get();
    ensureGreen("logs");
    assertDocuments("logs", 800);
    assertColumns("logs", "Millrace1050Zstandard32k");
  }
}
