package io.millrace.guard.breaker;

import io.millrace.kernel.settings.Switch;
import io.millrace.kernel.slot.ActionOrder;
import io.millrace.kernel.slot.RefusingFilter;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.admin.indices.validate.query.ValidateQueryAction;
import org.opensearch.action.search.MultiSearchRequest;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.NamedXContentRegistry;

/**
 * Refuses a request that reads, and whose lists have more values than anybody needs.
 *
 * <p>Why: stock bounds the values of {@code terms} and not those of most other lists. An {@code
 * ids} query of 500,000 values made light searches wait for seconds on a node of 512 MB.
 */
final class ListLimit extends RefusingFilter {
  private static final String READS = "indices:data/read/";

  private final Switch enabled;
  private final RequestLimits limits;
  private final Supplier<NamedXContentRegistry> queries;
  final LongAdder refused = new LongAdder();

  /**
   * @param queries that the node can parse
   */
  ListLimit(Switch enabled, RequestLimits limits, Supplier<NamedXContentRegistry> queries) {
    super(ActionOrder.LIMIT);
    this.enabled = enabled;
    this.limits = limits;
    this.queries = queries;
  }

  @Override
  protected @Nullable Exception refusal(String action, ActionRequest request) {
    // the searches of one request with several come here one by one, and so do those of templates,
    // scrolls of updates and deletions
    if (!reads(action) || request instanceof MultiSearchRequest || !enabled.on()) {
      return null;
    }
    Writeable asked = request instanceof SearchRequest search ? search.source() : request;
    long values = asked == null ? 0 : ListedValues.of(asked, queries.get());
    int most = limits.listValues();
    if (values <= most) {
      return null;
    }
    refused.increment();
    return new OpenSearchStatusException(
        "[request] the lists of this request have [{}] values, more than [{}] [{}]; ask in parts,"
            + " search for a field that the documents have in common, name an indexed shape, or"
            + " raise the limit. Values of [terms] queries do not count: [index.max_terms_count]"
            + " bounds them",
        RestStatus.BAD_REQUEST,
        values,
        most,
        limits.listValuesKey());
  }

  /** What comes from a client; the actions of shards have their names in brackets at the end. */
  private static boolean reads(String action) {
    return action.startsWith(READS) && !action.endsWith("]")
        || action.equals(ValidateQueryAction.NAME);
  }
}
