package io.millrace.plugin.access;

import io.millrace.access.authorization.Needs;
import io.millrace.access.identity.Identity;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.ActionType;
import org.opensearch.action.support.PlainActionFuture;
import org.opensearch.action.support.TransportAction;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.client.node.NodeClient;

/**
 * Every transport action of the node, its modules' and its plugins': each is known to a rule, and
 * what a user without roles gets done of those that take an empty request is a named list.
 */
public class EveryActionNodeTests extends ModulesNodeTestCase {

  /**
   * What answers anybody known. All but the first ask for every index, which is none for somebody
   * without roles.
   */
  private static final Set<String> DONE =
      Set.of(
          "cluster:monitor/main",
          "indices:admin/aliases/get",
          "indices:admin/mappings/fields/get",
          "indices:admin/shards/search_shards",
          "indices:data/read/search",
          "indices:data/write/update/byquery",
          "indices:monitor/settings/get",
          "indices:monitor/shard_stores");

  /** Looked into, part by part or by whose it is; every other action needs a privilege. */
  private static final Set<String> LOOKED_INTO =
      Set.of(
          "cluster:admin/millrace/access/own",
          "cluster:admin/tasks/cancel",
          "cluster:monitor/main",
          "cluster:monitor/task/get",
          "cluster:monitor/tasks/lists",
          "indices:data/read/mget",
          "indices:data/read/msearch",
          "indices:data/read/msearch/template",
          "indices:data/read/mtv",
          "indices:data/read/point_in_time/delete",
          "indices:data/read/rank_eval",
          "indices:data/read/scroll",
          "indices:data/read/scroll/clear",
          "indices:data/read/search/template",
          "indices:data/write/bulk",
          "indices:data/write/delete",
          "indices:data/write/delete/byquery",
          "indices:data/write/index",
          "indices:data/write/reindex",
          "indices:data/write/update/byquery");

  private static Map<String, TransportAction<?, ?>> actions() throws Exception {
    NodeClient client = internalCluster().getDataNodeInstance(NodeClient.class);
    Object registry = field(client, "actionRegistry");
    Map<String, TransportAction<?, ?>> all = new TreeMap<>();
    for (Map.Entry<?, ?> each : ((Map<?, ?>) field(registry, "actions")).entrySet()) {
      all.put(((ActionType<?>) each.getKey()).name(), (TransportAction<?, ?>) each.getValue());
    }
    return all;
  }

  private static Object field(Object of, String name) throws ReflectiveOperationException {
    Field field = of.getClass().getDeclaredField(name);
    field.setAccessible(true);
    return field.get(of);
  }

  public void testEveryActionIsKnown() throws Exception {
    Needs needs = new Needs();
    Set<String> unknown = new TreeSet<>();
    Set<String> others = new TreeSet<>();
    for (String action : actions().keySet()) {
      switch (needs.of(action).kind()) {
        case UNKNOWN -> unknown.add(action);
        case CLUSTER, SUPERUSER, INDICES -> {}
        default -> others.add(action);
      }
    }
    assertTrue("only " + actions().size() + " actions", actions().size() > 150);
    assertEquals(Set.of(), unknown);
    assertEquals(String.join("\n", new TreeSet<>(LOOKED_INTO)), String.join("\n", others));
    // what somebody else's plugin may bring
    assertEquals("UNKNOWN", needs.of("cluster_admin").kind().name());
    assertEquals("UNKNOWN", needs.of("indices:").kind().name());
    assertEquals("UNKNOWN", needs.of("").kind().name());
  }

  public void testWhatAUserWithoutRolesGetsDone() throws Exception {
    admin("PUT", "/treasure/_doc/1?refresh=true", "{\"v\":\"the-treasure\"}");
    withRoles("nobody");
    ThreadContext context =
        internalCluster().getDataNodeInstance(ThreadPool.class).getThreadContext();
    Set<String> done = new TreeSet<>();
    List<String> shown = new ArrayList<>();
    int asked = 0;
    for (Map.Entry<String, TransportAction<?, ?>> each : actions().entrySet()) {
      ActionRequest request = request(each.getValue());
      if (request == null || !valid(request)) {
        continue;
      }
      asked++;
      PlainActionFuture<ActionResponse> answer = new PlainActionFuture<>();
      try (var ignored = context.stashContext()) {
        new Identity(Identity.Kind.USER, "nobody").into(context);
        execute(each.getValue(), request, answer);
        String text = String.valueOf(answer.get(60, TimeUnit.SECONDS));
        done.add(each.getKey());
        if (text.contains("treasure")) {
          shown.add(each.getKey() + " -> " + text);
        }
      } catch (Exception e) {
        // refused, or it lacks what a real request has
      }
    }
    assertTrue("only " + asked + " requests", asked >= 30);
    assertEquals(List.of(), shown);
    assertEquals(String.join("\n", new TreeSet<>(DONE)), String.join("\n", done));
    String treasure = admin("GET", "/treasure/_doc/1", "").toString();
    assertTrue(treasure, treasure.contains("\"_version\":1,"));
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // the action's own request
  private static void execute(
      TransportAction action, ActionRequest request, PlainActionFuture<ActionResponse> answer) {
    action.execute(request, answer);
  }

  private static boolean valid(ActionRequest request) {
    try {
      return request.validate() == null;
    } catch (RuntimeException e) {
      return false; // it counts on what an empty one lacks
    }
  }

  /** An empty request of the class that the action takes; null where there is none. */
  private static @Nullable ActionRequest request(TransportAction<?, ?> action) {
    for (Class<?> type = action.getClass(); type != null; type = type.getSuperclass()) {
      for (Method method : type.getDeclaredMethods()) {
        Class<?>[] parameters = method.getParameterTypes();
        if ((method.getName().equals("doExecute")
                || method.getName().equals("clusterManagerOperation"))
            && !method.isBridge()
            && parameters.length > 1) {
          for (Class<?> parameter : parameters) {
            if (ActionRequest.class.isAssignableFrom(parameter)) {
              ActionRequest request = empty(parameter);
              if (request != null) {
                return request;
              }
            }
          }
        }
      }
    }
    return null;
  }

  private static @Nullable ActionRequest empty(Class<?> type) {
    try {
      Constructor<?> constructor = type.getDeclaredConstructor();
      constructor.setAccessible(true);
      return (ActionRequest) constructor.newInstance();
    } catch (ReflectiveOperationException e) {
      return null;
    }
  }
}
