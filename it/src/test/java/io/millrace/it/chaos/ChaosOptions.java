package io.millrace.it.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What a run is asked for, by system properties whose names begin with {@link #PREFIX}.
 *
 * @param seconds for how long faults begin
 * @param seed of faults, times and operations
 * @param nodes of the cluster
 * @param tree one of {@link #TREES}
 * @param faults what is drawn from
 * @param every whether each of them has to come about, however long it takes
 */
record ChaosOptions(
    int seconds, long seed, int nodes, String tree, List<FaultKind> faults, boolean every) {
  static final String PREFIX = "millrace.chaos.";

  /** Nodes of the one kind, of the other, and nodes that go from stock to Millrace and back. */
  static final List<String> TREES = List.of("millrace", "stock", "upgrade");

  /** From here on a run has time for what takes half a minute. */
  private static final int LONG_SECONDS = 300;

  /** With fewer no side of a partition has a majority. */
  private static final int LEAST_NODES = 3;

  /**
   * Reads them.
   *
   * @param property the value of a system property, {@code null} where it is not set
   * @throws IllegalArgumentException with the property, its value and what it may be
   */
  static ChaosOptions of(UnaryOperator<@Nullable String> property) {
    int seconds = (int) number(property, "seconds", 20, 1, Integer.MAX_VALUE);
    String tree = property.apply(PREFIX + "tree");
    if (tree == null) {
      tree = TREES.getFirst();
    } else if (!TREES.contains(tree)) {
      throw refused("tree", tree, "there are " + TREES);
    }
    String named = property.apply(PREFIX + "faults");
    List<FaultKind> faults = faults(named, tree, seconds);
    if (faults.contains(FaultKind.UPGRADE) != tree.equals("upgrade")) {
      throw refused(
          "faults",
          String.valueOf(named),
          "[upgrade] goes with -D" + PREFIX + "tree=upgrade, and neither without the other");
    }
    return new ChaosOptions(
        seconds,
        number(property, "seed", 1, Long.MIN_VALUE, Long.MAX_VALUE),
        (int) number(property, "nodes", LEAST_NODES, LEAST_NODES, Integer.MAX_VALUE),
        tree,
        faults,
        named != null || seconds >= LONG_SECONDS);
  }

  private static List<FaultKind> faults(@Nullable String named, String tree, int seconds) {
    if (named != null) {
      return FaultKind.named(named);
    }
    List<FaultKind> faults = new ArrayList<>(FaultKind.SHORT);
    if (seconds >= LONG_SECONDS) {
      faults.add(FaultKind.ROLLING);
    }
    if (tree.equals("upgrade")) {
      faults.add(FaultKind.UPGRADE);
    }
    return faults;
  }

  private static long number(
      UnaryOperator<@Nullable String> property,
      String name,
      long otherwise,
      long least,
      long most) {
    String value = property.apply(PREFIX + name);
    if (value == null) {
      return otherwise;
    }
    try {
      long number = Long.parseLong(value);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // the same refusal
    }
    throw refused(name, value, "it takes a whole number from " + least + " to " + most);
  }

  private static IllegalArgumentException refused(String name, String value, String remedy) {
    return new IllegalArgumentException("-D" + PREFIX + name + " is [" + value + "]; " + remedy);
  }

  /** Whether every node has the plugin, from the first to the last moment. */
  boolean ours() {
    return tree.equals("millrace");
  }
}
