package io.millrace.it.access;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** The same work on several nodes, one after the other, the first of a round another each time. */
final class Turns {
  private static final int WARM_UP = 2;

  private Turns() {}

  /** Microseconds of CPU that some work took of a node. */
  interface Work {
    double on(NodeCost node) throws Exception;
  }

  /** Makes indices on each node, then measures documents and searches, and closes the clients. */
  static void measure(int rounds, int indices, List<NodeCost> nodes) throws Exception {
    try {
      for (NodeCost each : nodes) {
        each.makeIndices(indices);
      }
      of(rounds, nodes, "a document", node -> node.bulk(NodeCost.DOCUMENTS));
      of(rounds, nodes, "a search", node -> node.search(NodeCost.SEARCHES));
    } finally {
      nodes.forEach(NodeCost::close);
    }
  }

  /** Prints the rounds, the median of each node, and that of the ratios of every two of a round. */
  private static void of(int rounds, List<NodeCost> nodes, String what, Work work)
      throws Exception {
    List<List<Double>> figures = new ArrayList<>();
    nodes.forEach(node -> figures.add(new ArrayList<>()));
    for (int round = 1 - WARM_UP; round <= rounds; round++) {
      for (int i = 0; i < nodes.size(); i++) {
        int node = (i + round + WARM_UP) % nodes.size();
        double micros = work.on(nodes.get(node));
        print(
            "%s, %s, %s: %.1f us of CPU",
            round > 0 ? "round " + round : "warm-up", what, nodes.get(node).name(), micros);
        if (round > 0) {
          figures.get(node).add(micros);
        }
      }
    }
    for (int i = 0; i < nodes.size(); i++) {
      List<Double> own = figures.get(i);
      String name = nodes.get(i).name();
      print("%s, %s: %.1f us in the median", what, name, median(own.stream().mapToDouble(d -> d)));
      for (int other = 0; other < i; other++) {
        List<Double> others = figures.get(other);
        print(
            "%s, %s against %s: %.3f in the median of %d rounds",
            what,
            name,
            nodes.get(other).name(),
            median(IntStream.range(0, rounds).mapToDouble(r -> own.get(r) / others.get(r))),
            rounds);
      }
    }
  }

  private static double median(DoubleStream values) {
    double[] sorted = values.sorted().toArray();
    int half = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  }

  static void print(String format, Object... values) {
    System.out.printf(Locale.ROOT, format + "%n", values);
  }
}
