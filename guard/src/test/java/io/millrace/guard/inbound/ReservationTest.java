package io.millrace.guard.inbound;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.guard.inbound.ByteBudget.Flow;
import io.millrace.guard.inbound.ByteBudget.Ticket;
import io.millrace.guard.inbound.Reservation.Flows;
import io.millrace.kernel.Feature;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReservationTest {
  private static final long KB = 1 << 10;
  private static final long MB = 1 << 20;

  private final InboundBudget budget =
      new InboundBudget(Feature.switchFor("guard.inbound-budget", true));

  @BeforeEach
  void limits() {
    // a heap of 512 MB
    budget.small().limit(36 * MB);
    budget.large().limit(77 * MB);
  }

  /** A client that sends a body without a length, 64 KB whenever it is read. */
  private final class Sender {
    private final Reservation reservation = new Reservation(budget, new Flows(), false);
    private final long body;
    private long came;

    private Sender(long body) {
      this.body = body;
    }

    /** Whether there was room for its next 64 KB. */
    private boolean sends() {
      boolean room = reservation.reserve(came + 64 * KB, () -> {});
      came += room ? 64 * KB : 0;
      return room;
    }
  }

  /** Lets all of them send in turns, this many at once, until none can. */
  private static int serve(List<Sender> senders) {
    Queue<Sender> left = new ArrayDeque<>(senders);
    int stuck = 0;
    while (stuck < left.size()) {
      Sender sender = left.remove();
      if (!sender.sends()) {
        stuck++;
        left.add(sender);
      } else {
        stuck = 0;
        if (sender.came < sender.body) {
          left.add(sender);
        } else {
          sender.reservation.close();
        }
      }
    }
    return senders.size() - left.size();
  }

  private List<Sender> senders(int count, long body) {
    List<Sender> senders = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      senders.add(new Sender(body));
    }
    return senders;
  }

  private void nothingIsLeft() {
    for (ByteBudget each : List.of(budget.small(), budget.large())) {
      assertEquals(0, each.used());
      assertEquals(0, each.waiting());
    }
  }

  @Test
  void writersOfCompressedBulksAreServedOneAfterAnother() {
    assertEquals(40, serve(senders(40, 4 * MB)));
    assertTrue(budget.small().peak() <= (36 + 4 + 1) * MB, "peak " + budget.small().peak());
    nothingIsLeft();
  }

  @Test
  void largeBodiesAreServedOneAfterAnother() {
    assertEquals(20, serve(senders(20, 60 * MB)));
    assertTrue(budget.small().peak() <= (36 + 8 + 1) * MB, "peak " + budget.small().peak());
    assertTrue(budget.large().peak() <= (77 + 60 + 1) * MB, "peak " + budget.large().peak());
    nothingIsLeft();
  }

  @Test
  void whatOutgrowsASmallBodyIsChargedToTheLargeBudgetAlone() {
    List<Sender> uploads = senders(5, Long.MAX_VALUE);
    for (Sender upload : uploads) {
      while (upload.came <= 8 * MB) {
        assertTrue(upload.sends());
      }
      assertEquals(0, budget.small().used());
    }
    assertEquals(5 * 9 * MB, budget.large().used());
    Sender first = uploads.getFirst();
    while (first.came < 20 * MB) {
      assertTrue(first.sends());
    }
    assertEquals(0, budget.small().used());
    assertEquals((20 + 4 * 9) * MB, budget.large().used());
    uploads.forEach(upload -> upload.reservation.close());
    nothingIsLeft();
  }

  @Test
  void whatIsChargedToTheLargeBudgetStillCountsWhereItCameBy() {
    budget
        .small()
        .pace(
            new Pace() {
              @Override
              public int most() {
                return 1;
              }

              @Override
              public int queued() {
                return 9;
              }

              @Override
              public void later(Runnable look) {}
            });
    Sender upload = new Sender(Long.MAX_VALUE);
    while (upload.came <= 8 * MB) {
      assertTrue(upload.sends());
    }
    Ticket next = budget.small().ask(new Flow(), 10 * KB, () -> {});
    assertFalse(next.granted(), "the node is as busy as before");
    upload.reservation.close();
    assertTrue(next.granted());
    next.close();
    nothingIsLeft();
  }

  @Test
  void whatOutgrewTheSmallBudgetMakesWayForSmallBodies() {
    Ticket alone = budget.large().ask(new Flow(), 100 * MB, () -> {});
    List<Sender> uploads = senders(4, Long.MAX_VALUE);
    for (Sender upload : uploads) {
      while (upload.sends()) {}
    }
    assertEquals(4 * 8 * MB, budget.small().used());
    Sender last = uploads.getLast();
    assertFalse(last.reservation.inTheWay(), "nobody waits");
    Ticket fits = budget.small().ask(new Flow(), 4 * MB, () -> {});
    assertFalse(last.reservation.inTheWay(), "nobody waits");
    Ticket bulk = budget.small().ask(new Flow(), 4 * MB, () -> {});
    assertTrue(last.reservation.inTheWay());
    last.reservation.close();
    assertTrue(bulk.granted());
    Ticket more = budget.small().ask(new Flow(), 5 * MB, () -> {});
    assertFalse(more.granted());
    assertTrue(uploads.getFirst().reservation.inTheWay(), "24 MB of 36");
    uploads.get(2).reservation.close();
    assertTrue(more.granted());
    Ticket rest = budget.small().ask(new Flow(), 8 * MB, () -> {});
    assertFalse(rest.granted());
    assertFalse(uploads.getFirst().reservation.inTheWay(), "half of it may be theirs");
    uploads.getFirst().reservation.close();
    uploads.get(1).reservation.close();
    for (Ticket ticket : List.of(alone, fits, bulk, more, rest)) {
      ticket.close();
    }
    nothingIsLeft();
  }

  @Test
  void whoWaitsForTheLargeBudgetGivesEverythingBackOnce() {
    Ticket alone = budget.large().ask(new Flow(), 100 * MB, () -> {});
    Sender upload = new Sender(Long.MAX_VALUE);
    while (upload.sends()) {}
    assertEquals(8 * MB, upload.came);
    assertEquals(8 * MB, upload.reservation.held());
    assertEquals(MB, upload.reservation.wanted());
    assertFalse(upload.reservation.granted());
    alone.close();
    assertTrue(upload.reservation.granted());
    assertEquals(0, upload.reservation.wanted());
    upload.reservation.close();
    upload.reservation.close();
    nothingIsLeft();
  }
}
