package io.millrace.write.primarykeyfilter;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.write.primarykeyfilter.ShardIds.Published;
import io.millrace.write.primarykeyfilter.ShardIds.Readiness;
import io.millrace.write.primarykeyfilter.ShardIds.Verdict;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.common.breaker.NoopCircuitBreaker;

class ShardIdsTest {
  private final Readiness readiness = new Readiness();

  private Published published(IdFilter filter) {
    FilterMemory memory = new FilterMemory(() -> Long.MAX_VALUE);
    return new Published(
        filter, memory.new Share(new NoopCircuitBreaker(CircuitBreaker.FIELDDATA)), readiness);
  }

  private static long hash(Published published, int number) {
    return published.filter().hash(new BytesRef("id-" + number));
  }

  @Test
  void provesNothingBeforeItIsComplete() {
    Published published = published(new IdFilter(0, 5, bytes -> true));
    assertEquals(Verdict.UNPROVEN, published.add(hash(published, 1)));
    readiness.complete = true;
    assertEquals(Verdict.PERHAPS_KNOWN, published.add(hash(published, 1)));
    assertEquals(Verdict.NEW, published.add(hash(published, 2)));
  }

  /** The ids of the segments come in, and the filter is complete, while an id is being added. */
  @Test
  void provesNothingOfAnIdThatWasAddedBeforeItWasComplete() {
    int[] reserved = {0};
    Published published =
        published(
            new IdFilter(
                0,
                5,
                bytes -> {
                  if (reserved[0]++ > 0) {
                    readiness.complete = true;
                  }
                  return true;
                }));
    int number = 0;
    while (!readiness.complete) {
      assertEquals(false, published.add(hash(published, number++)) == Verdict.NEW, "id-" + number);
    }
  }
}
