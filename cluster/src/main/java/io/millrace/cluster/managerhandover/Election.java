package io.millrace.cluster.managerhandover;

import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.opensearch.OpenSearchTimeoutException;
import org.opensearch.cluster.AckedClusterStateUpdateTask;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.ClusterStateObserver;
import org.opensearch.cluster.ClusterStateUpdateTask;
import org.opensearch.cluster.ack.AckedRequest;
import org.opensearch.cluster.coordination.JoinHelper;
import org.opensearch.cluster.coordination.StartJoinRequest;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.Priority;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.action.ActionListener;
import org.opensearch.node.NodeClosedException;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.EmptyTransportResponseHandler;
import org.opensearch.transport.TransportException;
import org.opensearch.transport.TransportService;

/**
 * One election for one target, started by the elected cluster manager.
 *
 * <p>First a cluster state is published that the target must acknowledge: a target that lags would
 * lose, because nobody votes for a node whose state is older. Then, in a task of the cluster
 * manager, so that no publication is in flight, nodes are told to join the target in the next term.
 * That is the message with which stock itself gives up the role ({@code Coordinator#abdicateTo}).
 *
 * <p>Stock tells every node. Each that is told loses its cluster manager and stands for election
 * itself, within 100 ms by default, and on a busy machine one of them beats the target. Here only a
 * bare majority is told, and not the cluster manager: the others refuse their vote to rivals
 * because they still have a cluster manager, and learn of the new one by its first cluster state.
 */
final class Election {
  private static final Logger LOG = LogManager.getLogger(Election.class);

  private final ClusterService cluster;
  private final TransportService transport;
  private final DiscoveryNode target;
  private final TimeValue step;

  /**
   * @param step how long the target may take to acknowledge, and then a new cluster manager to be
   *     known
   */
  Election(
      ClusterService cluster, TransportService transport, DiscoveryNode target, TimeValue step) {
    this.cluster = cluster;
    this.transport = transport;
    this.target = target;
    this.step = step;
  }

  /** Answers who is cluster manager afterwards; fails when the target lags or nobody wins. */
  void hold(ActionListener<DiscoveryNode> listener) {
    cluster.submitStateUpdateTask("millrace-handover-barrier", barrier(listener));
  }

  private ClusterStateUpdateTask barrier(ActionListener<DiscoveryNode> listener) {
    AckedRequest times =
        new AckedRequest() {
          @Override
          public TimeValue ackTimeout() {
            return step;
          }

          @Override
          public TimeValue clusterManagerNodeTimeout() {
            return step;
          }
        };
    AtomicBoolean over = new AtomicBoolean();
    return new AckedClusterStateUpdateTask<Boolean>(
        Priority.IMMEDIATE, times, ActionListener.wrap(ignored -> {}, listener::onFailure)) {
      @Override
      protected Boolean newResponse(boolean acknowledged) {
        return acknowledged;
      }

      @Override
      public boolean mustAck(DiscoveryNode node) {
        return node.equals(target);
      }

      @Override
      public ClusterState execute(ClusterState now) {
        return ClusterState.builder(now).build();
      }

      @Override
      public void onAllNodesAcked(Exception failure) {
        if (!over.compareAndSet(false, true)) {
          return;
        }
        if (failure != null) {
          listener.onFailure(
              new IllegalStateException(
                  "[" + target.getName() + "] did not take a cluster state; it keeps no role",
                  failure));
        } else {
          cluster.submitStateUpdateTask("millrace-handover", election(listener));
        }
      }

      @Override
      public void onAckTimeout() {
        if (over.compareAndSet(false, true)) {
          listener.onFailure(
              new OpenSearchTimeoutException(
                  "[{}] lags: it did not apply a cluster state within {}; nothing was changed",
                  target.getName(),
                  step));
        }
      }
    };
  }

  private ClusterStateUpdateTask election(ActionListener<DiscoveryNode> listener) {
    return new ClusterStateUpdateTask(Priority.IMMEDIATE) {
      @Override
      public ClusterState execute(ClusterState now) {
        DiscoveryNode from = now.nodes().getLocalNode();
        long term = now.term() + 1;
        awaitOther(from, term, listener);
        LOG.info("the role of the cluster manager goes to {} with term {}", target, term);
        StartJoinRequest join = new StartJoinRequest(target, term);
        Candidates.electorate(now, target).forEach(node -> send(join, node));
        return now;
      }

      @Override
      public void onFailure(String source, Exception e) {
        listener.onFailure(e);
      }
    };
  }

  private void send(StartJoinRequest join, DiscoveryNode node) {
    transport.sendRequest(
        node,
        JoinHelper.START_JOIN_ACTION_NAME,
        join,
        new EmptyTransportResponseHandler(ThreadPool.Names.SAME) {
          @Override
          public void handleException(TransportException e) {
            LOG.debug("{} did not take the start of the election: {}", node, e.toString());
          }
        });
  }

  /** Waits for a state of a later term that names a cluster manager. */
  private void awaitOther(DiscoveryNode from, long term, ActionListener<DiscoveryNode> listener) {
    new ClusterStateObserver(cluster, step, LOG, transport.getThreadPool().getThreadContext())
        .waitForNextChange(
            new ClusterStateObserver.Listener() {
              @Override
              public void onNewClusterState(ClusterState state) {
                DiscoveryNode winner = state.nodes().getClusterManagerNode();
                if (winner == null) {
                  listener.onFailure(new IllegalStateException("no cluster manager after " + from));
                } else {
                  listener.onResponse(winner);
                }
              }

              @Override
              public void onClusterServiceClose() {
                listener.onFailure(new NodeClosedException(from));
              }

              @Override
              public void onTimeout(TimeValue timeout) {
                listener.onFailure(
                    new OpenSearchTimeoutException(
                        "no election of term [{}] was won within {}; look at _cat/cluster_manager "
                            + "before another try",
                        term,
                        timeout));
              }
            },
            state -> state.term() >= term && state.nodes().getClusterManagerNode() != null);
  }
}
