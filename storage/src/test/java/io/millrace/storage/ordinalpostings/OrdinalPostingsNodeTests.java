package io.millrace.storage.ordinalpostings;

import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertAcked;

import io.millrace.kernel.FeaturePlugin;
import io.millrace.storage.columnarsource.ColumnarSourceFeature;
import io.millrace.storage.packedids.PackedIdsFeature;
import io.millrace.storage.zstandard.ZstandardFeature;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.Terms;
import org.opensearch.action.bulk.BulkRequestBuilder;
import org.opensearch.action.support.WriteRequest.RefreshPolicy;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.index.shard.IndexShard;
import org.opensearch.indices.IndicesService;
import org.opensearch.plugins.Plugin;
import org.opensearch.test.OpenSearchSingleNodeTestCase;

/**
 * One node: the answers of an index with ordinal postings beside those of its twin without, over
 * updates, deletions, several segments and a merge; which fields are served; the way there and
 * back.
 *
 * <p>{@code -Dmillrace.fuzz.seed=} moves the documents and questions, {@code
 * -Dmillrace.fuzz.scale=} gives more of both.
 */
public class OrdinalPostingsNodeTests extends OpenSearchSingleNodeTestCase {
  private static final String FIELDS = "index.millrace.ordinal_postings.fields";
  private static final int SCALE = Integer.getInteger("millrace.fuzz.scale", 1);

  /** The features without the rest of the product. */
  public static final class Host extends FeaturePlugin {
    public Host() {
      super(
          List.of(
              new ZstandardFeature(),
              new ColumnarSourceFeature(),
              new PackedIdsFeature(),
              new OrdinalPostingsFeature()));
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

  private void create(String index, Settings.Builder settings) {
    assertAcked(
        client()
            .admin()
            .indices()
            .prepareCreate(index)
            .setSettings(
                settings
                    .put("index.number_of_shards", 1)
                    .put("index.number_of_replicas", 0)
                    .put("index.refresh_interval", "-1")
                    .put("index.analysis.normalizer.lower.type", "custom")
                    .putList("index.analysis.normalizer.lower.filter", "lowercase"))
            .setMapping(TwinQuestions.MAPPING)
            .get());
    ensureGreen(index);
  }

  private static Settings.Builder served() {
    return Settings.builder().putList(FIELDS, "*");
  }

  private Set<String> kinds(String index, String field) throws Exception {
    Set<String> found = new HashSet<>();
    IndexShard shard =
        getInstanceFromNode(IndicesService.class).indexServiceSafe(resolveIndex(index)).getShard(0);
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

  private void index(String index, TwinQuestions questions, int from, int to) {
    BulkRequestBuilder bulk = client().prepareBulk().setRefreshPolicy(RefreshPolicy.IMMEDIATE);
    for (int i = from; i < to; i++) {
      bulk.add(
          client()
              .prepareIndex(index)
              .setId(Integer.toString(i))
              .setSource(questions.document(i), XContentType.JSON));
    }
    assertFalse(bulk.get().hasFailures());
  }

  private void flushAndMerge(String index, int segments) {
    client().admin().indices().prepareForceMerge(index).setMaxNumSegments(segments).get();
    client().admin().indices().prepareRefresh(index).get();
  }

  private void sameAnswers(TwinQuestions questions, long seed, String... indices) throws Exception {
    questions.ask(client(), new Random(seed), 40 * SCALE, indices);
  }

  public void testTwins() throws Exception {
    long seed = Long.getLong("millrace.fuzz.seed", 42);
    TwinQuestions questions = new TwinQuestions(new Random(seed), 300 * SCALE);
    create("plain", Settings.builder());
    create("ordinals", served());
    create("columns", served().put("index.millrace.columnar_source.enabled", true));
    String[] all = {"plain", "ordinals", "columns"};
    Random random = new Random(seed);
    for (String index : all) {
      for (int from = 0; from < questions.size(); from += 100) {
        index(index, questions, from, Math.min(from + 100, questions.size()));
      }
    }
    assertEquals(Set.of("ValuesTerms"), kinds("ordinals", "trace_id"));
    assertEquals(Set.of("ValuesTerms"), kinds("columns", "trace_id"));
    assertFalse(kinds("plain", "trace_id").contains("ValuesTerms"));
    sameAnswers(questions, seed, all);
    for (int i = 0; i < 60; i++) {
      String id = Integer.toString(random.nextInt(questions.size()));
      String source = questions.document(random.nextInt(questions.size()));
      boolean deletes = random.nextBoolean();
      for (String index : all) {
        if (deletes) {
          client().prepareDelete(index, id).get();
        } else {
          client().prepareIndex(index).setId(id).setSource(source, XContentType.JSON).get();
        }
      }
    }
    for (String index : all) {
      client().admin().indices().prepareRefresh(index).get();
    }
    sameAnswers(questions, seed + 1, all);
    for (String index : all) {
      flushAndMerge(index, 1);
    }
    assertEquals(Set.of("ValuesTerms"), kinds("ordinals", "trace_id"));
    sameAnswers(questions, seed + 2, all);
  }

  public void testServedFields() throws Exception {
    TwinQuestions questions = new TwinQuestions(new Random(1), 50);
    create("some", Settings.builder().putList(FIELDS, "trace_id", "obj*"));
    index("some", questions, 0, 50);
    assertEquals(Set.of("ValuesTerms"), kinds("some", "trace_id"));
    assertEquals(Set.of("ValuesTerms"), kinds("some", "objects.id"));
    assertFalse(kinds("some", "tags").contains("ValuesTerms"));
    create("all", served());
    index("all", questions, 0, 50);
    for (String left : List.of("text", "frequencies", "norms", "no_values", "_id")) {
      Set<String> kinds = kinds("all", left);
      assertFalse(left + " " + kinds, kinds.isEmpty() || kinds.contains("ValuesTerms"));
    }
    // a field that the mapping does not have yet
    client()
        .prepareIndex("all")
        .setSource("{\"later\": \"a b\"}", XContentType.JSON)
        .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
        .get();
    assertEquals(Set.of("ValuesTerms"), kinds("all", "later.keyword"));
  }

  public void testThereAndBack() throws Exception {
    TwinQuestions questions = new TwinQuestions(new Random(2), 200);
    create("plain", Settings.builder());
    create("moved", Settings.builder());
    index("plain", questions, 0, 200);
    index("moved", questions, 0, 100);
    reopen("moved", Settings.builder().putList(FIELDS, "*"));
    index("moved", questions, 100, 200);
    assertTrue(kinds("moved", "trace_id").size() > 1);
    sameAnswers(questions, 3, "plain", "moved");
    flushAndMerge("moved", 1);
    assertEquals(Set.of("ValuesTerms"), kinds("moved", "trace_id"));
    sameAnswers(questions, 4, "plain", "moved");
    reopen("moved", Settings.builder().putNull(FIELDS));
    index("moved", questions, 150, 200);
    index("plain", questions, 150, 200);
    // scores count what is deleted and not merged away yet
    flushAndMerge("plain", 1);
    flushAndMerge("moved", 1);
    assertFalse(kinds("moved", "trace_id").contains("ValuesTerms"));
    sameAnswers(questions, 5, "plain", "moved");
  }

  private void reopen(String index, Settings.Builder settings) {
    assertAcked(client().admin().indices().prepareClose(index).get());
    assertAcked(
        client().admin().indices().prepareUpdateSettings(index).setSettings(settings).get());
    assertAcked(client().admin().indices().prepareOpen(index).get());
    ensureGreen(index);
  }

  public void testSwitchIsOff() throws Exception {
    assertAcked(
        client()
            .admin()
            .cluster()
            .prepareUpdateSettings()
            .setTransientSettings(
                Settings.builder().put("millrace.storage.ordinal_postings.enabled", false))
            .get());
    try {
      create("off", served());
      index("off", new TwinQuestions(new Random(1), 20), 0, 20);
      assertFalse(kinds("off", "trace_id").contains("ValuesTerms"));
    } finally {
      client()
          .admin()
          .cluster()
          .prepareUpdateSettings()
          .setTransientSettings(
              Settings.builder().putNull("millrace.storage.ordinal_postings.enabled"))
          .get();
    }
  }

  public void testRefusals() {
    for (String bad : List.of("_id", " ", "_*")) {
      Exception refused =
          expectThrows(
              IllegalArgumentException.class,
              () -> create("bad", Settings.builder().putList(FIELDS, bad)));
      assertTrue(refused.getMessage(), refused.getMessage().contains(FIELDS));
      assertTrue(refused.getMessage(), refused.getMessage().contains("[" + bad + "]"));
    }
    create("open", served());
    Exception refused =
        expectThrows(
            IllegalArgumentException.class,
            () ->
                client()
                    .admin()
                    .indices()
                    .prepareUpdateSettings("open")
                    .setSettings(Settings.builder().putNull(FIELDS))
                    .get());
    assertTrue(refused.getMessage(), refused.getMessage().contains(FIELDS));
  }

  /** An over-long value is refused with stock's words, whichever of its two fields is first. */
  public void testImmenseTerm() {
    create("plain", Settings.builder());
    create("ordinals", served());
    String source = "{\"trace_id\": \"" + "x".repeat(40_000) + "\"}";
    Set<String> errors = new TreeSet<>();
    for (String index : List.of("plain", "ordinals")) {
      Exception refused =
          expectThrows(
              IllegalArgumentException.class,
              () ->
                  client()
                      .prepareIndex(index)
                      .setId("1")
                      .setSource(source, XContentType.JSON)
                      .get());
      errors.add(refused.getMessage());
    }
    assertEquals(errors.toString(), 1, errors.size());
  }
}
