package io.millrace.plugin.access;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.cluster.node.DiscoveryNodes;
import org.opensearch.common.settings.ClusterSettings;
import org.opensearch.common.settings.IndexScopedSettings;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.settings.SettingsFilter;
import org.opensearch.plugins.ActionPlugin;
import org.opensearch.plugins.Plugin;
import org.opensearch.rest.MethodHandlers;
import org.opensearch.rest.RestController;
import org.opensearch.rest.RestHandler;
import org.opensearch.rest.RestRequest;

/**
 * Every REST route of the node, as a user without roles and without a body: what succeeds is a
 * named list, and none of it shows anything of anybody's.
 */
public class EveryRouteNodeTests extends AccessNodeTestCase {

  /**
   * What anybody who is known may: who they are, the version, lists of commands, pages without
   * data, and wildcards that shrink to nothing. (A data stream that does not exist counts as
   * deleted, as in stock.)
   */
  private static final Set<String> SUCCEED =
      Set.of(
          "DELETE /_data_stream/{name}",
          "GET /_alias",
          "GET /_aliases",
          "GET /_cat",
          "GET /_cat/aliases",
          "GET /_cat/aliases/{alias}",
          "GET /_cat/count",
          "GET /_cat/recovery",
          "GET /_cat/segment_replication",
          "GET /_cat/tasks",
          "GET /_count",
          "GET /_data_stream",
          "GET /_data_stream/_stats",
          "GET /_data_stream/{name}",
          "GET /_flush",
          "GET /_flush/synced",
          "GET /_list",
          "GET /_mapping",
          "GET /_mappings",
          "GET /_millrace/access/keys",
          "GET /_millrace/access/whoami",
          "GET /_millrace/explore",
          "GET /_millrace/profiles",
          "GET /_recovery",
          "GET /_refresh",
          "GET /_search",
          "GET /_search_shards",
          "GET /_segments",
          "GET /_settings",
          "GET /_settings/{name}",
          "GET /_shard_stores",
          "GET /_stats",
          "GET /_tasks",
          "GET /_upgrade",
          "GET /favicon.ico",
          "POST /_cache/clear",
          "POST /_count",
          "POST /_flush",
          "POST /_flush/synced",
          "POST /_forcemerge",
          "POST /_refresh",
          "POST /_search",
          "POST /_search_shards",
          "POST /_upgrade");

  private static final AtomicReference<RestController> CONTROLLER = new AtomicReference<>();

  /** Is handed the routes of the node. */
  public static final class Routes extends Plugin implements ActionPlugin {
    @Override
    public List<RestHandler> getRestHandlers(
        Settings settings,
        RestController controller,
        ClusterSettings clusterSettings,
        IndexScopedSettings indexScopedSettings,
        SettingsFilter settingsFilter,
        IndexNameExpressionResolver resolver,
        Supplier<DiscoveryNodes> nodes) {
      CONTROLLER.set(controller);
      return List.of();
    }
  }

  @Override
  protected Collection<Class<? extends Plugin>> nodePlugins() {
    List<Class<? extends Plugin>> plugins = new ArrayList<>(super.nodePlugins());
    plugins.add(Routes.class);
    return plugins;
  }

  public void testWhatAUserWithoutRolesMay() throws Exception {
    admin("PUT", "/treasure/_doc/1?refresh=true", "{\"v\":\"the-treasure\"}");
    String nobody = withRoles("nobody");
    Set<String> succeeded = new TreeSet<>();
    List<String> shown = new ArrayList<>();
    Iterator<MethodHandlers> all = Objects.requireNonNull(CONTROLLER.get()).getAllHandlers();
    int routes = 0;
    while (all.hasNext()) {
      MethodHandlers handlers = all.next();
      String path =
          handlers
              .getPath()
              .replaceAll("\\{(index|name|target|alias)}", "treasure")
              .replaceAll("\\{[^}]*}", "1");
      for (RestRequest.Method method : handlers.getValidMethods()) {
        if (method == RestRequest.Method.CONNECT || method == RestRequest.Method.TRACE) {
          continue;
        }
        routes++;
        // some routes of stock are declared without the first slash
        Answer answer = call(nobody, method.name(), path.startsWith("/") ? path : "/" + path);
        String route = method + " " + handlers.getPath();
        if (answer.status() / 100 == 2) {
          succeeded.add(route);
        }
        if (answer.text().contains("the-treasure")) {
          shown.add(route + " -> " + answer);
        }
      }
    }
    assertTrue("only " + routes + " routes", routes > 300);
    assertEquals(List.of(), shown);
    assertEquals(String.join("\n", new TreeSet<>(SUCCEED)), String.join("\n", succeeded));
  }
}
