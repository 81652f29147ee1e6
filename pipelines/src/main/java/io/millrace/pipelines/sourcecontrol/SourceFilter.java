package io.millrace.pipelines.sourcecontrol;

import io.millrace.kernel.slot.ActionOrder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.DocWriteRequest;
import org.opensearch.action.DocWriteResponse;
import org.opensearch.action.bulk.BulkAction;
import org.opensearch.action.bulk.BulkItemResponse;
import org.opensearch.action.bulk.BulkRequest;
import org.opensearch.action.bulk.BulkResponse;
import org.opensearch.action.index.IndexRequest;
import org.opensearch.action.support.ActionFilter;
import org.opensearch.action.support.ActionFilterChain;
import org.opensearch.action.support.ActionRequestMetadata;
import org.opensearch.common.regex.Regex;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.tasks.Task;

/**
 * Counts the documents of every bulk that this node coordinates, and refuses those that are over
 * their budget. A refused document is answered as such: it is never acknowledged and then missing.
 */
final class SourceFilter implements ActionFilter {
  private final SourceControlFeature feature;

  SourceFilter(SourceControlFeature feature) {
    this.feature = feature;
  }

  @Override
  public int order() {
    return ActionOrder.VALIDATE.order();
  }

  @Override
  public <Request extends ActionRequest, Response extends ActionResponse> void apply(
      Task task,
      String action,
      Request request,
      ActionRequestMetadata<Request, Response> metadata,
      ActionListener<Response> listener,
      ActionFilterChain<Request, Response> chain) {
    if (!(request instanceof BulkRequest bulk)
        || !action.equals(BulkAction.NAME)
        || !feature.enabled().on()) {
      chain.proceed(task, action, request, listener);
      return;
    }
    @Nullable Budget[] over = new Look(bulk, feature.sender()).budgets();
    if (over == null) {
      chain.proceed(task, action, request, listener);
      return;
    }
    BulkRequest rest = rest(bulk, over);
    @SuppressWarnings("unchecked") // the action of this name has these types
    ActionListener<BulkResponse> answer = (ActionListener<BulkResponse>) listener;
    if (rest.numberOfActions() == 0) {
      answer.onResponse(
          merged(
              bulk,
              over,
              new BulkResponse(new BulkItemResponse[0], 0, BulkResponse.NO_INGEST_TOOK)));
      return;
    }
    @SuppressWarnings("unchecked")
    Request smaller = (Request) rest;
    @SuppressWarnings("unchecked")
    ActionListener<Response> after =
        (ActionListener<Response>)
            ActionListener.wrap(
                (BulkResponse response) -> answer.onResponse(merged(bulk, over, response)),
                answer::onFailure);
    chain.proceed(task, action, smaller, after);
  }

  /** The same bulk without what is refused; the sender's own stays as it was. */
  private static BulkRequest rest(BulkRequest bulk, @Nullable Budget[] over) {
    BulkRequest rest = new BulkRequest();
    rest.timeout(bulk.timeout());
    rest.waitForActiveShards(bulk.waitForActiveShards());
    rest.setRefreshPolicy(bulk.getRefreshPolicy());
    rest.setParentTask(bulk.getParentTask());
    List<DocWriteRequest<?>> requests = bulk.requests();
    for (int i = 0; i < over.length; i++) {
      if (over[i] == null) {
        rest.add(requests.get(i));
      }
    }
    return rest;
  }

  private static BulkResponse merged(
      BulkRequest bulk, @Nullable Budget[] over, BulkResponse response) {
    BulkItemResponse[] items = new BulkItemResponse[over.length];
    int next = 0;
    for (int i = 0; i < over.length; i++) {
      Budget budget = over[i];
      if (budget == null) {
        BulkItemResponse item = response.getItems()[next++];
        items[i] =
            item.isFailed()
                ? new BulkItemResponse(i, item.getOpType(), item.getFailure())
                : new BulkItemResponse(i, item.getOpType(), item.<DocWriteResponse>getResponse());
      } else {
        DocWriteRequest<?> refused = bulk.requests().get(i);
        items[i] =
            new BulkItemResponse(
                i,
                refused.opType(),
                new BulkItemResponse.Failure(
                    refused.index(), refused.id(), refusal(budget), RestStatus.FORBIDDEN));
      }
    }
    return new BulkResponse(items, response.getTook().millis(), response.getIngestTookInMillis());
  }

  private static Exception refusal(Budget budget) {
    return new OpenSearchStatusException(
        "not written: the budget [{}] of this node is used up for today; log less, or raise it",
        RestStatus.FORBIDDEN,
        budget.text());
  }

  /** One look at a bulk. */
  private final class Look {
    private final BulkRequest bulk;
    private final String sender;
    private final List<Budget> rules = feature.budgets();
    private final int oneOf = feature.readOneOf();
    private final long large = feature.oversized();
    private final SourceTally all = new SourceTally();
    private final Map<SourceLedger.Source, SourceTally> sources = new HashMap<>();

    Look(BulkRequest bulk, String sender) {
      this.bulk = bulk;
      this.sender = sender;
    }

    /** The budget that each document is over; null when none is over any. */
    private @Nullable Budget @Nullable [] budgets() {
      List<DocWriteRequest<?>> requests = bulk.requests();
      @Nullable Budget[] over = null;
      for (int i = 0; i < requests.size(); i++) {
        if (requests.get(i) instanceof IndexRequest document
            && document.source() != null
            && document.index() != null
            && !document.index().startsWith(".")) {
          Budget budget = look(document);
          if (budget != null) {
            over = over == null ? new Budget[requests.size()] : over;
            over[i] = budget;
          }
        }
      }
      feature.counted(all);
      feature.ledger().add(all, sources);
      return over;
    }

    private @Nullable Budget look(IndexRequest document) {
      long size = document.source().length();
      boolean tooLarge = size >= large;
      boolean bounded = false;
      for (int i = 0; i < rules.size() && !bounded; i++) {
        bounded = Regex.simpleMatch(rules.get(i).index(), document.index());
      }
      // what is large, or has a budget, is read; of the others one of so many, which stands for all
      boolean certain = bounded || tooLarge;
      if (!certain && ThreadLocalRandom.current().nextInt(oneOf) != 0) {
        all.add(size, SeverityStep.NONE, 1, false);
        return null;
      }
      DocumentScan.Found found = feature.scan().scan(document);
      SourceLedger.Source from = new SourceLedger.Source(document.index(), found.service(), sender);
      SourceTally source = sources.computeIfAbsent(from, ignored -> new SourceTally());
      Budget refusing = bounded ? refusing(from, found.level(), size) : null;
      if (refusing != null) {
        all.drop(found.level());
        source.drop(found.level());
        return refusing;
      }
      all.add(size, found.level(), 1, tooLarge);
      source.add(size, found.level(), certain ? 1 : oneOf, tooLarge);
      return null;
    }

    private @Nullable Budget refusing(SourceLedger.Source from, SeverityStep level, long size) {
      for (Budget budget : rules) {
        if (budget.of(from)) {
          boolean admitted =
              budget.admits(feature.ledger().spent(budget), level, ThreadLocalRandom.current());
          feature.ledger().spend(budget, size, !admitted);
          return admitted ? null : budget;
        }
      }
      return null;
    }
  }
}
