package io.millrace.it.access;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The same work on several nodes, one after the other, the first of a round another each time. The
 * pieces are short and many, because a node merges and collects garbage when it likes: what counts
 * is the median of the ratios.
 */
public final class Turns {
  private static final int WARM_UP = 15;

  private Turns() {}

  /** Microseconds of CPU that some work took of a node. */
  interface Work {
    double on(NodeCost node) throws Exception;
  }

  /** Microseconds of CPU that one piece of work took. */
  public interface Piece {
    /** Does it once more. */
    double micros() throws Exception;
  }

  /** One of those that take turns. */
  public record Side(String name, Piece piece) {}

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
    of(
        rounds,
        nodes.stream().map(node -> new Side(node.name(), () -> work.on(node))).toList(),
        what);
  }

  /** Prints the rounds, the median of each side, and that of the ratios of every two of a round. */
  public static void of(int rounds, List<Side> nodes, String what) throws Exception {
    List<List<Double>> figures = new ArrayList<>();
    nodes.forEach(node -> figures.add(new ArrayList<>()));
    for (int round = 1 - WARM_UP; round <= rounds; round++) {
      for (int i = 0; i < nodes.size(); i++) {
        int node = (i + round + WARM_UP) % nodes.size();
        double micros = nodes.get(node).piece().micros();
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
      print("%s, %s: %.1f us in the median", what, name, quantile(own.stream(), 2));
      for (int other = 0; other < i; other++) {
        List<Double> others = figures.get(other);
        List<Double> ratios =
            IntStream.range(0, rounds).mapToObj(r -> own.get(r) / others.get(r)).toList();
        print(
            "%s, %s against %s: %.3f in the median of %d rounds, the middle half %.3f to %.3f",
            what,
            name,
            nodes.get(other).name(),
            quantile(ratios.stream(), 2),
            rounds,
            quantile(ratios.stream(), 1),
            quantile(ratios.stream(), 3));
      }
    }
  }

  private static double quantile(Stream<Double> values, int quarters) {
    List<Double> sorted = values.sorted().toList();
    return sorted.get(sorted.size() * quarters / 4);
  }

  static void print(String format, Object... values) {
    System.out.printf(Locale.ROOT, format + "%n", values);
  }
}
