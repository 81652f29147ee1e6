package io.millrace.write.bulkrouting;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.ActionType;
import org.opensearch.action.explain.ExplainRequest;
import org.opensearch.action.get.GetRequest;
import org.opensearch.action.get.MultiGetItemResponse;
import org.opensearch.action.get.MultiGetRequest;
import org.opensearch.action.get.MultiGetResponse;
import org.opensearch.action.support.GroupedActionListener;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.transport.client.Client;

/**
 * Reads by id that ask every shard, each by a routing that leads to it. Of the answers the first
 * that found the document counts; without one a shard that could not answer makes the request fail,
 * because the document may stand there.
 */
final class EveryShardReads {
  private EveryShardReads() {}

  /** The same request to the shard that a routing leads to. */
  static GetRequest to(String routing, GetRequest request) {
    GetRequest one =
        new GetRequest(request.index(), request.id())
            .routing(routing)
            .preference(request.preference())
            .realtime(request.realtime())
            .refresh(request.refresh())
            .fetchSourceContext(request.fetchSourceContext())
            .version(request.version())
            .versionType(request.versionType());
    if (request.storedFields() != null) {
      one.storedFields(request.storedFields());
    }
    one.setParentTask(request.getParentTask());
    return one;
  }

  /** The same request to the shard that a routing leads to. */
  static ExplainRequest to(String routing, ExplainRequest request) {
    ExplainRequest one =
        new ExplainRequest(request.index(), request.id())
            .routing(routing)
            .preference(request.preference())
            .query(request.query())
            .fetchSourceContext(request.fetchSourceContext());
    if (request.storedFields() != null) {
      one.storedFields(request.storedFields());
    }
    one.setParentTask(request.getParentTask());
    return one;
  }

  /** Sends one request for each shard and answers with the one that found something. */
  static <Q extends ActionRequest, R extends ActionResponse> void ask(
      Client client,
      ActionType<R> action,
      List<Q> requests,
      Predicate<R> found,
      ActionListener<R> listener) {
    ActionListener<Outcome<R>> all =
        new GroupedActionListener<>(
            ActionListener.wrap(outcomes -> answer(outcomes, found, listener), listener::onFailure),
            requests.size());
    for (int i = 0; i < requests.size(); i++) {
      int place = i;
      client.execute(
          action,
          requests.get(i),
          ActionListener.wrap(
              response -> all.onResponse(new Outcome<>(place, response, null)),
              failure -> all.onResponse(new Outcome<>(place, null, failure))));
    }
  }

  private record Outcome<R>(int place, @Nullable R response, @Nullable Exception failure) {}

  private static <R> void answer(
      Collection<Outcome<R>> outcomes, Predicate<R> found, ActionListener<R> listener) {
    List<Outcome<R>> inOrder = new ArrayList<>(outcomes);
    inOrder.sort(Comparator.comparingInt(Outcome::place));
    R absent = null;
    Exception failure = null;
    for (Outcome<R> outcome : inOrder) {
      R response = outcome.response;
      if (response != null && found.test(response)) {
        listener.onResponse(response);
        return;
      }
      absent = absent == null ? response : absent;
      failure = failure == null ? outcome.failure : failure;
    }
    if (failure != null) {
      listener.onFailure(failure);
    } else if (absent != null) {
      listener.onResponse(absent);
    } else {
      listener.onFailure(new IllegalStateException("no shard was asked"));
    }
  }

  /** The same item on the shard that a routing leads to. */
  static MultiGetRequest.Item to(String routing, MultiGetRequest.Item item) {
    MultiGetRequest.Item one =
        new MultiGetRequest.Item(item.index(), item.id())
            .routing(routing)
            .version(item.version())
            .versionType(item.versionType())
            .fetchSourceContext(item.fetchSourceContext());
    if (item.storedFields() != null) {
      one.storedFields(item.storedFields());
    }
    return one;
  }

  /**
   * The items of an answer, one for each item that was sent.
   *
   * @param asked how many items stood for each of them, in order
   */
  static MultiGetResponse collapse(MultiGetResponse response, List<Integer> asked) {
    MultiGetItemResponse[] items = new MultiGetItemResponse[asked.size()];
    int next = 0;
    for (int i = 0; i < items.length; i++) {
      items[i] = best(response.getResponses(), next, next + asked.get(i));
      next += asked.get(i);
    }
    return new MultiGetResponse(items);
  }

  /** The first that found the document, else the first failure, else the first. */
  static MultiGetItemResponse best(MultiGetItemResponse[] items, int from, int to) {
    MultiGetItemResponse failed = null;
    for (int i = from; i < to; i++) {
      if (items[i].isFailed()) {
        failed = failed == null ? items[i] : failed;
      } else if (items[i].getResponse().isExists()) {
        return items[i];
      }
    }
    return failed == null ? items[from] : failed;
  }
}
