package io.millrace.search.preference;

import io.millrace.kernel.settings.Switch;
import io.millrace.kernel.slot.ActionOrder;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.admin.cluster.shards.ClusterSearchShardsRequest;
import org.opensearch.action.search.CreatePitRequest;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.support.ActionFilter;
import org.opensearch.action.support.ActionFilterChain;
import org.opensearch.action.support.ActionRequestMetadata;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.tasks.Task;

/**
 * Puts a custom preference and values of {@code routing} in the place of a preference that names
 * shards and a custom string: stock then asks those shards, and of each the copy of that string.
 */
final class PreferenceFilter implements ActionFilter {
  final LongAdder rewritten = new LongAdder();

  private final Switch enabled;
  private volatile @Nullable ChosenShards chosen;

  PreferenceFilter(Switch enabled) {
    this.enabled = enabled;
  }

  void start(ClusterService clusterService, IndexNameExpressionResolver resolver) {
    chosen = new ChosenShards(clusterService, resolver);
  }

  /** Last: what other filters see is the request as the client sent it. */
  @Override
  public int order() {
    return ActionOrder.REWRITE.order();
  }

  @Override
  public <Request extends ActionRequest, Response extends ActionResponse> void apply(
      Task task,
      String action,
      Request request,
      ActionRequestMetadata<Request, Response> metadata,
      ActionListener<Response> listener,
      ActionFilterChain<Request, Response> chain) {
    ChosenShards ready = chosen;
    if (ready != null && enabled.on()) {
      try {
        rewrite(request, ready);
      } catch (IllegalArgumentException e) {
        listener.onFailure(e);
        return;
      }
    }
    chain.proceed(task, action, request, listener);
  }

  private void rewrite(ActionRequest request, ChosenShards ready) {
    if (request instanceof SearchRequest search) {
      ShardsAndString asked = ShardsAndString.parse(search.preference());
      if (asked != null && search.pointInTimeBuilder() == null) {
        ChosenShards.Choice choice = ready.of(search, search.routing(), asked);
        if (choice != null) {
          search.indices(choice.indices());
          search.routing(choice.routing());
          search.preference(asked.custom());
          rewritten.increment();
        }
      }
    } else if (request instanceof CreatePitRequest pit) {
      ShardsAndString asked = ShardsAndString.parse(pit.getPreference());
      ChosenShards.Choice choice = asked == null ? null : ready.of(pit, pit.getRouting(), asked);
      if (asked != null && choice != null) {
        pit.indices(choice.indices());
        pit.setRouting(choice.routing());
        pit.setPreference(asked.custom());
        rewritten.increment();
      }
    } else if (request instanceof ClusterSearchShardsRequest shards) {
      ShardsAndString asked = ShardsAndString.parse(shards.preference());
      ChosenShards.Choice choice = asked == null ? null : ready.of(shards, shards.routing(), asked);
      if (asked != null && choice != null) {
        shards.indices(choice.indices());
        shards.routing(choice.routing());
        shards.preference(asked.custom());
        rewritten.increment();
      }
    }
  }
}
