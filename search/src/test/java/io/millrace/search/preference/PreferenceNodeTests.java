package io.millrace.search.preference;

import static org.opensearch.test.hamcrest.OpenSearchAssertions.assertAcked;

import io.millrace.kernel.FeaturePlugin;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.opensearch.action.admin.cluster.shards.ClusterSearchShardsGroup;
import org.opensearch.action.admin.indices.alias.IndicesAliasesRequest;
import org.opensearch.action.search.CreatePitAction;
import org.opensearch.action.search.CreatePitRequest;
import org.opensearch.action.search.CreatePitResponse;
import org.opensearch.action.search.DeletePitAction;
import org.opensearch.action.search.DeletePitRequest;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.action.support.WriteRequest.RefreshPolicy;
import org.opensearch.cluster.routing.ShardRouting;
import org.opensearch.cluster.routing.allocation.command.MoveAllocationCommand;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.index.query.QueryBuilders;
import org.opensearch.plugins.Plugin;
import org.opensearch.search.SearchHit;
import org.opensearch.search.builder.PointInTimeBuilder;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.test.OpenSearchIntegTestCase;
import org.opensearch.test.OpenSearchIntegTestCase.ClusterScope;
import org.opensearch.test.OpenSearchIntegTestCase.Scope;

/** Shards and a string in one preference: on a cluster with two replicas of every shard. */
@ClusterScope(scope = Scope.SUITE, numDataNodes = 4, supportsDedicatedMasters = false)
public class PreferenceNodeTests extends OpenSearchIntegTestCase {
  private static final String SWITCH = "millrace.search.preference.enabled";
  private static final int DOCUMENTS = 60;

  /** Hosts the feature in a test node. */
  public static final class Host extends FeaturePlugin {
    public Host() {
      super(List.of(new PreferenceFeature()));
    }
  }

  @Override
  protected Collection<Class<? extends Plugin>> nodePlugins() {
    return List.of(Host.class);
  }

  private void index(String name, int shards, int replicas) {
    createIndex(
        name,
        Settings.builder()
            .put("index.number_of_shards", shards)
            .put("index.number_of_replicas", replicas)
            .build());
    for (int i = 0; i < DOCUMENTS; i++) {
      client().prepareIndex(name).setId("" + i).setSource("n", i).get();
    }
    client().admin().indices().prepareRefresh(name).get();
    ensureGreen(name);
  }

  /** The copy that a search asks first, by shard: {@code index/shard -> node}. */
  private static Map<String, String> copies(String preference, String... indices) {
    Map<String, String> copies = new TreeMap<>();
    for (ClusterSearchShardsGroup group :
        client()
            .admin()
            .cluster()
            .prepareSearchShards(indices)
            .setPreference(preference)
            .get()
            .getGroups()) {
      copies.put(
          group.getShardId().getIndexName() + "/" + group.getShardId().id(),
          group.getShards()[0].currentNodeId());
    }
    return copies;
  }

  private static SearchResponse search(String preference, String routing, String... indices) {
    return client()
        .prepareSearch(indices)
        .setPreference(preference)
        .setRouting(routing)
        .setExplain(true)
        .setSize(1000)
        .get();
  }

  /** Which copies the hits came from. */
  private static Map<String, String> copies(SearchResponse response) {
    assertEquals(Arrays.toString(response.getShardFailures()), 0, response.getFailedShards());
    Map<String, String> copies = new TreeMap<>();
    for (SearchHit hit : response.getHits()) {
      String shard = hit.getIndex() + "/" + hit.getShard().getShardId().id();
      String before = copies.put(shard, hit.getShard().getNodeId());
      assertTrue(before == null || before.equals(hit.getShard().getNodeId()));
    }
    return copies;
  }

  public void testTheSameCopyInAThousandCallsAndAfterARelocation() throws Exception {
    index("a", 3, 2);
    for (int round = 0; round < 2; round++) {
      Map<String, String> first = copies("_shards:0,2|session42", "a");
      assertEquals(Set.of("a/0", "a/2"), first.keySet());
      for (int i = 0; i < 1000; i++) {
        assertEquals(first, copies("_shards:0,2|session42", "a"));
      }
      for (int i = 0; i < 20; i++) {
        assertEquals(first, copies(search("_shards:0,2|session42", null, "a")));
      }
      // the copy is the one that the string alone gives, whoever asks
      Map<String, String> alone = copies("session42", "a");
      alone.keySet().retainAll(first.keySet());
      assertEquals(alone, first);
      Set<String> of0 = new TreeSet<>();
      for (int user = 0; user < 40; user++) {
        of0.add(copies("_shards:0|user" + user, "a").get("a/0"));
      }
      assertEquals("users are spread over the copies", 3, of0.size());
      if (round == 0) {
        move("a", 0);
      }
    }
  }

  private void move(String index, int shard) {
    List<ShardRouting> copies =
        clusterService().state().routingTable().index(index).shard(shard).activeShards();
    Set<String> used = new TreeSet<>();
    copies.forEach(copy -> used.add(copy.currentNodeId()));
    String free =
        clusterService().state().nodes().getDataNodes().keySet().stream()
            .filter(node -> !used.contains(node))
            .findFirst()
            .orElseThrow();
    client()
        .admin()
        .cluster()
        .prepareReroute()
        .add(new MoveAllocationCommand(index, shard, copies.get(0).currentNodeId(), free))
        .get();
    client()
        .admin()
        .cluster()
        .prepareHealth(index)
        .setWaitForNoRelocatingShards(true)
        .setWaitForGreenStatus()
        .setTimeout(TimeValue.timeValueSeconds(60))
        .get();
  }

  public void testTheAnswersAreThoseOfTheNamedShards() {
    index("b", 5, 0);
    for (String list : List.of("0", "4", "1,3", "0,1,2,3,4", "2,2")) {
      SearchResponse ours = search("_shards:" + list + "|me", null, "b");
      SearchResponse stock = search("_shards:" + list, null, "b");
      assertEquals(ids(stock), ids(ours));
      assertEquals(stock.getTotalShards(), ours.getTotalShards());
    }
    // a routing of the request limits the shards further, as it does for stock
    for (String routing : List.of("r1", "r2,r3", "x,y,z,u,v")) {
      SearchResponse stock = search("_shards:0,1,2|_local", routing, "b");
      if (stock.getTotalShards() > 0) {
        assertEquals(ids(stock), ids(search("_shards:0,1,2|me", routing, "b")));
      }
    }
  }

  private static List<String> ids(SearchResponse response) {
    List<String> ids = new ArrayList<>();
    response.getHits().forEach(hit -> ids.add(hit.getIndex() + "/" + hit.getId()));
    ids.sort(null);
    return ids;
  }

  public void testIndicesOfSeveralSizesAliasesAndPointsInTime() throws Exception {
    index("c1", 1, 0);
    index("c3", 3, 0);
    index("c4", 4, 0);
    SearchResponse stock = search("_shards:1", null, "c*");
    assertEquals(2, stock.getTotalShards());
    assertEquals(ids(stock), ids(search("_shards:1|u", null, "c*")));
    client()
        .admin()
        .indices()
        .prepareAliases()
        .addAlias("c3", "low", QueryBuilders.rangeQuery("n").lt(30))
        .addAliasAction(
            IndicesAliasesRequest.AliasActions.add().index("c4").alias("routed").routing("k"))
        .get();
    assertEquals(
        ids(search("_shards:0,2", null, "low")), ids(search("_shards:0,2|u", null, "low")));
    refused("_shards:0|u", "has a routing of its own; name the index", "routed");
    refused("_shards:1|u", "an alias filters [c3]", "low", "c1");
    refused("_shards:9,7|u", "[preference] names the shards {7, 9}", "c3");
    refused("_shards:x|u", "[x] is no number of a shard", "c3");

    CreatePitRequest pit = new CreatePitRequest(TimeValue.timeValueMinutes(1), true, "c3");
    pit.setPreference("_shards:2|u");
    CreatePitResponse created = client().execute(CreatePitAction.INSTANCE, pit).get();
    SearchResponse paged =
        client()
            .prepareSearch()
            .setSource(
                new SearchSourceBuilder()
                    .size(1000)
                    .pointInTimeBuilder(new PointInTimeBuilder(created.getId())))
            .get();
    assertEquals(ids(search("_shards:2", null, "c3")), ids(paged));
    client().execute(DeletePitAction.INSTANCE, new DeletePitRequest(created.getId())).get();
  }

  private static void refused(String preference, String why, String... indices) {
    IllegalArgumentException e =
        expectThrows(IllegalArgumentException.class, () -> search(preference, null, indices));
    assertTrue(e.getMessage(), e.getMessage().contains(why));
  }

  public void testIndicesWithRoutingPartitionsAreRefusedWithARemedy() {
    assertAcked(
        prepareCreate("d")
            .setSettings(
                Settings.builder()
                    .put("index.number_of_shards", 4)
                    .put("index.routing_partition_size", 2))
            .setMapping("{\"_routing\":{\"required\":true}}"));
    client()
        .prepareIndex("d")
        .setRouting("r")
        .setSource("n", 1)
        .setRefreshPolicy(RefreshPolicy.IMMEDIATE)
        .get();
    refused("_shards:0|u", "(index.routing_partition_size); leave out the string", "d");
  }

  public void testOffLeavesStocksError() {
    index("e", 2, 0);
    client()
        .admin()
        .cluster()
        .prepareUpdateSettings()
        .setTransientSettings(Settings.builder().put(SWITCH, false))
        .get();
    try {
      refused("_shards:0|me", "no Preference for [me]", "e");
    } finally {
      client()
          .admin()
          .cluster()
          .prepareUpdateSettings()
          .setTransientSettings(Settings.builder().putNull(SWITCH))
          .get();
    }
  }
}
