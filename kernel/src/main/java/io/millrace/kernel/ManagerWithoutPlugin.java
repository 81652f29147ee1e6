package io.millrace.kernel;

import org.jspecify.annotations.Nullable;
import org.opensearch.ExceptionsHelper;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.transport.ActionNotFoundTransportException;

/** The answer where only the elected cluster manager could do something, and does not know it. */
public final class ManagerWithoutPlugin {
  private ManagerWithoutPlugin() {}

  /**
   * The failure of a request to the cluster manager; where the manager does not know the action,
   * 503 with its name and the remedy instead.
   *
   * @param manager the node that was asked; {@code null} where no node is elected any more
   */
  public static Exception explained(Exception failure, @Nullable DiscoveryNode manager) {
    if (ExceptionsHelper.unwrap(failure, ActionNotFoundTransportException.class) == null) {
      return failure;
    }
    String asked = manager == null ? "the one that was asked" : "[" + manager.getName() + "]";
    String excluded = manager == null ? "<its name>" : manager.getName();
    return new OpenSearchStatusException(
        "only the cluster manager can do this, and {} is one without the plugin [millrace], or"
            + " with an earlier version; install the plugin there, or let another node be elected"
            + " [POST /_cluster/voting_config_exclusions?node_names={}]",
        RestStatus.SERVICE_UNAVAILABLE,
        failure,
        asked,
        excluded);
  }
}
