package io.millrace.guard.breaker;

import io.millrace.kernel.settings.Switch;
import io.millrace.kernel.slot.ActionOrder;
import io.millrace.kernel.slot.RefusingFilter;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.support.clustermanager.ClusterManagerNodeReadRequest;
import org.opensearch.action.support.clustermanager.ClusterManagerNodeRequest;
import org.opensearch.cluster.metadata.Metadata;
import org.opensearch.core.rest.RestStatus;

/**
 * Refuses a request that changes the cluster's state in more places than anybody needs at once.
 *
 * <p>Why: stock makes all changes of one request on the one thread that changes the state, and
 * copies more for each the more there are. 20,000 aliases in one request kept everybody waiting for
 * seconds.
 */
final class ChangeLimit extends RefusingFilter {
  private final Switch enabled;
  private final RequestLimits limits;
  private final Supplier<@Nullable Metadata> metadata;
  final LongAdder refused = new LongAdder();

  /**
   * @param metadata of the cluster; {@code null} before it is known
   */
  ChangeLimit(Switch enabled, RequestLimits limits, Supplier<@Nullable Metadata> metadata) {
    super(ActionOrder.LIMIT);
    this.enabled = enabled;
    this.limits = limits;
    this.metadata = metadata;
  }

  @Override
  protected @Nullable Exception refusal(String action, ActionRequest request) {
    if (!(request instanceof ClusterManagerNodeRequest<?> change)
        || request instanceof ClusterManagerNodeReadRequest
        || !enabled.on()) {
      return null;
    }
    long changes = StateChanges.of(change, metadata.get());
    int most = limits.stateChanges();
    if (changes <= most) {
      return null;
    }
    refused.increment();
    return new OpenSearchStatusException(
        "[request] this request makes [{}] changes to the state of the cluster, more than [{}] [{}];"
            + " send it in parts, or raise the limit. Each setting, each command and each alias"
            + " of each index is a change",
        RestStatus.BAD_REQUEST,
        changes,
        most,
        limits.stateChangesKey());
  }
}
