package io.millrace.guard.debt;

import io.millrace.kernel.settings.Switch;
import io.millrace.kernel.slot.ActionOrder;
import io.millrace.kernel.slot.RefusingFilter;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.bulk.BulkRequest;
import org.opensearch.action.search.SearchRequest;
import org.opensearch.action.search.SearchScrollRequest;
import org.opensearch.core.common.breaker.CircuitBreaker.Durability;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.search.builder.SearchSourceBuilder;

/**
 * Refuses heavy requests while the node is in debt: searches with aggregations or more than {@value
 * #MANY_HITS} hits, scrolls, and bulks above {@value #LARGE_BULK} bytes. Everything small goes on.
 */
final class DebtFilter extends RefusingFilter {
  static final int MANY_HITS = 100;
  static final long LARGE_BULK = 100 * 1024;

  private final Switch enabled;
  private final String shedKey;
  private volatile boolean shedding;
  private volatile long debtMillis;
  final LongAdder refused = new LongAdder();

  DebtFilter(Switch enabled, String shedKey) {
    super(ActionOrder.SHED);
    this.enabled = enabled;
    this.shedKey = shedKey;
  }

  void shed(boolean now, long millis) {
    debtMillis = millis;
    shedding = now;
  }

  @Override
  protected @Nullable Exception refusal(String action, ActionRequest request) {
    if (!shedding || !enabled.on() || !heavy(request)) {
      return null;
    }
    refused.increment();
    return new CircuitBreakingException(
        "[gc_debt] the heap is full and the node spent ["
            + debtMillis
            + " ms] collecting in vain (["
            + shedKey
            + "]); it refuses aggregations, large pages, scrolls and large bulks until that is"
            + " over: try again in some seconds, with less at once",
        debtMillis,
        0,
        Durability.TRANSIENT);
  }

  static boolean heavy(ActionRequest request) {
    if (request instanceof BulkRequest bulk) {
      return bulk.estimatedSizeInBytes() > LARGE_BULK;
    }
    if (request instanceof SearchRequest search) {
      SearchSourceBuilder source = search.source();
      return search.scroll() != null
          || (source != null
              && (source.aggregations() != null
                  || Math.max(0, source.from()) + Math.max(0, source.size()) > MANY_HITS));
    }
    return request instanceof SearchScrollRequest;
  }
}
