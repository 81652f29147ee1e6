package io.millrace.access.admin;

import io.millrace.access.identity.Identity;
import io.millrace.kernel.TransportManagerAction;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.action.support.clustermanager.AcknowledgedResponse;
import org.opensearch.cluster.ClusterState;
import org.opensearch.cluster.block.ClusterBlockException;
import org.opensearch.cluster.block.ClusterBlockLevel;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportService;

/** What both changes do on the cluster manager, once it is clear that they may. */
abstract class TransportChangeAction
    extends TransportManagerAction<ChangeRequest, AcknowledgedResponse> {
  private final Changes changes;

  TransportChangeAction(
      String name,
      TransportService transport,
      ClusterService clusterService,
      ThreadPool threadPool,
      ActionFilters filters,
      IndexNameExpressionResolver resolver,
      Changes changes) {
    super(name, transport, clusterService, threadPool, filters, ChangeRequest::new, resolver);
    this.changes = changes;
  }

  /**
   * Whether this user may make the change, beyond what the filter has checked.
   *
   * @param who null for the node itself
   * @throws org.opensearch.OpenSearchSecurityException when they may not
   */
  abstract void check(@Nullable Identity who, Change change);

  final Changes changes() {
    return changes;
  }

  @Override
  protected final String executor() {
    return ThreadPool.Names.SAME;
  }

  @Override
  protected final AcknowledgedResponse read(StreamInput in) throws IOException {
    return new AcknowledgedResponse(in);
  }

  @Override
  protected final @Nullable ClusterBlockException checkBlock(
      ChangeRequest request, ClusterState state) {
    return state.blocks().globalBlockedException(ClusterBlockLevel.METADATA_WRITE);
  }

  @Override
  protected final void clusterManagerOperation(
      ChangeRequest request, ClusterState state, ActionListener<AcknowledgedResponse> listener) {
    changes.requireOn();
    Identity who = Identity.of(threadPool.getThreadContext());
    check(who, request.change());
    changes.submit(clusterService, request, who, listener);
  }
}
