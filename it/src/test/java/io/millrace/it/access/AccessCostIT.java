package io.millrace.it.access;

import io.millrace.client.ClusterClient;
import io.millrace.client.Request;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * What access control and TLS cost a node, in CPU for a document and for a search: a node without
 * them, one with access control in plain text, and one with both, in turn with the same requests.
 * What the caches of credentials save: the first request of a user beside the next ones. It asserts
 * no figure and prints them.
 *
 * <p>Run with {@code -Dmillrace.access.cost=ROUNDS}. {@code -Dmillrace.access.cost.indices=N} makes
 * so many indices on each node, 1000 unless told, and {@code -Dmillrace.access.cost.roles=N} gives
 * the user so many roles, 20 unless told; the last of them allows what is asked. The machine must
 * be at rest.
 */
@EnabledIfSystemProperty(named = "millrace.access.cost", matches = "\\d+")
class AccessCostIT {
  private static final int ROUNDS = Integer.getInteger("millrace.access.cost", 5);
  private static final int INDICES = Integer.getInteger("millrace.access.cost.indices", 1_000);
  private static final int ROLES = Integer.getInteger("millrace.access.cost.roles", 20);
  private static final int USERS = 30;
  private static final String USER = "bench:only for a bench";

  @Test
  void aDocumentAndASearchOnThreeNodes() throws Exception {
    try (LaunchedNode off = new LaunchedNode();
        LaunchedNode on = new LaunchedNode();
        LaunchedNode tls = new LaunchedNode()) {
      off.up("--heap", "1g", "--supervise", "0");
      String admin =
          admin(
              on,
              "-E",
              "millrace.access.tls.enabled=false",
              "-E",
              "http.type=millrace",
              "-E",
              "transport.type=netty4");
      String adminOfTls = admin(tls);
      try (NodeCost without = new NodeCost("off", off.plain(""), off.plain(""));
          NodeCost with = new NodeCost("access", on.plain(USER), on.plain(admin));
          NodeCost both =
              new NodeCost("access and TLS", tls.secured(USER), tls.secured(adminOfTls));
          ClusterClient manager = on.plain(admin);
          ClusterClient managerOfTls = tls.secured(adminOfTls)) {
        user(manager);
        user(managerOfTls);
        List<NodeCost> nodes = List.of(without, with, both);
        for (NodeCost each : nodes) {
          each.makeIndices(INDICES);
        }
        Turns.of(ROUNDS, nodes, "a document", node -> node.bulk(NodeCost.DOCUMENTS));
        Turns.of(ROUNDS, nodes, "a search", node -> node.search(NodeCost.SEARCHES));
        caches(on, admin, with);
      }
    }
  }

  /** The superuser of a node with access control, {@code name:password}. */
  private static String admin(LaunchedNode node, String... more) throws Exception {
    List<String> options = new ArrayList<>(List.of("--secure", "--heap", "1g", "--supervise", "0"));
    options.addAll(List.of(more));
    var up = node.up(options.toArray(String[]::new));
    return LaunchedNode.told("user", up) + ":" + LaunchedNode.told("password", up);
  }

  private static void user(ClusterClient manager) throws Exception {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < ROLES; i++) {
      names.add("\"bench" + i + "\"");
      String pattern = i == ROLES - 1 ? "bench-*" : "other" + i + "-*";
      NodeCost.must(
          manager,
          Request.json(
              "PUT",
              "/_millrace/access/roles/bench" + i,
              "{\"indices\":[{\"names\":[\""
                  + pattern
                  + "\"],\"privileges\":[\"read\",\"write\"]}]}"));
    }
    add(manager, USER, String.join(",", names));
  }

  private static void add(ClusterClient manager, String user, String roles) throws Exception {
    String name = user.substring(0, user.indexOf(':'));
    String password = user.substring(user.indexOf(':') + 1);
    NodeCost.must(
        manager,
        Request.json(
            "PUT",
            "/_millrace/access/users/" + name,
            "{\"password\":\"" + password + "\",\"roles\":[" + roles + "]}"));
  }

  /** The first search of a user has its password checked, the next ones find that it was. */
  private static void caches(LaunchedNode node, String admin, NodeCost known) throws Exception {
    try (ClusterClient manager = node.plain(admin)) {
      for (int i = 0; i < USERS; i++) {
        add(manager, newUser(i), "\"bench" + (ROLES - 1) + "\"");
      }
    }
    double first = 0;
    for (int i = 0; i < USERS; i++) {
      try (NodeCost one = new NodeCost("new", node.plain(newUser(i)), node.plain(admin))) {
        first += one.search(1) / USERS;
      }
    }
    double next = known.search(NodeCost.SEARCHES);
    Turns.print(
        "a search of a user whose password was not checked yet: %.0f us; of a known one %.0f us",
        first, next);
  }

  private static String newUser(int number) {
    return "new" + number + ":only for a bench";
  }
}
