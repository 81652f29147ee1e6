package io.millrace.it.access;

import io.millrace.it.support.Turns;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** What the same documents and searches cost on several nodes, by turns. */
final class NodeCosts {
  private NodeCosts() {}

  /** Microseconds of CPU that some work took of a node. */
  private interface Work {
    double on(NodeCost node) throws Exception;
  }

  /** Makes indices on each node, then measures documents and searches, and closes the clients. */
  static void measure(int rounds, int indices, List<NodeCost> nodes) throws Exception {
    try {
      inParallel(nodes, node -> node.makeIndices(indices));
      of(rounds, nodes, "a document", node -> node.bulk(NodeCost.DOCUMENTS));
      of(rounds, nodes, "a search", node -> node.search(NodeCost.SEARCHES));
    } finally {
      nodes.forEach(NodeCost::close);
    }
  }

  private interface Preparation {
    void of(NodeCost node) throws Exception;
  }

  private static void inParallel(List<NodeCost> nodes, Preparation preparation) throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(nodes.size())) {
      List<Future<?>> all = new ArrayList<>();
      for (NodeCost node : nodes) {
        all.add(
            threads.submit(() -> {
              preparation.of(node);
              return null;
            }));
      }
      for (Future<?> each : all) {
        each.get();
      }
    }
  }

  private static void of(int rounds, List<NodeCost> nodes, String what, Work work)
      throws Exception {
    Turns.of(
        rounds,
        nodes.stream().map(node -> new Turns.Side(node.name(), () -> work.on(node))).toList(),
        what);
  }
}
