package io.millrace.guard.breaker;

import io.millrace.kernel.settings.Switch;
import io.millrace.kernel.slot.ActionOrder;
import io.millrace.kernel.slot.RefusingFilter;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.ActionRequest;
import org.opensearch.action.bulk.BulkRequest;
import org.opensearch.core.common.breaker.CircuitBreaker.Durability;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.core.common.unit.ByteSizeValue;

/**
 * Refuses a bulk that would hold more than its share.
 *
 * <p>A bulk is held as its parsed requests (their sources are slices of the body) and, until the
 * last shard has answered, as what goes to the replicas: twice its size, and half a KiB of objects
 * per item. An assumption on the careful side, not a measurement. Items that cannot be written hold
 * an error each ({@link FailingItems}): 100,000 deletions in an index that was not there ended a
 * node of 512 MB.
 */
final class BulkLimit extends RefusingFilter {
  private static final long PER_ITEM = 512;
  private static final int COPIES = 2;

  private final Switch enabled;
  private final RequestLimits limits;
  private final long heap;
  private final ToIntFunction<BulkRequest> failing;
  final LongAdder refused = new LongAdder();

  /**
   * @param heap the largest heap of the node, bytes
   * @param failing how many items of a bulk are answered with an error before a shard sees them
   */
  BulkLimit(Switch enabled, RequestLimits limits, long heap, ToIntFunction<BulkRequest> failing) {
    super(ActionOrder.LIMIT);
    this.enabled = enabled;
    this.limits = limits;
    this.heap = heap;
    this.failing = failing;
  }

  @Override
  protected @Nullable Exception refusal(String action, ActionRequest request) {
    if (!(request instanceof BulkRequest bulk) || !enabled.on()) {
      return null;
    }
    int items = bulk.numberOfActions();
    long size = bulk.estimatedSizeInBytes();
    long bytes = held(size, items);
    long most = limits.request();
    if (bytes > most) {
      refused.increment();
      return tooLarge(items, size, bytes, "");
    }
    if (bytes + FailingItems.BYTES * items <= most) {
      return null; // as nearly all are: nobody looks at the items
    }
    int errors = failing.applyAsInt(bulk);
    bytes += FailingItems.BYTES * errors;
    if (bytes <= most) {
      return null;
    }
    refused.increment();
    return tooLarge(
        items,
        size,
        bytes,
        ", of which ["
            + errors
            + "] cannot be written, as the index is missing or closed, or the name is none to write"
            + " to, and are answered with an error each,");
  }

  /** What a bulk holds until it is answered, bytes. */
  static long held(long estimatedSize, int items) {
    return COPIES * estimatedSize + PER_ITEM * items;
  }

  private CircuitBreakingException tooLarge(int items, long size, long bytes, String errors) {
    return new CircuitBreakingException(
        "[request] a bulk of ["
            + items
            + "] items and ["
            + new ByteSizeValue(size)
            + "]"
            + errors
            + " holds about "
            + HeapShare.of(bytes, heap)
            + " until it is answered, more than the "
            + HeapShare.of(limits.request(), heap)
            + " one request may hold ["
            + limits.requestKey()
            + "]; send smaller bulks, or raise the limit",
        bytes,
        limits.request(),
        Durability.PERMANENT);
  }
}
