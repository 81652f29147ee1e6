package io.millrace.cluster.managerhandover;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.opensearch.Version;
import org.opensearch.cluster.ClusterName;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.coordination.CoordinationMetadata;
import org.opensearch.cluster.coordination.CoordinationMetadata.VotingConfiguration;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.cluster.node.DiscoveryNodeRole;
import org.opensearch.cluster.node.DiscoveryNodes;
import org.opensearch.core.common.transport.TransportAddress;

class CandidatesTest {
  /** Nodes n0, n1, ... of which n0 manages, and those named vote; d has no role. */
  private static ClusterState cluster(int nodes, String voting) {
    DiscoveryNodes.Builder all = DiscoveryNodes.builder();
    for (int i = 0; i < nodes; i++) {
      all.add(node("n" + i, i, Set.of(DiscoveryNodeRole.CLUSTER_MANAGER_ROLE)));
    }
    all.add(node("d", nodes, Set.of(DiscoveryNodeRole.DATA_ROLE)));
    all.localNodeId("n0").clusterManagerNodeId("n0");
    VotingConfiguration votes = new VotingConfiguration(Set.of(voting.split(" ")));
    return ClusterState.builder(new ClusterName("test"))
        .nodes(all)
        .metadata(
            Metadata.builder()
                .coordinationMetadata(
                    CoordinationMetadata.builder()
                        .lastAcceptedConfiguration(votes)
                        .lastCommittedConfiguration(votes)
                        .build()))
        .build();
  }

  private static DiscoveryNode node(String id, int port, Set<DiscoveryNodeRole> roles) {
    TransportAddress address =
        new TransportAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 9300 + port));
    return new DiscoveryNode("name-" + id, id, address, Map.of(), roles, Version.CURRENT);
  }

  @ParameterizedTest
  @CsvSource({
    "3, n0 n1 n2, n2, 2, false",
    "5, n0 n1 n2 n3 n4, n3, 3, false",
    "2, n0 n1, n1, 2, true",
    "4, n0 n1 n2, n2, 2, false",
    "1, n0, n0, 1, true"
  })
  void aBareMajorityElectsWithoutTheManagerWherePossible(
      int nodes, String voting, String target, int size, boolean withManager) {
    ClusterState state = cluster(nodes, voting);
    List<String> ids =
        Candidates.electorate(state, state.nodes().get(target)).stream()
            .map(DiscoveryNode::getId)
            .toList();
    assertEquals(target, ids.get(0));
    assertEquals(size, Set.copyOf(ids).size());
    assertEquals(size, ids.size());
    assertEquals(withManager, ids.contains("n0"));
    assertTrue(state.getLastCommittedConfiguration().hasQuorum(ids));
  }

  @ParameterizedTest
  @CsvSource({"n3, is not in the voting configuration", "d, has not the role", "x, is no node"})
  void whoCannotWinIsRefusedWithTheReason(String wanted, String reason) {
    String said =
        assertThrows(
                IllegalArgumentException.class,
                () -> Candidates.require(cluster(4, "n0 n1 n2"), wanted))
            .getMessage();
    assertTrue(said.contains("[to] [" + wanted + "] " + reason), said);
    assertTrue(said.contains("[name-n0, name-n1, name-n2]"), said);
  }

  @Test
  void theFirstPreferredThatCanWinIsTheBest() {
    ClusterState state = cluster(4, "n0 n1 n2");
    assertEquals(
        state.nodes().get("n2"), Candidates.best(state, List.of("n3", "d", "name-n2", "n1")));
    assertNull(Candidates.best(state, List.of("n3", "d", "x")));
  }
}
