package io.millrace.write.logtext;

import static org.opensearch.index.query.QueryBuilders.fuzzyQuery;
import static org.opensearch.index.query.QueryBuilders.matchPhraseQuery;
import static org.opensearch.index.query.QueryBuilders.matchQuery;
import static org.opensearch.index.query.QueryBuilders.multiMatchQuery;
import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertAcked;

import com.carrotsearch.randomizedtesting.ThreadFilter;
import com.carrotsearch.randomizedtesting.annotations.ThreadLeakFilters;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.lucene.codecs.StoredFieldsReader;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FilterDirectoryReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.Terms;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.admin.cluster.snapshots.restore.RestoreSnapshotRequest.StorageType;
import org.opensearch.cluster.node.DiscoveryNodeRole;
import org.opensearch.common.lucene.index.SequentialStoredFieldsLeafReader;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Settings;
import org.opensearch.index.IndexModule;
import org.opensearch.index.query.CommonTermsQueryBuilder;
import org.opensearch.index.query.MultiMatchQueryBuilder;
import org.opensearch.index.query.QueryBuilder;
import org.opensearch.plugins.Plugin;
import org.opensearch.search.SearchHit;
import org.opensearch.test.OpenSearchIntegTestCase;

/**
 * Queries past the field type find the same on every kind of copy, and another plugin's wrapper of
 * readers hides what it hides.
 */
@ThreadLeakFilters(filters = LogTextCopiesNodeTests.SnapshotFiles.class)
@OpenSearchIntegTestCase.ClusterScope(
    scope = OpenSearchIntegTestCase.Scope.TEST,
    numDataNodes = 0,
    autoManageMasterNodes = true)
public class LogTextCopiesNodeTests extends OpenSearchIntegTestCase {
  private static final int DOCUMENTS = 60;

  /** The thread that OpenSearch starts for the files of searchable snapshots, and never ends. */
  public static final class SnapshotFiles implements ThreadFilter {
    @Override
    public boolean reject(Thread thread) {
      return thread.getName().startsWith("index-input-cleaner");
    }
  }

  /** Hides a field, as field level security does. */
  public static final class Hiding extends Plugin {
    static final Setting<Boolean> HIDE =
        Setting.boolSetting("index.hide_message", false, Setting.Property.IndexScope);

    @Override
    public List<Setting<?>> getSettings() {
      return List.of(HIDE);
    }

    @Override
    public void onIndexModule(IndexModule module) {
      if (HIDE.get(module.getSettings())) {
        module.setReaderWrapper(service -> Hidden::new);
      }
    }
  }

  private static final class Hidden extends FilterDirectoryReader {
    Hidden(DirectoryReader in) throws IOException {
      super(
          in,
          new SubReaderWrapper() {
            @Override
            public LeafReader wrap(LeafReader leaf) {
              return new HiddenLeaf(leaf);
            }
          });
    }

    @Override
    protected DirectoryReader doWrapDirectoryReader(DirectoryReader in) throws IOException {
      return new Hidden(in);
    }

    @Override
    public CacheHelper getReaderCacheHelper() {
      return in.getReaderCacheHelper();
    }
  }

  private static final class HiddenLeaf extends SequentialStoredFieldsLeafReader {
    HiddenLeaf(LeafReader in) {
      super(in);
    }

    @Override
    protected StoredFieldsReader doGetSequentialStoredFieldsReader(StoredFieldsReader reader) {
      return reader;
    }

    @Override
    public @Nullable Terms terms(String field) throws IOException {
      return field.equals("message") ? null : in.terms(field);
    }

    @Override
    public CacheHelper getCoreCacheHelper() {
      return in.getCoreCacheHelper();
    }

    @Override
    public CacheHelper getReaderCacheHelper() {
      return in.getReaderCacheHelper();
    }
  }

  @Override
  protected boolean addMockInternalEngine() {
    return false; // an engine plugin of its own would serve the indices in our place
  }

  @Override
  protected Collection<Class<? extends Plugin>> nodePlugins() {
    return List.of(LogTextNodeTests.Host.class, Hiding.class);
  }

  private void create(String index, Settings.Builder settings) {
    assertAcked(
        client()
            .admin()
            .indices()
            .prepareCreate(index)
            .setSettings(settings.put("index.number_of_shards", 1))
            .setMapping(LogTextEqualsMatchOnlyTextNodeTests.OURS));
  }

  private void fill(String index) {
    for (int i = 0; i < DOCUMENTS; i++) {
      client()
          .prepareIndex(index)
          .setId("" + i)
          .setSource(Map.of("message", "session " + i + " opened by nova.wsgi.server"))
          .get();
    }
    flushAndRefresh(index);
  }

  @SuppressWarnings("deprecation")
  private static List<QueryBuilder> queries() {
    return List.of(
        new CommonTermsQueryBuilder("message", "opened session").cutoffFrequency(0.001f),
        fuzzyQuery("message", "opend"),
        matchQuery("message", "wsgi"),
        matchPhraseQuery("message", "session 7 opened"),
        multiMatchQuery("opened wsgi", "message").type(MultiMatchQueryBuilder.Type.CROSS_FIELDS));
  }

  /** Ids and scores of each query. */
  private List<Map<String, Float>> answers(String index, String preference) {
    return queries().stream()
        .map(query -> {
          Map<String, Float> hits = new TreeMap<>();
          for (SearchHit hit :
              client()
                  .prepareSearch(index)
                  .setPreference(preference)
                  .setQuery(query)
                  .setSize(DOCUMENTS)
                  .get()
                  .getHits()) {
            hits.put(hit.getId(), hit.getScore());
          }
          return hits;
        })
        .toList();
  }

  private static List<Integer> sizes(List<Map<String, Float>> answers) {
    return answers.stream().map(Map::size).toList();
  }

  private static final List<Integer> ALL = List.of(DOCUMENTS, DOCUMENTS, DOCUMENTS, 1, DOCUMENTS);

  public void testReplicasByFilesAnswerAsTheirPrimary() throws Exception {
    internalCluster().startNodes(2);
    create(
        "logs",
        Settings.builder()
            .put("index.number_of_replicas", 1)
            .put("index.replication.type", "SEGMENT"));
    ensureGreen("logs");
    fill("logs");
    List<Map<String, Float>> primary = answers("logs", "_primary");
    assertEquals(ALL, sizes(primary));
    assertBusy(() -> assertEquals(primary, answers("logs", "_replica")));
  }

  public void testSearchableSnapshotsAnswerAsTheirIndex() {
    internalCluster().startNode();
    create("logs", Settings.builder().put("index.number_of_replicas", 0));
    ensureGreen("logs");
    fill("logs");
    List<Map<String, Float>> before = answers("logs", null);
    assertEquals(ALL, sizes(before));
    createRepository();
    assertAcked(client().admin().indices().prepareDelete("logs"));
    internalCluster()
        .startNode(
            Settings.builder()
                .putList("node.roles", DiscoveryNodeRole.WARM_ROLE.roleName())
                .put("node.search.cache.size", "64mb"));
    client()
        .admin()
        .cluster()
        .prepareRestoreSnapshot("repository", "snapshot")
        .setStorageType(StorageType.REMOTE_SNAPSHOT)
        .setWaitForCompletion(true)
        .get();
    ensureGreen("logs");
    assertEquals(before, answers("logs", null));
  }

  private void createRepository() {
    assertAcked(
        client()
            .admin()
            .cluster()
            .preparePutRepository("repository")
            .setType("fs")
            .setSettings(Settings.builder().put("location", randomRepoPath())));
    client()
        .admin()
        .cluster()
        .prepareCreateSnapshot("repository", "snapshot")
        .setIndices("logs")
        .setWaitForCompletion(true)
        .get();
  }

  public void testWhatAnotherPluginHidesStaysHidden() {
    internalCluster().startNode();
    create(
        "hidden",
        Settings.builder().put("index.number_of_replicas", 0).put("index.hide_message", true));
    ensureGreen("hidden");
    fill("hidden");
    assertEquals(Set.of(0), new TreeSet<>(sizes(answers("hidden", null))));
    create("shown", Settings.builder().put("index.number_of_replicas", 0));
    ensureGreen("shown");
    fill("shown");
    assertEquals(ALL, sizes(answers("shown", null)));
    assertEquals(
        "others of the index are found",
        DOCUMENTS,
        Arrays.stream(client().prepareSearch("hidden").setSize(DOCUMENTS).get().getHits().getHits())
            .count());
  }
}
