package io.millrace.cluster.managerhandover;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.node.DiscoveryNode;

/** Which nodes of a cluster can win an election now. */
public final class Candidates {
  private Candidates() {}

  /** Nodes that are eligible and whose vote counts. */
  public static List<DiscoveryNode> of(ClusterState state) {
    Set<String> voting = state.getLastCommittedConfiguration().getNodeIds();
    return StreamSupport.stream(state.nodes().spliterator(), false)
        .filter(node -> node.isClusterManagerNode() && voting.contains(node.getId()))
        .toList();
  }

  /**
   * The candidate of that name or id.
   *
   * @throws IllegalArgumentException when there is none, several, or it cannot win; names the
   *     candidates
   */
  static DiscoveryNode require(ClusterState state, String wanted) {
    List<DiscoveryNode> known =
        StreamSupport.stream(state.nodes().spliterator(), false)
            .filter(node -> matches(node, wanted))
            .toList();
    if (known.isEmpty()) {
      throw refused(state, wanted, "is no node of this cluster");
    }
    if (known.size() > 1) {
      throw refused(state, wanted, "is the name of " + known.size() + " nodes; give an id");
    }
    DiscoveryNode node = known.get(0);
    if (!node.isClusterManagerNode()) {
      throw refused(state, wanted, "has not the role cluster_manager");
    }
    if (!state.getLastCommittedConfiguration().getNodeIds().contains(node.getId())) {
      throw refused(state, wanted, "is not in the voting configuration");
    }
    return node;
  }

  /**
   * The fewest nodes that can elect the target: itself first, so that it counts the joins of the
   * others, and the present cluster manager only where there is no majority without it.
   */
  static List<DiscoveryNode> electorate(ClusterState state, DiscoveryNode target) {
    String manager = state.nodes().getClusterManagerNodeId();
    List<DiscoveryNode> voters = new ArrayList<>(of(state));
    voters.sort(
        Comparator.comparing((DiscoveryNode node) -> !node.equals(target))
            .thenComparing(node -> node.getId().equals(manager)));
    Set<String> told = new HashSet<>();
    List<DiscoveryNode> electorate = new ArrayList<>();
    for (DiscoveryNode node : voters) {
      if (!state.getLastCommittedConfiguration().hasQuorum(told)
          || !state.getLastAcceptedConfiguration().hasQuorum(told)) {
        told.add(node.getId());
        electorate.add(node);
      }
    }
    return electorate;
  }

  /** The first of the preferred that could win; null when none can. */
  static @Nullable DiscoveryNode best(ClusterState state, List<String> preferred) {
    List<DiscoveryNode> candidates = of(state);
    for (String wanted : preferred) {
      for (DiscoveryNode node : candidates) {
        if (matches(node, wanted)) {
          return node;
        }
      }
    }
    return null;
  }

  private static boolean matches(DiscoveryNode node, String wanted) {
    return node.getId().equals(wanted) || node.getName().equals(wanted);
  }

  private static IllegalArgumentException refused(ClusterState state, String wanted, String why) {
    return new IllegalArgumentException(
        "[to] ["
            + wanted
            + "] "
            + why
            + "; nodes that can be cluster manager: "
            + of(state).stream().map(DiscoveryNode::getName).sorted().toList());
  }
}
