package io.millrace.kernel.hooks;

import io.millrace.kernel.slot.ActionOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.RequestValidators.RequestValidator;
import org.opensearch.action.admin.indices.alias.IndicesAliasesRequest;
import org.opensearch.action.admin.indices.mapping.put.PutMappingRequest;
import org.opensearch.action.support.ActionFilter;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.cluster.node.DiscoveryNodes;
import org.opensearch.common.settings.ClusterSettings;
import org.opensearch.common.settings.IndexScopedSettings;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.settings.SettingsFilter;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.plugins.ActionPlugin;
import org.opensearch.plugins.ActionPlugin.ActionHandler;
import org.opensearch.rest.BaseRestHandler;
import org.opensearch.rest.RestController;
import org.opensearch.rest.RestHandler;
import org.opensearch.rest.RestHeaderDefinition;

/** Actions, their filters and their REST handlers, as {@link ActionPlugin} takes them. */
public interface ActionHooks extends HookRegistry.Holder {

  /**
   * A filter around every transport action.
   *
   * @throws IllegalArgumentException when its order is no place of {@link ActionOrder}
   */
  default void actionFilter(ActionFilter filter) {
    if (Arrays.stream(ActionOrder.values()).noneMatch(each -> each.order() == filter.order())) {
      throw new IllegalArgumentException(
          "["
              + registry().declaring()
              + "] declares the action filter ["
              + filter.getClass().getName()
              + "] with the order ["
              + filter.order()
              + "]; answer the order() of one of ActionOrder "
              + Arrays.toString(ActionOrder.values()));
    }
    Collector.of(this).filters.add(filter);
  }

  /** A transport action with the class that serves it; the class is built by injection. */
  default void action(ActionHandler<? extends ActionRequest, ? extends ActionResponse> handler) {
    Collector.of(this).actions.add(handler, handler.getAction().name());
  }

  /** A REST handler; its name and each of its routes belong to one feature. */
  default void rest(RestHandler handler) {
    Collector.of(this).rest.add(handler, Collector.names(handler));
  }

  /** A header that is copied from a REST request to the requests that it makes inside. */
  default void restHeader(RestHeaderDefinition header) {
    Collector.of(this).restHeaders.add(header, header.getName());
  }

  /** A header that is copied from a request to its task, where {@code _tasks} shows it. */
  default void taskHeader(String header) {
    Collector.of(this).taskHeaders.add(header, header);
  }

  /** May refuse an update of a mapping by the exception that it returns. */
  default void mappingUpdate(RequestValidator<PutMappingRequest> validator) {
    Collector.of(this).mappingUpdates.add(validator);
  }

  /** May refuse a change of aliases by the exception that it returns. */
  default void aliasUpdate(RequestValidator<IndicesAliasesRequest> validator) {
    Collector.of(this).aliasUpdates.add(validator);
  }

  /** What was declared. */
  final class Collector {
    private final Declarations<ActionFilter> filters;
    private final Declarations<ActionHandler<? extends ActionRequest, ? extends ActionResponse>>
        actions;
    private final Declarations<RestHandler> rest;
    private final Declarations<RestHeaderDefinition> restHeaders;
    private final Declarations<String> taskHeaders;
    private final Declarations<RequestValidator<PutMappingRequest>> mappingUpdates;
    private final Declarations<RequestValidator<IndicesAliasesRequest>> aliasUpdates;

    private Collector(HookRegistry registry) {
      filters = registry.declarations("action filter");
      actions = registry.declarations("action");
      rest = registry.declarations("REST handler");
      restHeaders = registry.declarations("REST header");
      taskHeaders = registry.declarations("task header");
      mappingUpdates = registry.declarations("validator of mappings");
      aliasUpdates = registry.declarations("validator of aliases");
    }

    private static Collector of(HookRegistry.Holder holder) {
      return holder.registry().collector(Collector.class, Collector::new);
    }

    /** A handler's own name and its routes, in which a parameter's name makes no difference. */
    private static List<String> names(RestHandler handler) {
      List<String> names = new ArrayList<>();
      if (handler instanceof BaseRestHandler base) {
        names.add(base.getName());
      }
      List<RestHandler.Route> routes = new ArrayList<>(handler.routes());
      routes.addAll(handler.deprecatedRoutes());
      routes.addAll(handler.replacedRoutes());
      for (RestHandler.Route route : routes) {
        names.add(route.getMethod() + " " + route.getPath().replaceAll("\\{[^}]*}", "{}"));
      }
      return names;
    }
  }

  /** What OpenSearch asks for. */
  interface Adapter extends ActionPlugin, HookRegistry.Holder {
    @Override
    default List<ActionFilter> getActionFilters() {
      return Collector.of(this).filters.values();
    }

    @Override
    default List<ActionHandler<? extends ActionRequest, ? extends ActionResponse>> getActions() {
      return Collector.of(this).actions.values();
    }

    @Override
    default List<RestHandler> getRestHandlers(
        Settings settings,
        RestController restController,
        ClusterSettings clusterSettings,
        IndexScopedSettings indexScopedSettings,
        SettingsFilter settingsFilter,
        IndexNameExpressionResolver indexNameExpressionResolver,
        Supplier<DiscoveryNodes> nodesInCluster) {
      return Collector.of(this).rest.values();
    }

    @Override
    default Collection<RestHeaderDefinition> getRestHeaders() {
      return Collector.of(this).restHeaders.values();
    }

    @Override
    default Collection<String> getTaskHeaders() {
      return Collector.of(this).taskHeaders.values();
    }

    @Override
    default Collection<RequestValidator<PutMappingRequest>> mappingRequestValidators() {
      return Collector.of(this).mappingUpdates.values();
    }

    @Override
    default Collection<RequestValidator<IndicesAliasesRequest>> indicesAliasesRequestValidators() {
      return Collector.of(this).aliasUpdates.values();
    }
  }
}
