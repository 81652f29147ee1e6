package io.millrace.access.admin;

import io.millrace.access.audit.AuditLog;
import io.millrace.access.identity.Identity;
import io.millrace.access.store.AccessMetadata;
import io.millrace.access.store.AccessStore;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.support.clustermanager.AcknowledgedResponse;
import org.opensearch.cluster.AckedClusterStateUpdateTask;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.Priority;
import org.opensearch.core.action.ActionListener;

/** Writes changes into the cluster state; answers once every node has them. */
public final class Changes {
  private final BooleanSupplier on;
  private final AccessStore store;
  private final AuditLog audit;

  /**
   * @param on whether there are users at all
   */
  public Changes(BooleanSupplier on, AccessStore store, AuditLog audit) {
    this.on = on;
    this.store = store;
    this.audit = audit;
  }

  AccessStore store() {
    return store;
  }

  /**
   * Refuses where nobody is asked who they are.
   *
   * @throws IllegalArgumentException with the remedy
   */
  void requireOn() {
    if (!on.getAsBoolean()) {
      throw new IllegalArgumentException(
          "[millrace.access.enabled] is false, so there are no users; start the nodes with"
              + " [./millrace up --secure], or set it to true in opensearch.yml of every node");
    }
  }

  void submit(
      ClusterService clusterService,
      ChangeRequest request,
      @Nullable Identity who,
      ActionListener<AcknowledgedResponse> listener) {
    Change change = request.change();
    clusterService.submitStateUpdateTask(
        "millrace access: " + change.text(),
        new AckedClusterStateUpdateTask<AcknowledgedResponse>(Priority.HIGH, request, listener) {
          @Override
          protected AcknowledgedResponse newResponse(boolean acknowledged) {
            audit.write(
                "changed",
                who == null ? null : who.text(),
                change.text(),
                null,
                change.body() == null ? "deleted" : "put " + change.body().keySet());
            return new AcknowledgedResponse(acknowledged);
          }

          @Override
          public ClusterState execute(ClusterState state) {
            AccessMetadata before = state.metadata().custom(AccessMetadata.TYPE);
            AccessMetadata after = change.apply(before == null ? AccessMetadata.fresh() : before);
            return ClusterState.builder(state)
                .metadata(Metadata.builder(state.metadata()).putCustom(AccessMetadata.TYPE, after))
                .build();
          }
        });
  }
}
