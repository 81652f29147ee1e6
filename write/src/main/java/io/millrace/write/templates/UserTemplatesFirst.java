package io.millrace.write.templates;

import io.millrace.kernel.NodeServices;
import io.millrace.kernel.slot.ActionOrder;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.admin.indices.template.put.PutComposableIndexTemplateAction;
import org.opensearch.action.admin.indices.template.put.PutIndexTemplateRequest;
import org.opensearch.action.support.ActionFilter;
import org.opensearch.action.support.ActionFilterChain;
import org.opensearch.action.support.ActionRequestMetadata;
import org.opensearch.action.support.ContextPreservingActionListener;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.tasks.Task;
import org.opensearch.threadpool.ThreadPool;

/**
 * Lets a user's template in where a shipped one stands in its way. Stock refuses a composable
 * template that overlaps another of its priority, and 0 is both the lowest there is and the one of
 * every template that names none; and it takes a legacy template only to ignore it. So the shipped
 * template leaves first. Acts on the elected manager, which is where every such request ends.
 */
final class UserTemplatesFirst implements ActionFilter {
  private final TemplateKeeper keeper;
  private final List<String> shipped;
  private volatile @Nullable ThreadPool threadPool;

  UserTemplatesFirst(TemplateKeeper keeper, List<String> shipped) {
    this.keeper = keeper;
    this.shipped = shipped;
  }

  void start(NodeServices node) {
    threadPool = node.threadPool();
  }

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
    List<String> leaving = leaving(request);
    ThreadPool pool = threadPool;
    if (leaving.isEmpty() || pool == null) {
      chain.proceed(task, action, request, listener);
      return;
    }
    ThreadContext context = pool.getThreadContext();
    var restorable = context.newRestorableContext(true);
    ActionListener<Response> after =
        ActionListener.runAfter(
            new ContextPreservingActionListener<>(restorable, listener), keeper::gaveWay);
    keeper.giveWay(
        leaving,
        () -> {
          try (ThreadContext.StoredContext ignored = restorable.get()) {
            chain.proceed(task, action, request, after);
          }
        });
  }

  private List<String> leaving(ActionRequest request) {
    if (request instanceof PutComposableIndexTemplateAction.Request put
        && put.indexTemplate() != null
        && put.indexTemplate().priorityOrZero() == 0
        && !shipped.contains(put.name())) {
      return keeper.inTheWay(put.name(), put.indexTemplate().indexPatterns());
    }
    if (request instanceof PutIndexTemplateRequest legacy && legacy.patterns() != null) {
      return keeper.inTheWay(legacy.name(), legacy.patterns());
    }
    return List.of();
  }
}
