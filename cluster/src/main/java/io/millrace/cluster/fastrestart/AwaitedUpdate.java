package io.millrace.cluster.fastrestart;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.ClusterStateUpdateTask;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.common.Priority;

/** Changes the list of awaited nodes in the cluster state; expired ones go at the same time. */
final class AwaitedUpdate extends ClusterStateUpdateTask {
  private final AwaitedNodes awaited;
  private final Consumer<Map<String, Long>> change;
  private final Consumer<ClusterState> then;
  private final Consumer<Exception> failed;

  AwaitedUpdate(
      AwaitedNodes awaited,
      Consumer<Map<String, Long>> change,
      Consumer<ClusterState> then,
      Consumer<Exception> failed) {
    super(Priority.URGENT);
    this.awaited = awaited;
    this.change = change;
    this.then = then;
    this.failed = failed;
  }

  @Override
  public ClusterState execute(ClusterState now) {
    Map<String, Long> nodes = new LinkedHashMap<>(awaited.of(now));
    change.accept(nodes);
    Metadata.Builder metadata =
        Metadata.builder(now.metadata())
            .transientSettings(AwaitedNodes.with(nodes, now.metadata().transientSettings()));
    return ClusterState.builder(now).metadata(metadata).build();
  }

  @Override
  public void onFailure(String source, Exception e) {
    failed.accept(e);
  }

  @Override
  public void clusterStateProcessed(String source, ClusterState before, ClusterState after) {
    then.accept(after);
  }
}
