package io.millrace.plugin;

import io.millrace.kernel.Hooks;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.support.ActionFilter;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.index.IndexModule;
import org.opensearch.plugins.ActionPlugin.ActionHandler;
import org.opensearch.rest.RestHandler;

/** What the features asked for, collected once while the plugin is constructed. */
final class DeclaredHooks implements Hooks {
  final List<ActionFilter> actionFilters = new ArrayList<>();
  final List<ActionHandler<? extends ActionRequest, ? extends ActionResponse>> actions =
      new ArrayList<>();
  final List<RestHandler> restHandlers = new ArrayList<>();
  final List<Consumer<IndexModule>> indexListeners = new ArrayList<>();

  @Override
  public void actionFilter(ActionFilter filter) {
    actionFilters.add(filter);
  }

  @Override
  public void action(ActionHandler<? extends ActionRequest, ? extends ActionResponse> handler) {
    actions.add(handler);
  }

  @Override
  public void rest(RestHandler handler) {
    restHandlers.add(handler);
  }

  @Override
  public void index(Consumer<IndexModule> listener) {
    indexListeners.add(listener);
  }
}
