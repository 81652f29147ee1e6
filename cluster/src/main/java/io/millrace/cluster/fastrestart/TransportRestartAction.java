package io.millrace.cluster.fastrestart;

import io.millrace.cluster.fastrestart.RestartRequest.Verb;
import io.millrace.kernel.TransportManagerAction;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.block.ClusterBlockException;
import org.opensearch.cluster.block.ClusterBlockLevel;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.Priority;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportService;
import org.opensearch.transport.client.Client;

/** Runs on the elected cluster manager: changes the list of awaited nodes and answers it. */
public final class TransportRestartAction
    extends TransportManagerAction<RestartRequest, RestartResponse> {
  private final AwaitedNodes awaited;
  private final Departure departure;

  /** Built by injection. */
  @Inject
  public TransportRestartAction(
      TransportService transport,
      ClusterService clusterService,
      ThreadPool threadPool,
      ActionFilters filters,
      IndexNameExpressionResolver resolver,
      AwaitedNodes awaited,
      Client client) {
    super(
        RestartAction.NAME,
        transport,
        clusterService,
        threadPool,
        filters,
        RestartRequest::new,
        resolver);
    this.awaited = awaited;
    this.departure = new Departure(client);
  }

  @Override
  protected String executor() {
    return ThreadPool.Names.SAME;
  }

  @Override
  protected RestartResponse read(StreamInput in) throws IOException {
    return new RestartResponse(in);
  }

  @Override
  protected @Nullable ClusterBlockException checkBlock(RestartRequest request, ClusterState state) {
    return request.verb() == Verb.STATUS
        ? null
        : state.blocks().globalBlockedException(ClusterBlockLevel.METADATA_WRITE);
  }

  @Override
  protected void clusterManagerOperation(
      RestartRequest request, ClusterState state, ActionListener<RestartResponse> listener) {
    switch (request.verb()) {
      case BEGIN -> begin(request, state, listener);
      case STATUS -> answer(state, List.of(), listener);
      case END -> end(request, state, listener);
    }
  }

  private void begin(
      RestartRequest request, ClusterState state, ActionListener<RestartResponse> listener) {
    if (!awaited.enabled().on()) {
      throw new IllegalArgumentException(
          "no restart is awaited: ["
              + awaited.enabled().knob().key()
              + "] is false; set it to true first");
    }
    DiscoveryNode node = require(state, request.node());
    long until = awaited.time() + request.ttl().millis();
    change(
        nodes -> nodes.put(node.getId(), until),
        listener,
        changed -> {
          List<String> notes = new ArrayList<>(Departure.unavailable(changed, node));
          departure.prepare(
              changed, node, notes, () -> answer(clusterService.state(), notes, listener));
        });
  }

  private void end(
      RestartRequest request, ClusterState state, ActionListener<RestartResponse> listener) {
    String id = request.node().isEmpty() ? "" : awaitedId(state, request.node());
    change(
        nodes -> nodes.keySet().removeIf(each -> id.isEmpty() || each.equals(id)),
        listener,
        changed ->
            clusterService
                .getRerouteService()
                .reroute(
                    "the waiting for a restart was ended",
                    Priority.HIGH,
                    ActionListener.wrap(
                        done -> answer(done, List.of(), listener), listener::onFailure)));
  }

  private void change(
      Consumer<Map<String, Long>> change,
      ActionListener<RestartResponse> listener,
      Consumer<ClusterState> then) {
    clusterService.submitStateUpdateTask(
        "millrace-restart", new AwaitedUpdate(awaited, change, then, listener::onFailure));
  }

  private void answer(
      ClusterState state, List<String> notes, ActionListener<RestartResponse> listener) {
    listener.onResponse(new RestartResponse(Departure.awaited(state, awaited), List.copyOf(notes)));
  }

  /**
   * The node of that name or id.
   *
   * @throws IllegalArgumentException when there is none, or several
   */
  private static DiscoveryNode require(ClusterState state, String wanted) {
    List<DiscoveryNode> found = new ArrayList<>();
    for (DiscoveryNode node : state.nodes()) {
      if (node.getId().equals(wanted) || node.getName().equals(wanted)) {
        found.add(node);
      }
    }
    if (found.size() != 1) {
      throw new IllegalArgumentException(
          "[node] ["
              + wanted
              + "] "
              + (found.isEmpty()
                  ? "is no node of this cluster; GET /_cat/nodes?h=name,id lists them"
                  : "is the name of " + found.size() + " nodes; give an id"));
    }
    return found.get(0);
  }

  /**
   * The id under which a node is awaited, which may be away.
   *
   * @throws IllegalArgumentException when no such node is awaited
   */
  private String awaitedId(ClusterState state, String wanted) {
    Map<String, Long> nodes = awaited.of(state);
    if (nodes.containsKey(wanted)) {
      return wanted;
    }
    for (DiscoveryNode node : state.nodes()) {
      if (node.getName().equals(wanted) && nodes.containsKey(node.getId())) {
        return node.getId();
      }
    }
    throw new IllegalArgumentException(
        "[node] ["
            + wanted
            + "] is not awaited; awaited by id: "
            + nodes.keySet()
            + ". A node that is away is known by its id only");
  }
}
