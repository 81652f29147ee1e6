package io.millrace.guard.inbound;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.guard.inbound.ByteBudget.Flow;
import io.millrace.guard.inbound.ByteBudget.Ticket;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ByteBudgetTest {
  private long now;
  private final ByteBudget budget = new ByteBudget(100, () -> now);
  private final List<String> granted = new ArrayList<>();

  private Ticket ask(Flow flow, long bytes, String name) {
    return budget.ask(flow, bytes, () -> granted.add(name));
  }

  @Test
  void grantsWhatFitsAndLetsTheRestWaitInOrder() {
    Ticket first = ask(new Flow(), 60, "first");
    assertTrue(first.granted());
    Ticket second = ask(new Flow(), 60, "second");
    Ticket third = ask(new Flow(), 10, "third");
    assertFalse(second.granted());
    assertFalse(third.granted(), "a small one must not pass the first in line for ever");
    assertEquals(2, budget.waiting());
    first.close();
    assertEquals(List.of("second", "third"), granted);
    assertEquals(70, budget.used());
    second.close();
    third.close();
    assertEquals(0, budget.used());
    assertEquals(100, budget.limit());
    assertEquals(70, budget.peak());
  }

  @Test
  void tellsHowLongTheOldestHasWaited() {
    now = 100;
    Ticket held = ask(new Flow(), 100, "held");
    now = 200;
    assertEquals(0, budget.longestWaitNanos(), "who holds bytes does not wait");
    Ticket second = ask(new Flow(), 50, "second");
    now = 300;
    Ticket third = ask(new Flow(), 50, "third");
    now = 450;
    assertEquals(250, budget.longestWaitNanos());
    second.close();
    assertEquals(150, budget.longestWaitNanos());
    held.close();
    assertEquals(0, budget.longestWaitNanos());
    third.close();
  }

  @Test
  void oneLargerThanAllIsGrantedAlone() {
    Ticket huge = ask(new Flow(), 1000, "huge");
    assertTrue(huge.granted());
    Ticket next = ask(new Flow(), 1, "next");
    assertFalse(next.granted());
    huge.close();
    assertTrue(next.granted());
    next.close();
    assertEquals(0, budget.used());
  }

  @Test
  void connectionsThatWaitGetEqualBytes() {
    Ticket blocker = ask(new Flow(), 100, "blocker");
    Flow greedy = new Flow();
    Flow modest = new Flow();
    for (int i = 0; i < 4; i++) {
      ask(greedy, 40, "greedy");
    }
    ask(modest, 5, "modest");
    ask(modest, 5, "modest");
    blocker.close();
    assertEquals(
        List.of("greedy", "modest", "modest", "greedy"),
        granted,
        "who has asked for little goes before who has had much");
  }

  @Test
  void whatGrowsGoesToTheHeadOfTheLine() {
    Ticket blocker = ask(new Flow(), 120, "blocker");
    ask(new Flow(), 100, "new");
    budget.grow(null, 50, () -> granted.add("grown"));
    blocker.close();
    assertEquals(List.of("grown"), granted);
  }

  /** A queue of writes that two bodies keep busy. */
  private final class Queue implements Pace {
    private int length;
    private final List<Runnable> looks = new ArrayList<>();

    @Override
    public void later(Runnable look) {
      looks.add(look);
    }

    @Override
    public int most() {
      return 2;
    }

    @Override
    public int queued() {
      return length;
    }
  }

  @Test
  void aLongQueueKeepsTheRestInLine() {
    Queue queue = new Queue();
    queue.length = 2;
    budget.pace(queue);
    Ticket first = ask(new Flow(), 1, "first");
    Ticket second = ask(new Flow(), 1, "second");
    assertTrue(first.granted() && second.granted(), "so many in any case");
    Flow much = new Flow();
    ask(much, 40, "much");
    ask(much, 40, "more");
    ask(new Flow(), 1, "modest");
    assertEquals(List.of(), granted);
    assertEquals(1, budget.paced(), "the others wait for those before them");
    first.close();
    assertEquals(List.of("much"), granted, "one for one");
    second.close();
    assertEquals(List.of("much", "modest"), granted, "shares are kept while all wait here");
  }

  @Test
  void aShortQueueLetsTwoGoForOne() {
    Queue queue = new Queue();
    queue.length = 2;
    budget.pace(queue);
    Ticket first = ask(new Flow(), 1, "first");
    ask(new Flow(), 1, "second");
    for (int i = 0; i < 5; i++) {
      ask(new Flow(), 1, "next " + i);
    }
    queue.length = 1;
    first.close();
    assertEquals(List.of("next 0", "next 1", "next 2"), granted, "in its place, and two beyond");
    budget.pace(Pace.NONE);
    assertEquals(5, granted.size());
    assertEquals(6, budget.used());
  }

  @Test
  void whatGrowsDoesNotWaitForTheQueue() {
    Queue queue = new Queue();
    queue.length = 9;
    budget.pace(queue);
    ask(new Flow(), 1, "first");
    ask(new Flow(), 1, "second");
    assertTrue(budget.grow(null, 50, () -> {}).granted(), "a part of it is in memory");
    assertTrue(budget.grow(null, 60, () -> {}).granted(), "one may exceed the limit");
    assertFalse(budget.grow(null, 60, () -> {}).granted(), "bytes are bytes");
  }

  @Test
  void whoAsksLooksAtTheQueueForTheFirstInLine() {
    Queue queue = new Queue();
    queue.length = 2;
    budget.pace(queue);
    ask(new Flow(), 1, "long");
    ask(new Flow(), 1, "longer");
    ask(new Flow(), 1, "first");
    ask(new Flow(), 1, "second");
    queue.length = 0;
    Ticket third = ask(new Flow(), 1, "third");
    assertEquals(List.of("first"), granted, "those two are at work for long, and tell nobody");
    assertFalse(third.granted(), "one for one");
    ask(new Flow(), 1, "fourth");
    assertEquals(List.of("first", "second"), granted);
  }

  @Test
  void aLineThatOnlyTheQueueHoldsBackIsLookedAtAgain() {
    Queue queue = new Queue();
    queue.length = 2;
    budget.pace(queue);
    Ticket first = ask(new Flow(), 1, "long");
    ask(new Flow(), 1, "longer");
    assertEquals(0, queue.looks.size(), "nobody waits");
    for (int i = 0; i < 3; i++) {
      ask(new Flow(), 1, "next " + i);
    }
    assertEquals(1, queue.looks.size(), "one look for all");
    assertTrue(budget.heldBack());
    queue.looks.removeFirst().run();
    assertEquals(List.of(), granted, "still long");
    assertEquals(1, queue.looks.size());
    queue.length = 0;
    queue.looks.removeFirst().run();
    assertEquals(List.of("next 0", "next 1"), granted);
    first.close();
    assertEquals(3, granted.size());
    assertFalse(budget.heldBack());
    queue.looks.removeFirst().run();
    assertEquals(0, queue.looks.size(), "the line is empty: no timer");
  }

  @Test
  void aLineThatWaitsForBytesHasNoTimer() {
    Queue queue = new Queue();
    budget.pace(queue);
    Ticket held = ask(new Flow(), 100, "held");
    ask(new Flow(), 100, "next");
    assertEquals(0, queue.looks.size(), "bytes that come back are told");
    assertFalse(budget.heldBack());
    held.close();
    assertEquals(List.of("next"), granted);
  }

  @Test
  void bodiesThatGrowDoNotWaitForEachOther() {
    List<Ticket> first = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      first.add(ask(new Flow(), 20, "first " + i));
    }
    Ticket waits = ask(new Flow(), 20, "new");
    List<Ticket> more = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      String name = "more " + i;
      more.add(budget.grow(first.get(i), 20, () -> granted.add(name)));
    }
    assertTrue(more.getFirst().granted(), "one may exceed the limit");
    Ticket rest = budget.grow(first.getFirst(), 50, () -> {});
    assertTrue(rest.granted(), "until it is whole");
    assertEquals(4, budget.waiting() - 1);
    assertEquals(170, budget.used());
    rest.close();
    assertEquals(List.of(), granted, "still beyond");
    more.getFirst().close();
    assertEquals(List.of("more 1"), granted, "the next one goes beyond");
    first.getFirst().close();
    assertEquals(List.of("more 1", "more 2"), granted);
    for (int i = 1; i < 5; i++) {
      assertTrue(more.get(i).granted(), "nobody is refused");
      more.get(i).close();
      first.get(i).close();
    }
    assertTrue(waits.granted());
    waits.close();
    assertEquals(0, budget.used());
    assertEquals(170, budget.peak(), "budget plus one body");
  }

  @Test
  void whatGrowsWaitsWhileAnotherExceedsTheLimit() {
    Ticket alone = ask(new Flow(), 1000, "alone");
    Ticket grows = budget.grow(null, 10, () -> granted.add("grows"));
    assertFalse(grows.granted(), "one body beyond the limit is enough");
    alone.close();
    assertEquals(List.of("grows"), granted);
    grows.close();
  }

  @Test
  void aLowerLimitDoesNotStopWhatGrows() {
    Ticket first = ask(new Flow(), 40, "first");
    Ticket second = ask(new Flow(), 40, "second");
    budget.limit(10);
    Ticket more = budget.grow(first, 10, () -> {});
    assertTrue(more.granted());
    Ticket after = budget.grow(second, 10, () -> granted.add("after"));
    assertFalse(after.granted());
    more.close();
    first.close();
    assertEquals(List.of("after"), granted);
    after.close();
    second.close();
  }

  @Test
  void bytesGivenBackEarlyLeaveTheHolder() {
    Queue queue = new Queue();
    queue.length = 2;
    budget.pace(queue);
    Ticket moved = ask(new Flow(), 60, "moved");
    ask(new Flow(), 40, "other");
    Ticket next = ask(new Flow(), 50, "next");
    moved.empty();
    assertEquals(40, budget.used());
    assertFalse(next.granted(), "two are at work, the queue is long");
    moved.close();
    moved.close();
    assertTrue(next.granted());
    assertEquals(90, budget.used());
  }

  /** Ten clients want a body each, over and over, and ask again after the time of five bodies. */
  @Test
  void whoGotNothingIsNotChargedForIt() {
    List<Flow> flows = new ArrayList<>();
    List<Ticket> tickets = new ArrayList<>();
    int[] since = new int[10];
    Ticket blocker = ask(new Flow(), 100, "blocker");
    for (int i = 0; i < 10; i++) {
      flows.add(new Flow());
      tickets.add(ask(flows.get(i), 60, "" + i));
    }
    blocker.close();
    for (int served = 1; served <= 40; served++) {
      int done = Integer.parseInt(granted.getLast());
      tickets.get(done).close();
      for (int i = 0; i < 10; i++) {
        boolean refused = !tickets.get(i).granted() && served - since[i] >= 5;
        if (i == done || refused) {
          tickets.get(i).close();
          tickets.set(i, ask(flows.get(i), 60, "" + i));
          since[i] = served;
        }
      }
    }
    for (int i = 0; i < 10; i++) {
      String client = "" + i;
      assertEquals(4, granted.subList(0, 40).stream().filter(client::equals).count(), client);
    }
  }

  @Test
  void whatAConnectionTookBackLeavesItsOrder() {
    Ticket blocker = ask(new Flow(), 100, "blocker");
    Flow flow = new Flow();
    Ticket first = ask(flow, 10, "first");
    Ticket second = ask(flow, 10, "second");
    ask(flow, 10, "third");
    first.close();
    second.close();
    ask(flow, 10, "fourth");
    blocker.close();
    assertEquals(List.of("third", "fourth"), granted);
  }

  @Test
  void leavingTheLineLetsTheNextGo() {
    Ticket blocker = ask(new Flow(), 60, "blocker");
    Ticket large = ask(new Flow(), 90, "large");
    ask(new Flow(), 40, "small");
    large.close();
    large.close();
    assertEquals(List.of("small"), granted);
    blocker.close();
    assertEquals(40, budget.used());
    assertEquals(0, budget.waiting());
  }

  @Test
  void aHigherLimitLetsThemGo() {
    ask(new Flow(), 100, "blocker");
    ask(new Flow(), 100, "next");
    budget.limit(200);
    assertEquals(List.of("next"), granted);
  }

  @Test
  void tellsWhenToComeBack() {
    assertEquals(5, budget.secondsToDrain(), "nothing measured yet");
    for (int second = 0; second < 20; second++) {
      Ticket ticket = ask(new Flow(), 10, "x");
      now += 1_000_000_000L;
      ticket.close();
    }
    assertEquals(10, budget.drainRate(), 0.5);
    ask(new Flow(), 80, "a");
    ask(new Flow(), 40, "b");
    assertEquals(12, budget.secondsToDrain(), 1);
    ask(new Flow(), 4000, "c");
    assertEquals(30, budget.secondsToDrain());
  }

  @Test
  void everythingComesBackFromManyThreads() throws InterruptedException {
    int threads = 4;
    CountDownLatch done = new CountDownLatch(threads);
    for (int i = 0; i < threads; i++) {
      Random random = new Random(i);
      new Thread(
              () -> {
                Flow flow = new Flow();
                for (int n = 0; n < 5000; n++) {
                  BlockingQueue<Boolean> told = new ArrayBlockingQueue<>(1);
                  int bytes = 1 + random.nextInt(120);
                  Runnable tell = () -> told.add(true);
                  Ticket ticket =
                      random.nextBoolean()
                          ? budget.grow(null, bytes, tell)
                          : budget.ask(flow, bytes, tell);
                  if (!ticket.granted() && random.nextInt(3) > 0) {
                    try {
                      told.poll(5, TimeUnit.SECONDS);
                    } catch (InterruptedException e) {
                      Thread.currentThread().interrupt();
                    }
                  }
                  ticket.close();
                }
                done.countDown();
              })
          .start();
    }
    assertTrue(done.await(300, TimeUnit.SECONDS));
    assertEquals(0, budget.used());
    assertEquals(0, budget.waiting());
    assertTrue(budget.peak() <= 220, "budget plus one: " + budget.peak());
  }
}
