package io.millrace.it.access;

import io.millrace.client.ClusterClient;
import io.millrace.client.Request;
import io.millrace.it.support.Turns;
import io.millrace.testkit.Tree;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * What access control and TLS cost a node, in CPU for a document and for a search: a node without
 * them, one with access control in plain text, and one with both, in turn with the same requests;
 * then which share of the samples of a node at such work was taken in access control and in TLS.
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
  private static final int ROUNDS = Integer.getInteger("millrace.access.cost", 30);
  private static final int INDICES = Integer.getInteger("millrace.access.cost.indices", 1_000);
  private static final int ROLES = Integer.getInteger("millrace.access.cost.roles", 20);
  private static final int USERS = 30;
  private static final String CLASSES = "io.millrace.access.";
  private static final String USER = "bench:only for a bench";
  private static final Map<String, String> ACCESS =
      Map.of("millrace.access.enabled", "true", "http.type", "millrace");
  private static final Map<String, String> TLS =
      Map.of(
          "millrace.access.enabled", "true",
          "millrace.access.tls.enabled", "true",
          "http.type", "millrace-secure",
          "transport.type", "netty4-secure",
          "transport.ssl.resolve_hostname", "false");

  @Test
  void aDocumentAndASearchOnThreeNodes() throws Exception {
    Path home = Tree.MILLRACE.home();
    try (MeasuredNode off = new MeasuredNode().start(home, Map.of(), false, "");
        MeasuredNode on = new MeasuredNode();
        MeasuredNode tls = new MeasuredNode().certificates()) {
      String admin = on.operator();
      on.start(home, ACCESS, false, admin);
      String adminOfTls = tls.operator();
      tls.start(home, TLS, true, adminOfTls);
      try (ClusterClient manager = on.client(admin);
          ClusterClient managerOfTls = tls.client(adminOfTls)) {
        user(manager);
        user(managerOfTls);
        NodeCosts.measure(
            ROUNDS,
            INDICES,
            List.of(
                off.cost("off", "", ""),
                on.cost("access", USER, admin),
                tls.cost("access and TLS", USER, adminOfTls)));
        on.printSamples("access", CLASSES, on.cost("access", USER, admin), ROUNDS);
        NodeCost overTls = tls.cost("access and TLS", USER, adminOfTls);
        tls.printSamples("access and TLS", CLASSES, overTls, ROUNDS);
        caches(on, manager, admin);
      }
    }
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
  private static void caches(MeasuredNode node, ClusterClient manager, String admin)
      throws Exception {
    for (int i = 0; i < USERS; i++) {
      add(manager, newUser(i), "\"bench" + (ROLES - 1) + "\"");
    }
    double first = 0;
    double next = 0;
    for (int i = 0; i < USERS; i++) {
      try (NodeCost user = node.cost("new", newUser(i), admin)) {
        first += user.search(1) / USERS;
        next += user.search(NodeCost.SEARCHES / USERS) / USERS;
      }
    }
    Turns.print(
        "%d new users: %.0f us of CPU for the first search of one, %.0f us for each of the next",
        USERS, first, next);
  }

  private static String newUser(int number) {
    return "new" + number + ":only for a bench";
  }
}
