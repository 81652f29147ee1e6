package io.millrace.bench.run;

import io.millrace.bench.load.NodeClient;
import io.millrace.bench.scenario.Contender;
import io.millrace.bench.scenario.Scenario;
import io.millrace.bench.scenario.Side;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Which sides the trees at hand can run: one node per tree, every side's settings tried on it, no
 * document written. It takes a minute, where finding out by measuring takes hours.
 */
public final class Availability {
  private static final String INDEX = "try";

  private final Nodes nodes;

  public Availability(Nodes nodes) {
    this.nodes = nodes;
  }

  /** The reason why a side cannot run, by {@code scenario/side}; empty text for one that can. */
  public Map<String, String> check(List<Scenario> scenarios, Path work) throws IOException {
    Map<String, String> found = new LinkedHashMap<>();
    for (Contender contender : List.of(Contender.STOCK, Contender.MILLRACE)) {
      Path home = work.resolve("try-" + contender.name().toLowerCase(Locale.ROOT));
      try (BenchNode node = nodes.start(plain(contender), home);
          NodeClient client = new NodeClient(node.uri())) {
        for (Scenario scenario : scenarios) {
          for (Side side : scenario.sides()) {
            if (side.contender() == contender) {
              found.put(scenario.name() + "/" + side.label(), attempt(client, scenario, side));
            }
          }
        }
      } finally {
        NodeHomes.delete(home);
      }
    }
    return found;
  }

  private static Side plain(Contender contender) {
    return contender == Contender.STOCK ? Side.stock("stock") : Side.millrace("Millrace");
  }

  private static String attempt(NodeClient client, Scenario scenario, Side side) {
    try {
      client.clusterSettings(side.clusterSettings());
      client.put("/" + INDEX, indexBody(scenario, side));
      client.delete("/" + INDEX);
      return "";
    } catch (NodeClient.Refused e) {
      return String.valueOf(e.getMessage());
    } finally {
      reset(client, side);
    }
  }

  /** Takes back what the side set; settings that were refused are not there to take back. */
  private static void reset(NodeClient client, Side side) {
    for (String name : new ArrayList<>(side.clusterSettings().keySet())) {
      try {
        Map<String, Object> none = new LinkedHashMap<>();
        none.put(name, null);
        client.put("/_cluster/settings", Map.of("transient", none));
      } catch (NodeClient.Refused e) {
        continue;
      }
    }
  }

  /** The body that creates a side's index. */
  static Map<String, Object> indexBody(Scenario scenario, Side side) {
    Map<String, Object> mapping = side.mapping();
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("settings", Map.of("index", side.indexSettings()));
    body.put("mappings", mapping != null ? mapping : scenario.workload().mapping());
    return body;
  }
}
