package io.millrace.guard.lanes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.guard.heap.HeapView;
import io.millrace.guard.lanes.History.Use;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.opensearch.action.search.SearchShardTask;
import org.opensearch.common.settings.Settings;
import org.opensearch.core.concurrency.OpenSearchRejectedExecutionException;
import org.opensearch.core.tasks.TaskCancelledException;
import org.opensearch.core.tasks.TaskId;

class LanesTest {
  private static final long HEAVY = 1;
  private static final long LIGHT = 2;
  private static final long NEW = 3;
  private static final long MEDIUM = 4;
  private static final Use MUCH = new Use(60_000_000_000L, 1);

  private final LaneLimits limits = new LaneLimits();
  private final History history = new History();
  private final AtomicReference<Long> survived = new AtomicReference<>(0L);
  private final Lanes lanes =
      new Lanes(
          limits,
          history,
          new HeapView() {
            @Override
            public long bytes() {
              return survived.get();
            }

            @Override
            public long max() {
              return Long.MAX_VALUE;
            }

            @Override
            public long collectingMillis() {
              return 0;
            }
          },
          work -> elsewhere(work));
  private final List<String> begun = new ArrayList<>();
  private final List<Exception> failures = new ArrayList<>();
  private final List<Integer> listed = new ArrayList<>();
  private final List<Runnable> later = new ArrayList<>();
  private boolean hold;
  private long tasks;

  LanesTest() {
    history.used(HEAVY, MUCH, true);
    history.used(LIGHT, new Use(1, 1), true);
    history.used(MEDIUM, new Use(100_000_000, 1), true);
    lanes.open(true, 2, 32);
  }

  private void elsewhere(Runnable work) {
    if (hold) {
      later.add(work);
    } else {
      work.run();
    }
  }

  private Turn arrive(long shape, String address, String name, long timeout) {
    SearchShardTask task =
        new SearchShardTask(++tasks, "t", "a", "d", TaskId.EMPTY_TASK_ID, Map.of());
    Turn turn =
        new Turn(
            lanes,
            new Turn.Work(
                task,
                new Client(address, name),
                "i",
                "a",
                null,
                timeout,
                () -> begun.add(address + name),
                work -> work,
                this::failed),
            shape,
            true);
    lanes.arrive(turn);
    return turn;
  }

  /** Whoever is told of the failure looks at once what still runs. */
  private void failed(Exception why) {
    failures.add(why);
    listed.add(lanes.turns().size());
  }

  private Turn arrive(long shape, String address) {
    return arrive(shape, address, "", Long.MAX_VALUE);
  }

  @Test
  void aLightOneWaitsForNone() {
    for (int i = 0; i < 50; i++) {
      arrive(HEAVY, "storm");
    }
    assertEquals(2, begun.size());
    assertEquals(48, lanes.waiting());
    arrive(LIGHT, "me");
    assertEquals("me", begun.getLast());
  }

  @Test
  void whatNobodyKnowsIsBounded() {
    List<Turn> turns = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      turns.add(arrive(100 + i, "a"));
    }
    assertEquals(8, begun.size());
    lanes.end(turns.get(0), true);
    assertEquals(9, begun.size());
    lanes.end(turns.get(0), true); // once
    assertEquals(9, begun.size());
  }

  @Test
  void mediumOnesRunAsManyAtOnceAsOnStock() {
    List<Turn> turns = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      turns.add(arrive(MEDIUM, "dashboards"));
    }
    assertEquals(4, begun.size());
    assertEquals(4, lanes.mediumNow());
    arrive(LIGHT, "me");
    arrive(HEAVY, "other");
    assertEquals(List.of("me", "other"), begun.subList(4, 6));
    lanes.end(turns.get(0), true);
    assertEquals(7, begun.size());
  }

  @Test
  void whoWaitsGoesWhereItsShapeTurnsOutToBelong() {
    List<Turn> turns = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      turns.add(arrive(NEW, "a"));
    }
    assertEquals(8, begun.size());
    history.atLeast(NEW, MUCH);
    lanes.tick();
    assertEquals(10, begun.size()); // two of them as heavy ones
    assertEquals(2, lanes.heavyNow());
    for (int i = 0; i < 8; i++) {
      lanes.end(turns.get(i), false);
    }
    assertEquals(10, begun.size());
    assertEquals(Lane.HEAVY, turns.getLast().lane);
  }

  @Test
  void whoWaitsBeginsAtOnceWhenItsShapeTurnsOutToBeLight() {
    List<Turn> turns = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      turns.add(arrive(NEW, "a"));
    }
    lanes.end(turns.getFirst(), true);
    assertEquals(20, begun.size());
  }

  @Test
  void whatIsFoundToBeHeavyKeepsItsPlaceWhileTooManyArePaused() throws Exception {
    lanes.open(true, 2, 2); // one may be paused
    List<Turn> running = List.of(arrive(HEAVY, "a"), arrive(HEAVY, "a"));
    Turn first = arrive(101, "a");
    Turn second = arrive(102, "a");
    first.lane = Lane.HEAVY;
    second.lane = Lane.HEAVY;
    Thread paused = new Thread(() -> lanes.pause(first));
    paused.start();
    while (lanes.pausedNow() == 0) {
      Thread.onSpinWait();
    }
    lanes.pause(second);
    assertEquals(Lane.UNKNOWN, second.place);
    arrive(103, "a");
    assertEquals(5, begun.size()); // in the place that the paused one left
    arrive(104, "a");
    assertEquals(5, begun.size());
    lanes.end(running.getFirst(), true);
    paused.join();
    assertEquals(Lane.HEAVY, first.place);
  }

  @Test
  void clientsTakeTurnsAndNamesTakeTurnsWithinAnAddress() {
    List<Turn> running = new ArrayList<>(List.of(arrive(HEAVY, "x"), arrive(HEAVY, "x")));
    for (int i = 0; i < 3; i++) {
      running.add(arrive(HEAVY, "a", "1", Long.MAX_VALUE));
    }
    running.add(arrive(HEAVY, "a", "2", Long.MAX_VALUE));
    running.add(arrive(HEAVY, "b"));
    begun.clear();
    for (int i = 0; i < running.size(); i++) {
      lanes.end(
          running.stream().filter(turn -> turn.begun && !turn.over()).findFirst().orElseThrow(),
          true);
    }
    assertEquals(List.of("a1", "b", "a2", "a1", "a1"), begun);
    assertEquals(0, lanes.heavyNow());
    assertEquals(0, lanes.turns().size());
  }

  @Test
  void oneAtATimeWhileTheHeapIsFull() {
    survived.set(Long.MAX_VALUE);
    Turn first = arrive(HEAVY, "a");
    arrive(HEAVY, "a");
    assertEquals(1, begun.size());
    lanes.end(first, true);
    assertEquals(2, begun.size());
  }

  @Test
  void whoIsCancelledLeavesTheLine() {
    arrive(HEAVY, "a");
    arrive(HEAVY, "a");
    Turn waiting = arrive(HEAVY, "a");
    ((SearchShardTask) waiting.work().task()).cancel("the client has gone");
    lanes.tick();
    assertInstanceOf(TaskCancelledException.class, failures.getFirst());
    assertTrue(failures.getFirst().getMessage().contains("the client has gone"));
    assertEquals(0, lanes.waiting());
  }

  @Test
  void whoHasItsAnswerIsListedNoMore() {
    arrive(HEAVY, "a");
    arrive(HEAVY, "a");
    Turn cancelled = arrive(HEAVY, "a");
    ((SearchShardTask) cancelled.work().task()).cancel("the client has gone");
    lanes.tick();
    arrive(HEAVY, "a", "", 0);
    lanes.tick();
    assertEquals(2, failures.size());
    assertEquals(List.of(2, 2), listed);
  }

  @Test
  void theWatchAndTheEndOfOneSearchDoNoWorkOfAnother() {
    Turn first = arrive(HEAVY, "a");
    arrive(HEAVY, "a");
    arrive(HEAVY, "next");
    Turn cancelled = arrive(HEAVY, "a");
    arrive(HEAVY, "a", "", 0);
    hold = true;
    ((SearchShardTask) cancelled.work().task()).cancel("the client has gone");
    lanes.tick();
    assertEquals(List.of(), failures); // whose clients may do anything when they are told
    lanes.end(first, true);
    assertEquals(List.of("a", "a"), begun);
    later.forEach(Runnable::run);
    assertEquals(List.of("a", "a", "next"), begun);
    assertEquals(2, failures.size());
  }

  @Test
  void waitingEndsAtTheRequestsOwnTimeout() {
    arrive(HEAVY, "a");
    arrive(HEAVY, "a");
    arrive(HEAVY, "a", "", 0);
    lanes.tick();
    OpenSearchRejectedExecutionException e =
        assertInstanceOf(OpenSearchRejectedExecutionException.class, failures.getFirst());
    assertTrue(e.getMessage().contains("its timeout"), e.getMessage());
    assertTrue(e.getMessage().contains("60000 ms of CPU"), e.getMessage());
    assertEquals(2, begun.size());
  }

  @Test
  void aFullLineSaysSo() {
    int fits = limits.queue.value();
    for (int i = 0; i < fits + 3; i++) {
      arrive(HEAVY, "a");
    }
    assertEquals(fits, lanes.waiting());
    assertTrue(failures.getFirst().getMessage().contains(limits.queue.key()));
  }

  @Test
  void offLetsAllGo() {
    for (int i = 0; i < 10; i++) {
      arrive(HEAVY, "a");
    }
    lanes.open(false, 2, 4);
    assertEquals(10, begun.size());
  }

  @Test
  void aHeavyShapeBecomesLightOnlySlowly() {
    history.used(HEAVY, new Use(0, 0), true);
    Turn first = arrive(HEAVY, "a");
    assertEquals(Lane.HEAVY, first.lane);
    for (int i = 0; i < 40; i++) {
      history.used(HEAVY, new Use(0, 0), true);
    }
    assertEquals(Lane.LIGHT, arrive(HEAVY, "a").lane);
    // what was stopped would have used more
    history.used(LIGHT, MUCH, false);
    history.used(LIGHT, new Use(0, 0), false);
    assertEquals(Lane.HEAVY, arrive(LIGHT, "a").lane);
    history.used(9, MUCH, false);
    assertEquals(Lane.UNKNOWN, arrive(9, "a").lane);
  }

  @Test
  void mediumAndHeavyOnesRestAtTheirCheckPointsAndLightOnesDoNot() {
    lanes.way().open(2, () -> 10);
    arrive(LIGHT, "a").look();
    assertEquals(0, lanes.way().rests.sum());
    for (Lane lane : List.of(Lane.MEDIUM, Lane.HEAVY)) {
      Turn turn = arrive(lane == Lane.HEAVY ? HEAVY : MEDIUM, "a");
      long before = lanes.way().rests.sum();
      turn.use().enter();
      do {
        turn.look(); // until it has used some CPU time since the last
      } while (lanes.way().rests.sum() == before);
      turn.use().exit();
      assertEquals(lane, turn.lane);
    }
  }

  @Test
  void badInputNamesTheSetting() {
    for (String bad :
        List.of(
            "heavy_cpu=soon",
            "heavy_memory=101%",
            "heavy_at_once=-1",
            "medium_at_once=-1",
            "share=0",
            "queue=0",
            "threads=x")) {
      String[] parts = bad.split("=", 2);
      String key = "millrace.guard.search_lanes." + parts[0];
      var setting =
          limits.knobs().stream()
              .filter(knob -> knob.key().equals(key))
              .findFirst()
              .orElseThrow()
              .setting();
      Settings settings = Settings.builder().put(key, parts[1]).build();
      RuntimeException e = assertThrows(RuntimeException.class, () -> setting.get(settings));
      assertTrue(e.getMessage().contains(parts[1].replace("%", "")), e.getMessage());
    }
    assertFalse(limits.knobs().isEmpty());
  }
}
