package io.millrace.guard.bodies;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.guard.heap.HeapView;
import org.junit.jupiter.api.Test;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.common.lease.Releasable;
import org.opensearch.core.common.breaker.CircuitBreakingException;
import org.opensearch.core.rest.RestStatus;

class ParsedBodiesTest {
  private long outlived;
  private final ParsedBodies bodies =
      new ParsedBodies(
          new ParsedBodies.Limits(() -> 1_000, "the.limit", () -> 7_500, "the.shed"),
          new HeapView() {
            @Override
            public long bytes() {
              return outlived;
            }

            @Override
            public long max() {
              return 10_000;
            }

            @Override
            public long collectingMillis() {
              return 0;
            }
          });

  @Test
  void oneBodyThatIsTooLargeIsTooLargeAtAnyTime() {
    OpenSearchStatusException refusal =
        assertThrows(OpenSearchStatusException.class, () -> bodies.take("a body", 30, 1_001));
    assertEquals(RestStatus.REQUEST_ENTITY_TOO_LARGE, refusal.status());
    assertTrue(refusal.getMessage().contains("a body of [30b]"), refusal.getMessage());
    assertTrue(refusal.getMessage().contains("1001b (10.0 % of the heap)"), refusal.getMessage());
    assertTrue(refusal.getMessage().contains("[the.limit]"), refusal.getMessage());
    assertEquals(0, bodies.held());
    assertEquals(1, bodies.refused());
  }

  @Test
  void allTogetherTakeTwiceTheLimit() {
    Releasable first = bodies.take("a body", 30, 1_000);
    try (Releasable second = bodies.take("a body", 30, 900)) {
      CircuitBreakingException refusal =
          assertThrows(CircuitBreakingException.class, () -> bodies.take("a body", 30, 200));
      assertEquals(RestStatus.TOO_MANY_REQUESTS, refusal.status());
      assertTrue(refusal.getMessage().contains("try again later"), refusal.getMessage());
      assertEquals(1_900, bodies.held());
    }
    assertEquals(1_000, bodies.held());
    first.close();
    first.close();
    assertEquals(0, bodies.held());
  }

  @Test
  void aFullHeapTakesSmallOnesOnly() {
    outlived = 7_501;
    CircuitBreakingException refusal =
        assertThrows(CircuitBreakingException.class, () -> bodies.take("a body", 30, 101));
    assertTrue(refusal.getMessage().contains("[the.shed]"), refusal.getMessage());
    bodies.take("a body", 30, 100).close();
    outlived = 7_500;
    bodies.take("a body", 30, 101).close();
    assertEquals(0, bodies.held());
  }
}
