package io.millrace.access.admin;

import io.millrace.access.identity.Identity;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.support.ActionFilters;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.inject.Inject;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.TransportService;

/** Any change; the filter lets only the superuser come here. */
public final class TransportAnyChangeAction extends TransportChangeAction {
  /** Built by injection. */
  @Inject
  public TransportAnyChangeAction(
      TransportService transport,
      ClusterService clusterService,
      ThreadPool threadPool,
      ActionFilters filters,
      IndexNameExpressionResolver resolver,
      Changes changes) {
    super(
        AnyChangeAction.INSTANCE.name(),
        transport,
        clusterService,
        threadPool,
        filters,
        resolver,
        changes);
  }

  @Override
  void check(@Nullable Identity who, Change change) {
    // by the filter
  }
}
