package io.millrace.storage.packedids;

import static org.opensearch.index.query.QueryBuilders.prefixQuery;
import static org.opensearch.index.query.QueryBuilders.rangeQuery;
import static org.opensearch.index.query.QueryBuilders.regexpQuery;
import static org.opensearch.index.query.QueryBuilders.termQuery;
import static org.opensearch.index.query.QueryBuilders.termsQuery;
import static org.opensearch.index.query.QueryBuilders.wildcardQuery;
import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertAcked;

import io.millrace.kernel.FeaturePlugin;
import io.millrace.storage.columnarsource.ColumnarSourceFeature;
import io.millrace.storage.zstandard.ZstandardFeature;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.Terms;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.action.search.SearchRequestBuilder;
import org.opensearch.action.support.WriteRequest.RefreshPolicy;
import org.opensearch.common.settings.Settings;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.index.shard.IndexShard;
import org.opensearch.plugins.Plugin;
import org.opensearch.search.SearchHit;
import org.opensearch.search.aggregations.AggregationBuilders;
import org.opensearch.search.aggregations.BucketOrder;
import org.opensearch.search.aggregations.bucket.terms.Terms.Bucket;
import org.opensearch.search.sort.SortOrder;
import org.opensearch.test.OpenSearchSingleNodeTestCase;

/** One node: the answers of a packed index against those of one without, settings, the way back. */
public class PackedIdsNodeTests extends OpenSearchSingleNodeTestCase {
  private static final String ENABLED = "index.millrace.packed_ids.enabled";
  private static final String COLUMNS = "index.millrace.columnar_source.enabled";
  private static final String SWITCH = "millrace.storage.packed_ids.enabled";
  private static final int DOCUMENTS = 700;

  /** The features without the rest of the product. */
  public static final class Host extends FeaturePlugin {
    public Host() {
      super(List.of(new ZstandardFeature(), new ColumnarSourceFeature(), new PackedIdsFeature()));
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

  private static Settings.Builder settings(boolean packed) {
    Settings.Builder settings =
        Settings.builder().put("index.number_of_shards", 1).put("index.number_of_replicas", 0);
    return packed ? settings.put(ENABLED, true) : settings;
  }

  private void create(String index, Settings settings) {
    assertAcked(
        client()
            .admin()
            .indices()
            .prepareCreate(index)
            .setSettings(settings)
            .setMapping(
                "trace",
                "type=keyword",
                "span",
                "type=keyword",
                "often",
                "type=keyword",
                "n",
                "type=integer")
            .get());
    ensureGreen(index);
  }

  private static String hex(Random random, int digits) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < digits; i++) {
      text.append(Character.forDigit(random.nextInt(i < 2 ? 4 : 16), 16));
    }
    return text.toString();
  }

  private final List<Map<String, Object>> documents = new ArrayList<>();

  @Override
  public void setUp() throws Exception {
    super.setUp();
    Random random = new Random(4);
    List<String> traces = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      traces.add(hex(random, 32));
    }
    for (int i = 0; i < DOCUMENTS; i++) {
      documents.add(
          Map.of(
              "trace",
              traces.get(random.nextInt(traces.size())),
              "span",
              List.of(hex(random, 16), hex(random, 16)),
              "often",
              i % 350 == 349 ? "none" : hex(random, 32),
              "n",
              i));
    }
  }

  private void index(String index, int from, int to) {
    BulkRequestBuilder bulk = client().prepareBulk().setRefreshPolicy(RefreshPolicy.IMMEDIATE);
    for (int i = from; i < to; i++) {
      bulk.add(client().prepareIndex(index).setId(Integer.toString(i)).setSource(documents.get(i)));
    }
    assertFalse(bulk.get().hasFailures());
  }

  private Set<String> packedSegments(String index, String field) throws Exception {
    Set<String> found = new HashSet<>();
    IndexShard shard =
        getInstanceFromNode(org.opensearch.indices.IndicesService.class)
            .indexServiceSafe(resolveIndex(index))
            .getShard(0);
    try (var searcher = shard.acquireSearcher("test")) {
      for (LeafReaderContext leaf : searcher.getIndexReader().leaves()) {
        Terms terms = leaf.reader().terms(field);
        if (terms != null) {
          found.add(terms.getClass().getSimpleName());
        }
      }
    }
    return found;
  }

  private List<String> ids(String index, QueryBuilder query, String sort) {
    SearchRequestBuilder search = client().prepareSearch(index).setQuery(query).setSize(DOCUMENTS);
    search.addSort(sort, SortOrder.ASC).addSort("n", SortOrder.DESC);
    List<String> ids = new ArrayList<>();
    for (SearchHit hit : search.get().getHits()) {
      ids.add(hit.getId() + Arrays.toString(hit.getSortValues()));
    }
    return ids;
  }

  private List<String> buckets(String index, String field, boolean global) {
    var terms =
        AggregationBuilders.terms("top")
            .field(field)
            .size(2000)
            .executionHint(global ? "global_ordinals" : "map")
            .order(BucketOrder.key(true));
    org.opensearch.search.aggregations.bucket.terms.Terms answer =
        client()
            .prepareSearch(index)
            .setSize(0)
            .addAggregation(terms)
            .get()
            .getAggregations()
            .get("top");
    List<String> buckets = new ArrayList<>();
    for (Bucket bucket : answer.getBuckets()) {
      buckets.add(bucket.getKeyAsString() + " " + bucket.getDocCount());
    }
    assertFalse(buckets.isEmpty());
    return buckets;
  }

  private void assertSameAnswers() {
    Random random = new Random(8);
    for (String field : List.of("trace", "span", "often")) {
      int matched = 0;
      for (int i = 0; i < 40; i++) {
        Object value = documents.get(random.nextInt(DOCUMENTS)).get(field);
        String text = (String) (value instanceof List<?> list ? list.get(0) : value);
        String start = text.substring(0, Math.min(text.length(), 1 + random.nextInt(5)));
        QueryBuilder query =
            switch (i % 8) {
              case 0 -> termQuery(field, text);
              case 1 -> prefixQuery(field, start);
              case 2 -> wildcardQuery(field, start + "*" + text.charAt(text.length() - 1));
              case 3 -> regexpQuery(field, start + "[0-8a-c].*");
              case 4 -> rangeQuery(field).gt(start).lte(text + "zz");
              case 5 -> termsQuery(field, text, "absent", text.substring(1), "none");
              case 6 -> termQuery(field, text).caseInsensitive(true);
              default -> rangeQuery(field).lt(text);
            };
        for (String sort : List.of("trace", "span", "often")) {
          List<String> expected = ids("plain", query, sort);
          assertEquals(query.toString(), expected, ids("packed", query, sort));
          matched += expected.size();
        }
      }
      assertTrue(field, matched > 0);
      for (boolean global : new boolean[] {true, false}) {
        assertEquals(buckets("plain", field, global), buckets("packed", field, global));
      }
    }
  }

  public void testAnswersAreThoseOfAnIndexWithout() throws Exception {
    create("plain", settings(false).build());
    create("packed", settings(true).build());
    for (String index : List.of("plain", "packed")) {
      index(index, 0, 300);
      index(index, 300, DOCUMENTS);
      for (int i = 0; i < 300; i += 7) {
        client().prepareDelete(index, Integer.toString(i)).get();
      }
      client().admin().indices().prepareRefresh(index).get();
    }
    assertTrue(packedSegments("packed", "trace").contains("PackedTerms"));
    assertFalse(packedSegments("packed", "_id").contains("PackedTerms"));
    assertFalse(packedSegments("plain", "trace").contains("PackedTerms"));
    assertSameAnswers();
    for (String index : List.of("plain", "packed")) {
      client().admin().indices().prepareForceMerge(index).setMaxNumSegments(1).get();
      client().admin().indices().prepareRefresh(index).get();
    }
    assertEquals(Set.of("PackedTerms"), packedSegments("packed", "span"));
    assertFalse(packedSegments("packed", "often").contains("PackedTerms"));
    assertSameAnswers();
  }

  public void testWithColumnsAndTheWayBack() throws Exception {
    create("plain", settings(false).build());
    create("packed", settings(true).put(COLUMNS, true).build());
    assertEquals(
        "zstandard",
        client()
            .admin()
            .indices()
            .prepareGetSettings("packed")
            .get()
            .getSetting("packed", "index.codec"));
    index("plain", 0, DOCUMENTS);
    index("packed", 0, 400);
    assertEquals(Set.of("PackedTerms"), packedSegments("packed", "trace"));
    codec("default");
    index("packed", 400, DOCUMENTS);
    assertSameAnswers();
    rewrite();
    assertFalse(packedSegments("packed", "trace").contains("PackedTerms"));
    assertSameAnswers();
    codec("zstandard_16k");
    rewrite();
    assertEquals(Set.of("PackedTerms"), packedSegments("packed", "trace"));
    assertSameAnswers();
  }

  private String said(String index) {
    return client().admin().indices().prepareGetSettings(index).get().getSetting(index, ENABLED);
  }

  private boolean packs(String index) throws Exception {
    index(index, 0, 50);
    return packedSegments(index, "trace").equals(Set.of("PackedTerms"));
  }

  /** What an index gets by what is said of columns and of packed ids. */
  public void testDefaultFollowsColumns() throws Exception {
    create("neither", settings(false).build());
    create("no-columns", settings(false).put(COLUMNS, false).build());
    create("columns", settings(false).put(COLUMNS, true).build());
    create("columns-false", settings(false).put(COLUMNS, true).put(ENABLED, false).build());
    create("columns-null", settings(false).put(COLUMNS, true).putNull(ENABLED).build());
    create("columns-true", settings(true).put(COLUMNS, true).build());
    create("no-columns-true", settings(true).put(COLUMNS, false).build());
    assertNull(said("neither"));
    assertFalse(packs("neither"));
    assertNull(said("no-columns"));
    assertFalse(packs("no-columns"));
    assertEquals("true", said("columns"));
    assertTrue(packs("columns"));
    assertEquals("false", said("columns-false"));
    assertFalse(packs("columns-false"));
    assertNull(said("columns-null"));
    assertFalse(packs("columns-null"));
    assertEquals("true", said("columns-true"));
    assertTrue(packs("columns-true"));
    assertEquals("true", said("no-columns-true"));
    assertTrue(packs("no-columns-true"));
  }

  public void testTemplateWithColumnsPacks() throws Exception {
    assertAcked(
        client()
            .admin()
            .indices()
            .preparePutTemplate("logs")
            .setPatterns(List.of("logs-*"))
            .setSettings(Settings.builder().put(COLUMNS, true))
            .get());
    create("logs-1", settings(false).build());
    assertEquals("true", said("logs-1"));
    create("logs-2", settings(false).put(ENABLED, false).build());
    assertEquals("false", said("logs-2"));
  }

  /** The error of an index with columns speaks of what was asked for. */
  public void testRefusalNamesColumns() {
    refused(
        settings(false).put(COLUMNS, true).put("index.codec", "default").build(),
        "[" + COLUMNS + ": true]",
        "[index.codec: default]");
  }

  public void testColumnsWithoutPackedIdsWhereTheSwitchIsOff() throws Exception {
    assertAcked(switchTo("false"));
    create("columns", settings(false).put(COLUMNS, true).build());
    create("columns-false", settings(false).put(COLUMNS, true).put(ENABLED, false).build());
    refused(settings(true).put(COLUMNS, true).build(), ENABLED, SWITCH);
    assertAcked(switchTo(null));
    assertNull(said("columns"));
    assertFalse(packs("columns"));
    assertFalse(packs("columns-false"));
    create("later", settings(false).put(COLUMNS, true).build());
    assertTrue(packs("later"));
  }

  private void codec(String codec) {
    assertAcked(client().admin().indices().prepareClose("packed").get());
    assertAcked(
        client()
            .admin()
            .indices()
            .prepareUpdateSettings("packed")
            .setSettings(
                Settings.builder()
                    .put("index.codec", codec)
                    .put("index.merge.policy", "log_byte_size")
                    .put("index.merge.log_byte_size_policy.no_cfs_ratio", true))
            .get());
    assertAcked(client().admin().indices().prepareOpen("packed").get());
    ensureGreen("packed");
  }

  /** Both ways, since a lone segment is only rewritten when its compound state is wrong. */
  private void rewrite() {
    for (boolean compound : new boolean[] {true, false}) {
      assertAcked(
          client()
              .admin()
              .indices()
              .prepareUpdateSettings("packed")
              .setSettings(
                  Settings.builder().put("index.merge.log_byte_size_policy.no_cfs_ratio", compound))
              .get());
      client().admin().indices().prepareForceMerge("packed").setMaxNumSegments(1).get();
    }
    client().admin().indices().prepareRefresh("packed").get();
  }

  private void refused(Settings settings, String... words) {
    IllegalArgumentException e =
        expectThrows(
            IllegalArgumentException.class,
            () -> client().admin().indices().prepareCreate("bad").setSettings(settings).get());
    for (String word : words) {
      assertTrue(e.getMessage(), e.getMessage().contains(word));
    }
  }

  public void testWhatCannotWorkIsRefused() {
    refused(settings(true).put("index.codec", "default").build(), ENABLED, "default", "zstandard");
    refused(settings(false).put(ENABLED, "maybe").build(), ENABLED, "maybe");
    create("packed", settings(true).build());
    IllegalArgumentException e =
        expectThrows(
            IllegalArgumentException.class,
            () ->
                client()
                    .admin()
                    .indices()
                    .prepareUpdateSettings("packed")
                    .setSettings(Settings.builder().put(ENABLED, false))
                    .get());
    assertTrue(e.getMessage(), e.getMessage().contains(ENABLED));
  }

  public void testSwitchRefusesNewIndicesOnly() throws Exception {
    create("packed", settings(true).build());
    assertAcked(switchTo("false"));
    refused(settings(true).build(), ENABLED, SWITCH);
    index("packed", 0, 50);
    assertEquals(Set.of("PackedTerms"), packedSegments("packed", "trace"));
    assertAcked(switchTo(null));
  }

  private org.opensearch.action.support.clustermanager.AcknowledgedResponse switchTo(String value) {
    return client()
        .admin()
        .cluster()
        .prepareUpdateSettings()
        .setTransientSettings(Settings.builder().put(SWITCH, value))
        .get();
  }
}
