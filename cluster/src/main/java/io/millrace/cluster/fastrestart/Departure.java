package io.millrace.cluster.fastrestart;

import io.millrace.cluster.managerhandover.Candidates;
import io.millrace.cluster.managerhandover.HandoverAction;
import io.millrace.cluster.managerhandover.HandoverRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.cluster.routing.RoutingNode;
import org.opensearch.cluster.routing.ShardRouting;
import org.opensearch.core.action.ActionListener;
import org.opensearch.transport.client.Client;

/**
 * What makes a node's absence short and quiet: its shards are flushed, so that they need not replay
 * their translog, and another node becomes cluster manager before it leaves. Neither is a condition
 * of the restart, so what fails becomes a note.
 */
final class Departure {
  private final Client client;

  Departure(Client client) {
    this.client = client;
  }

  /** Calls back when everything was tried; the notes are complete then. */
  void prepare(ClusterState state, DiscoveryNode node, List<String> notes, Runnable done) {
    flush(state, node, notes, () -> handOver(state, node, notes, done));
  }

  private void flush(ClusterState state, DiscoveryNode node, List<String> notes, Runnable then) {
    RoutingNode shards = state.getRoutingNodes().node(node.getId());
    String[] indices =
        shards == null
            ? new String[0]
            : shards.copyShards().stream()
                .map(ShardRouting::getIndexName)
                .distinct()
                .toArray(String[]::new);
    if (indices.length == 0) {
      then.run();
      return;
    }
    client
        .admin()
        .indices()
        .prepareFlush(indices)
        .setWaitIfOngoing(true)
        .execute(
            ActionListener.wrap(
                flushed -> {
                  if (flushed.getFailedShards() > 0) {
                    notes.add(flushed.getFailedShards() + " shards were not flushed");
                  }
                  then.run();
                },
                e -> {
                  notes.add("the flush failed: " + e.getMessage());
                  then.run();
                }));
  }

  private void handOver(ClusterState state, DiscoveryNode node, List<String> notes, Runnable then) {
    if (!node.getId().equals(state.nodes().getClusterManagerNodeId())) {
      then.run();
      return;
    }
    Candidates.of(state).stream()
        .filter(other -> !other.equals(node))
        .findFirst()
        .ifPresentOrElse(
            other ->
                client.execute(
                    HandoverAction.INSTANCE,
                    new HandoverRequest(other.getId()),
                    ActionListener.wrap(
                        handed -> {
                          notes.add("[" + handed.to().getName() + "] is cluster manager now");
                          then.run();
                        },
                        e -> {
                          notes.add(
                              "the node is still cluster manager, so an election follows its end: "
                                  + e.getMessage());
                          then.run();
                        })),
            () -> {
              notes.add("no other node can be cluster manager: the cluster has none meanwhile");
              then.run();
            });
  }

  /** A note for each shard that no other node has a started copy of. */
  static List<String> unavailable(ClusterState state, DiscoveryNode node) {
    RoutingNode shards = state.getRoutingNodes().node(node.getId());
    if (shards == null) {
      return List.of();
    }
    List<String> notes = new ArrayList<>();
    for (ShardRouting shard : shards.copyShards()) {
      boolean elsewhere =
          state.routingTable().shardRoutingTable(shard.shardId()).activeShards().stream()
              .anyMatch(copy -> !Objects.equals(copy.currentNodeId(), node.getId()));
      if (!elsewhere) {
        notes.add(shard.shardId() + " has no other copy: it is away as long as the node");
      }
    }
    return notes;
  }

  /** The awaited nodes with what waits for each. */
  static List<RestartResponse.Awaited> awaited(ClusterState state, AwaitedNodes awaited) {
    List<String> waiting = new ArrayList<>();
    for (ShardRouting shard : state.getRoutingNodes().unassigned()) {
      String last = AwaitedNodes.lastNode(shard);
      if (last != null) {
        waiting.add(last);
      }
    }
    List<RestartResponse.Awaited> nodes = new ArrayList<>();
    awaited
        .of(state)
        .forEach((id, until) -> {
          DiscoveryNode node = state.nodes().get(id);
          nodes.add(
              new RestartResponse.Awaited(
                  id,
                  node == null ? id : node.getName(),
                  node != null,
                  Math.max(0, until - awaited.time()),
                  (int) waiting.stream().filter(id::equals).count()));
        });
    return nodes;
  }
}
