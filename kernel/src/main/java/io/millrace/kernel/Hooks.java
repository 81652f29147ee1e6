package io.millrace.kernel;

import java.util.function.Consumer;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.support.ActionFilter;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.index.IndexModule;
import org.opensearch.plugins.ActionPlugin.ActionHandler;
import org.opensearch.rest.RestHandler;

/**
 * Everything a feature may hook into; the plugin is the only implementor in production.
 *
 * <p>A new kind of hook adds one method here and one adapter line in the plugin; a new feature adds
 * nothing to the plugin. Hooks that OpenSearch gives only once per node or index are folded by the
 * plugin or not offered (house rule: REST wrapper, reader wrapper and QueryPhaseSearcher are left
 * to other plugins).
 */
public interface Hooks {

  /** A filter around every transport action; order is the filter's own. */
  void actionFilter(ActionFilter filter);

  /** A transport action with the class that serves it; the class is built by injection. */
  void action(ActionHandler<? extends ActionRequest, ? extends ActionResponse> handler);

  /** A REST handler with its routes. */
  void rest(RestHandler handler);

  /**
   * Called for every index that this node opens, before its shards exist (IndexModule at 3.8.0).
   */
  void index(Consumer<IndexModule> listener);
}
