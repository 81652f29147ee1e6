package io.millrace.write.bulkrouting;

import io.millrace.kernel.NodeServices;
import io.millrace.kernel.settings.Switch;
import io.millrace.kernel.slot.ActionOrder;
import io.millrace.write.bulkrouting.PlacedIds.Places;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.DocWriteRequest;
import org.opensearch.action.bulk.BulkAction;
import org.opensearch.action.bulk.BulkRequest;
import org.opensearch.action.delete.DeleteRequest;
import org.opensearch.action.explain.ExplainAction;
import org.opensearch.action.explain.ExplainRequest;
import org.opensearch.action.explain.ExplainResponse;
import org.opensearch.action.get.GetAction;
import org.opensearch.action.get.GetRequest;
import org.opensearch.action.get.GetResponse;
import org.opensearch.action.get.MultiGetAction;
import org.opensearch.action.get.MultiGetItemResponse;
import org.opensearch.action.get.MultiGetRequest;
import org.opensearch.action.get.MultiGetResponse;
import org.opensearch.action.support.ActionFilter;
import org.opensearch.action.support.ActionFilterChain;
import org.opensearch.action.support.ActionRequestMetadata;
import org.opensearch.action.update.UpdateAction;
import org.opensearch.action.update.UpdateRequest;
import org.opensearch.cluster.ClusterState;
import org.opensearch.common.document.DocumentField;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.index.mapper.RoutingFieldMapper;
import org.opensearch.search.fetch.subphase.FetchSourceContext;
import org.opensearch.tasks.Task;
import org.opensearch.transport.client.Client;

/**
 * Finds documents that bulk routing has placed by their id alone: where a request names no routing,
 * every shard of the index is asked. A read is answered by the shard that has the document; an
 * update or a delete is given the document's routing and goes its usual way.
 *
 * <p>Deletes of single documents arrive here as bulks (TransportSingleItemBulkWriteAction).
 */
final class EveryShardFilter implements ActionFilter {
  /** Items of one request to all shards at most, so that its answers stay small. */
  private static final int ITEMS = 10_000;

  private record Services(Client client, PlacedIds ids) {}

  private final Switch enabled;
  private final RoutedIndices indices;
  private final BulkRoutingCounters counters;
  private volatile @Nullable Services services;

  EveryShardFilter(Switch enabled, RoutedIndices indices, BulkRoutingCounters counters) {
    this.enabled = enabled;
    this.indices = indices;
    this.counters = counters;
  }

  void start(NodeServices node) {
    IndexTargets targets =
        new IndexTargets(node.clusterService(), node.indexNameExpressionResolver(), indices);
    services = new Services(node.client(), new PlacedIds(targets));
  }

  @Override
  public int order() {
    return ActionOrder.REWRITE.order();
  }

  @Override
  @SuppressWarnings("unchecked") // the action's name gives the types of request and response
  public <Request extends ActionRequest, Response extends ActionResponse> void apply(
      Task task,
      String action,
      Request request,
      ActionRequestMetadata<Request, Response> metadata,
      ActionListener<Response> listener,
      ActionFilterChain<Request, Response> chain) {
    Services ready = services;
    if (ready == null || !indices.anyPlaced() || !enabled.on()) {
      chain.proceed(task, action, request, listener);
      return;
    }
    Runnable proceed = () -> chain.proceed(task, action, request, listener);
    switch (action) {
      case GetAction.NAME ->
          get(ready, (GetRequest) request, (ActionListener<GetResponse>) listener, proceed);
      case ExplainAction.NAME ->
          explain(
              ready, (ExplainRequest) request, (ActionListener<ExplainResponse>) listener, proceed);
      case MultiGetAction.NAME -> {
        List<Integer> asked = new ArrayList<>();
        MultiGetRequest all = expand(ready, (MultiGetRequest) request, asked);
        if (all == null) {
          proceed.run();
        } else {
          ActionListener<MultiGetResponse> whole = (ActionListener<MultiGetResponse>) listener;
          ActionListener<MultiGetResponse> collapsed =
              ActionListener.delegateFailure(
                  whole, (l, response) -> l.onResponse(EveryShardReads.collapse(response, asked)));
          chain.proceed(task, action, (Request) all, (ActionListener<Response>) collapsed);
        }
      }
      case UpdateAction.NAME ->
          locate(ready, List.of((UpdateRequest) request), listener::onFailure, proceed);
      case BulkAction.NAME ->
          locate(ready, ((BulkRequest) request).requests(), listener::onFailure, proceed);
      default -> proceed.run();
    }
  }

  private void get(
      Services ready, GetRequest request, ActionListener<GetResponse> listener, Runnable proceed) {
    Places places =
        ready.ids.places(ready.ids.state(), request.index(), request.id(), request.routing());
    if (places == null) {
      proceed.run();
      return;
    }
    counters.everyShard.increment();
    EveryShardReads.ask(
        ready.client,
        GetAction.INSTANCE,
        places.routings().stream().map(routing -> EveryShardReads.to(routing, request)).toList(),
        GetResponse::isExists,
        listener);
  }

  private void explain(
      Services ready,
      ExplainRequest request,
      ActionListener<ExplainResponse> listener,
      Runnable proceed) {
    Places places =
        ready.ids.places(ready.ids.state(), request.index(), request.id(), request.routing());
    if (places == null) {
      proceed.run();
      return;
    }
    counters.everyShard.increment();
    EveryShardReads.ask(
        ready.client,
        ExplainAction.INSTANCE,
        places.routings().stream().map(routing -> EveryShardReads.to(routing, request)).toList(),
        ExplainResponse::isExists,
        listener);
  }

  /** The request with an item for each shard, or null where OpenSearch finds all by itself. */
  private @Nullable MultiGetRequest expand(
      Services ready, MultiGetRequest request, List<Integer> asked) {
    ClusterState state = ready.ids.state();
    MultiGetRequest all =
        new MultiGetRequest()
            .preference(request.preference())
            .realtime(request.realtime())
            .refresh(request.refresh());
    all.setParentTask(request.getParentTask());
    boolean any = false;
    for (MultiGetRequest.Item item : request.getItems()) {
      Places places = ready.ids.places(state, item.index(), item.id(), item.routing());
      if (places == null) {
        all.add(item);
        asked.add(1);
      } else {
        any = true;
        counters.everyShard.increment();
        places.routings().forEach(routing -> all.add(EveryShardReads.to(routing, item)));
        asked.add(places.routings().size());
      }
    }
    return any ? all : null;
  }

  /** A write whose document may stand on any shard. */
  private record Wanted(DocWriteRequest<?> write, String index, List<String> routings) {}

  /** Gives updates and deletes the routing of their documents, then goes on. */
  private void locate(
      Services ready, List<DocWriteRequest<?>> writes, Failure failure, Runnable proceed) {
    List<Wanted> wanted = new ArrayList<>();
    ClusterState state = null;
    for (DocWriteRequest<?> write : writes) {
      if (write instanceof UpdateRequest || write instanceof DeleteRequest) {
        state = state == null ? ready.ids.state() : state;
        Places places = ready.ids.places(state, write.index(), write.id(), write.routing());
        if (places != null) {
          counters.everyShard.increment();
          wanted.add(new Wanted(write, places.index(), places.routings()));
        }
      }
    }
    locate(ready, wanted, 0, failure, proceed);
  }

  /** Hears why a request cannot go on. */
  private interface Failure {
    void is(Exception reason);
  }

  private void locate(
      Services ready, List<Wanted> wanted, int from, Failure failure, Runnable proceed) {
    if (from == wanted.size()) {
      proceed.run();
      return;
    }
    MultiGetRequest all = new MultiGetRequest().realtime(true);
    int next = from;
    while (next < wanted.size()
        && (next == from || all.getItems().size() + wanted.get(next).routings.size() <= ITEMS)) {
      Wanted one = wanted.get(next++);
      for (String routing : one.routings) {
        all.add(
            new MultiGetRequest.Item(one.index, one.write.id())
                .routing(routing)
                .storedFields(RoutingFieldMapper.NAME)
                .fetchSourceContext(FetchSourceContext.DO_NOT_FETCH_SOURCE));
      }
    }
    int end = next;
    ready.client.execute(
        MultiGetAction.INSTANCE,
        all,
        ActionListener.wrap(
            response -> {
              int at = 0;
              for (Wanted one : wanted.subList(from, end)) {
                route(one, response.getResponses(), at);
                at += one.routings.size();
              }
              locate(ready, wanted, end, failure, proceed);
            },
            failure::is));
  }

  private static void route(Wanted wanted, MultiGetItemResponse[] responses, int from) {
    int shards = wanted.routings.size();
    MultiGetItemResponse best = EveryShardReads.best(responses, from, from + shards);
    if (!best.isFailed()) {
      DocumentField routing = best.getResponse().getField(RoutingFieldMapper.NAME);
      if (best.getResponse().isExists() && routing != null) {
        wanted.write.routing(routing.getValue());
      }
      return;
    }
    // no shard has it and one could not say: it is there, or nowhere, so that shard answers
    for (int i = 0; i < shards; i++) {
      if (responses[from + i] == best) {
        wanted.write.routing(wanted.routings.get(i));
        return;
      }
    }
  }
}
