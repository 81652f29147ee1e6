package io.millrace.cluster.managerhandover;

import io.millrace.kernel.TransportManagerAction;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.block.ClusterBlockException;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.inject.Inject;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportService;
import org.opensearch.transport.client.Client;

/**
 * Runs on the elected cluster manager: checks the target, starts its election, and goes on with
 * whoever won until the target has the role or the attempts are used up.
 */
public final class TransportHandoverAction
    extends TransportManagerAction<HandoverRequest, HandoverResponse> {
  private final Handovers handovers;
  private final Client client;

  /** Built by injection. */
  @Inject
  public TransportHandoverAction(
      TransportService transport,
      ClusterService clusterService,
      ThreadPool threadPool,
      ActionFilters filters,
      IndexNameExpressionResolver resolver,
      Handovers handovers,
      Client client) {
    super(
        HandoverAction.NAME,
        transport,
        clusterService,
        threadPool,
        filters,
        HandoverRequest::new,
        resolver);
    this.handovers = handovers;
    this.client = client;
  }

  @Override
  protected String executor() {
    return ThreadPool.Names.SAME;
  }

  @Override
  protected HandoverResponse read(StreamInput in) throws IOException {
    return new HandoverResponse(in);
  }

  @Override
  protected @Nullable ClusterBlockException checkBlock(
      HandoverRequest request, ClusterState state) {
    return null;
  }

  @Override
  protected void clusterManagerOperation(
      HandoverRequest request, ClusterState state, ActionListener<HandoverResponse> listener) {
    handovers.requireOn();
    DiscoveryNode target = Candidates.require(state, request.to());
    DiscoveryNode from = state.nodes().getLocalNode();
    if (target.equals(from)) {
      listener.onResponse(new HandoverResponse(from, target, state.term(), 0, 0));
      return;
    }
    long start = System.nanoTime();
    new Election(clusterService, transportService, target, request.step())
        .hold(
            ActionListener.wrap(
                winner -> {
                  if (winner.equals(target)) {
                    handovers.done.increment();
                    listener.onResponse(
                        answer(from, target, clusterService.state().term(), start, request));
                  } else {
                    handovers.missed.increment();
                    again(request, from, winner, start, listener);
                  }
                },
                listener::onFailure));
  }

  /** Another node won: the wish goes to it. */
  private void again(
      HandoverRequest request,
      DiscoveryNode from,
      DiscoveryNode winner,
      long start,
      ActionListener<HandoverResponse> listener) {
    if (request.attempt() >= HandoverRequest.ATTEMPTS) {
      listener.onFailure(
          new IllegalStateException(
              "[to] "
                  + request.to()
                  + " did not become cluster manager in "
                  + request.attempt()
                  + " elections; it is now ["
                  + winner.getName()
                  + "]. Look at the log of ["
                  + request.to()
                  + "] and ask again"));
      return;
    }
    client.execute(
        HandoverAction.INSTANCE,
        request.again(),
        ActionListener.wrap(
            last ->
                listener.onResponse(
                    new HandoverResponse(
                        from,
                        last.to(),
                        last.term(),
                        TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start),
                        Math.max(last.attempts(), request.attempt()))),
            listener::onFailure));
  }

  private static HandoverResponse answer(
      DiscoveryNode from, DiscoveryNode to, long term, long start, HandoverRequest request) {
    return new HandoverResponse(
        from,
        to,
        term,
        TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start),
        request.attempt());
  }
}
