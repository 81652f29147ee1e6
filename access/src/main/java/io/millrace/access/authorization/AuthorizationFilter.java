package io.millrace.access.authorization;

import io.millrace.access.audit.AuditLog;
import io.millrace.access.identity.Identity;
import io.millrace.access.store.AccessStore;
import io.millrace.access.store.ClusterPrivilege;
import io.millrace.access.store.IndexPrivilege;
import io.millrace.access.store.Permissions;
import io.millrace.kernel.NodeServices;
import io.millrace.kernel.slot.ActionOrder;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.opensearch.OpenSearchSecurityException;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.bulk.BulkShardRequest;
import org.opensearch.action.bulk.BulkShardResponse;
import org.opensearch.action.search.ClearScrollRequest;
import org.opensearch.action.search.CreatePitResponse;
import org.opensearch.action.search.DeletePitRequest;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.search.SearchResponse;
import org.opensearch.action.search.SearchScrollRequest;
import org.opensearch.action.support.ActionFilter;
import org.opensearch.action.support.ActionFilterChain;
import org.opensearch.action.support.ActionRequestMetadata;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.tasks.Task;

/**
 * Asks before every transport action whether whoever sent it may.
 *
 * <p>It is the first filter, so that nothing is said of a request to somebody who may not send it.
 * A request without an identity is the node's own. What an action does inside runs under the same
 * identity and is asked again, action by action: that is how the parts of a bulk, a reindex or a
 * terms lookup are checked. What OpenSearch does under a context of its own (cluster state tasks,
 * the index of task results) is not.
 */
public final class AuthorizationFilter implements ActionFilter {
  private final BooleanSupplier on;
  private final AccessStore store;
  private final AuditLog audit;
  private final Needs needs = new Needs();
  private final IndexCheck indices = new IndexCheck(needs);
  private final LongAdder refused = new LongAdder();
  private @Nullable NodeServices services;
  private @Nullable SignedIds ids;
  private @Nullable OwnTasks tasks;

  /**
   * @param on whether the node asks at all
   */
  public AuthorizationFilter(BooleanSupplier on, AccessStore store, AuditLog audit) {
    this.on = on;
    this.store = store;
    this.audit = audit;
  }

  /** Hands over what the node has built; before the first request. */
  public void start(NodeServices services) {
    this.ids = new SignedIds(store, services::namedWriteableRegistry);
    this.tasks = new OwnTasks(services.client());
    this.services = services;
  }

  /** Requests that were refused. */
  public long refused() {
    return refused.sum();
  }

  @Override
  public int order() {
    return ActionOrder.AUTHORIZE.order();
  }

  @Override
  public <Request extends ActionRequest, Response extends ActionResponse> void apply(
      Task task,
      String action,
      Request request,
      ActionRequestMetadata<Request, Response> metadata,
      ActionListener<Response> listener,
      ActionFilterChain<Request, Response> chain) {
    NodeServices node = services;
    Identity who =
        on.getAsBoolean() && node != null
            ? Identity.of(node.threadPool().getThreadContext())
            : null;
    if (node == null || who == null) {
      chain.proceed(task, action, request, listener);
      return;
    }
    Permissions permissions = store.permissions(who);
    if (permissions == null) {
      listener.onFailure(
          new OpenSearchSecurityException(
              "the user or key is not there any more", RestStatus.UNAUTHORIZED));
      return;
    }
    if (permissions.superuser()) {
      chain.proceed(task, action, request, listener);
      return;
    }
    try {
      check(
          new Question<>(task, action, request, metadata, listener, chain, who, permissions), node);
    } catch (Exception e) {
      if (e instanceof OpenSearchSecurityException) {
        count(who, action, String.valueOf(e.getMessage()));
      }
      listener.onFailure(e);
    }
  }

  /** A request that somebody known has sent. */
  private record Question<Q extends ActionRequest, A extends ActionResponse>(
      Task task,
      String action,
      Q request,
      ActionRequestMetadata<Q, A> metadata,
      ActionListener<A> listener,
      ActionFilterChain<Q, A> chain,
      Identity who,
      Permissions permissions) {
    void goOn() {
      chain.proceed(task, action, request, listener);
    }

    void goOn(ActionListener<A> other) {
      chain.proceed(task, action, request, other);
    }
  }

  private <Q extends ActionRequest, A extends ActionResponse> void check(
      Question<Q, A> question, NodeServices node) {
    Need need = needs.of(question.action());
    switch (need.kind()) {
      case ANYBODY, PARTS -> question.goOn();
      case INDICES -> indices(question, node, need);
      case SHARD_BULK -> bulk(question, node);
      case SCROLL -> {
        SearchScrollRequest scroll = (SearchScrollRequest) question.request();
        scroll.scrollId(ids().openScroll(question.who(), scroll.scrollId()));
        question.goOn(signing(question));
      }
      case CLEAR_SCROLL -> {
        ClearScrollRequest clear = (ClearScrollRequest) question.request();
        clear.setScrollIds(
            clear.getScrollIds().stream().map(id -> ids().openScroll(question.who(), id)).toList());
        question.goOn();
      }
      case DELETE_POINTS -> {
        DeletePitRequest delete = (DeletePitRequest) question.request();
        delete.getPitIds().forEach(id -> ids().checkPoint(question.who(), id));
        question.goOn();
      }
      case LIST_TASKS ->
          question.goOn(
              question.permissions().cluster(ClusterPrivilege.MONITOR)
                  ? question.listener()
                  : OwnTasks.onlyOwn(question.who(), question.listener()));
      case GET_TASK ->
          question.goOn(
              question.permissions().cluster(ClusterPrivilege.MONITOR)
                  ? question.listener()
                  : OwnTasks.ifOwn(question.who(), question.listener()));
      case CANCEL_TASK -> {
        if (question.permissions().cluster(ClusterPrivilege.MANAGE)) {
          question.goOn();
        } else {
          Objects.requireNonNull(tasks)
              .cancel(question.request(), question.listener(), question::goOn);
        }
      }
      case CLUSTER -> {
        ClusterPrivilege needed = Objects.requireNonNull(need.cluster());
        if (!question.permissions().cluster(needed)) {
          throw refusal(question, "cluster privilege [" + needed.text() + "]");
        }
        question.goOn();
      }
      case SUPERUSER, UNKNOWN -> throw refusal(question, "role [superuser]");
    }
  }

  private <Q extends ActionRequest, A extends ActionResponse> void indices(
      Question<Q, A> question, NodeServices node, Need need) {
    if (question.request() instanceof SearchRequest search && search.pointInTimeBuilder() != null) {
      ids().checkPoint(question.who(), search.pointInTimeBuilder().getId());
    }
    String denied =
        indices.refused(
            question.permissions(),
            node.clusterService().state().metadata(),
            question.request(),
            question.metadata(),
            need.bits());
    if (denied != null) {
      throw refusal(question, privileges(need.bits()) + " on [" + denied + "]");
    }
    question.goOn(signing(question));
  }

  private static String privileges(int bits) {
    for (IndexPrivilege each : IndexPrivilege.values()) {
      if ((each.bits() & bits) == bits) {
        return "privilege [" + each.text() + "]";
      }
    }
    return "privilege [all]";
  }

  private <Q extends ActionRequest, A extends ActionResponse> void bulk(
      Question<Q, A> question, NodeServices node) {
    BulkShardRequest request = (BulkShardRequest) question.request();
    var metadata = node.clusterService().state().metadata();
    String index = request.index();
    if (question.permissions().may(metadata, index, IndexPrivilege.Bits.WRITE)) {
      question.goOn();
      return;
    }
    if (!question.permissions().may(metadata, index, IndexPrivilege.Bits.APPEND)) {
      throw refusal(question, "privilege [append] or [write] on [" + index + "]");
    }
    ShardBulk parts =
        new ShardBulk(
            request,
            operation ->
                refusal(
                    question,
                    "privilege [write] on ["
                        + index
                        + "] for ["
                        + operation
                        + "] with an id of its own; with [append], send [create] or no id"));
    if (parts.nothingRefused()) {
      question.goOn();
      return;
    }
    BulkShardRequest rest = parts.rest();
    if (rest == null) {
      question.listener().onResponse(as(parts.answer(null)));
    } else {
      question
          .chain()
          .proceed(
              question.task(),
              question.action(),
              as(rest),
              ActionListener.map(
                  question.listener(), answer -> as(parts.answer((BulkShardResponse) answer))));
    }
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // the action's own classes
  private static <T> T as(Object object) {
    return (T) object;
  }

  /** Ids in the answer become this user's. */
  private <Q extends ActionRequest, A extends ActionResponse> ActionListener<A> signing(
      Question<Q, A> question) {
    return ActionListener.map(
        question.listener(),
        answer -> {
          if (answer instanceof SearchResponse response && response.getScrollId() != null) {
            return as(signed(question.who(), response));
          }
          if (answer instanceof CreatePitResponse created) {
            return as(
                new CreatePitResponse(
                    ids().signPoint(question.who(), created.getId()),
                    created.getCreationTime(),
                    created.getTotalShards(),
                    created.getSuccessfulShards(),
                    created.getSkippedShards(),
                    created.getFailedShards(),
                    created.getShardFailures()));
          }
          return answer;
        });
  }

  private SearchResponse signed(Identity who, SearchResponse response) {
    return new SearchResponse(
        response.getInternalResponse(),
        ids().signScroll(who, response.getScrollId()),
        response.getTotalShards(),
        response.getSuccessfulShards(),
        response.getSkippedShards(),
        response.getTook().millis(),
        response.getPhaseTook(),
        response.getShardFailures(),
        response.getClusters(),
        null);
  }

  private SignedIds ids() {
    return Objects.requireNonNull(ids);
  }

  private OpenSearchSecurityException refusal(Question<?, ?> question, String needed) {
    List<String> roles = store.roles(question.who());
    return new OpenSearchSecurityException(
        "["
            + question.who().name()
            + "] with roles "
            + roles
            + " may not ["
            + question.action()
            + "]: it needs "
            + needed,
        RestStatus.FORBIDDEN);
  }

  private void count(Identity who, String action, String reason) {
    refused.increment();
    audit.write("refused", who.text(), action, null, reason);
  }
}
