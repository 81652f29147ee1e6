package io.millrace.launcher.supervise;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.launcher.supervise.NodeWatch.Step;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class NodeWatchTest {
  private static final long SECOND = 1_000_000_000L;
  private NodeWatch watch = new NodeWatch(Duration.ofSeconds(12), Duration.ofHours(1), true);
  private long now;

  private Step look(double seconds, boolean alive, boolean answers) {
    now += (long) (seconds * SECOND);
    return watch.seen(now, alive, answers);
  }

  /** A look whose step is taken. */
  private Step after(double seconds, boolean alive, boolean answers) {
    Step step = look(seconds, alive, answers);
    switch (step) {
      case KILL -> watch.killed();
      case START -> watch.started(now);
      case GIVE_UP -> watch.givenUp();
      case NONE -> {}
    }
    return step;
  }

  private double killedAfter() {
    look(0, true, false);
    double waited = 0;
    while (after(3, true, false) == Step.NONE) {
      waited += 3;
    }
    return waited + 3;
  }

  @Test
  void aStepThatHadToWaitIsDueAgainAndNotCounted() {
    after(0, true, true);
    for (int i = 0; i < 20; i++) {
      // the lock is taken: by `up`, which waits for another node
      assertEquals(Step.START, look(10, false, false));
    }
    assertEquals(Step.START, after(1, false, false));
    assertEquals(Step.NONE, after(0, true, true));
    while (look(3, true, false) == Step.NONE) {}
    assertEquals(Step.KILL, look(1, true, false));
    // it answers again before the lock was free
    assertEquals(Step.NONE, look(1, true, true));
    assertEquals(Step.NONE, look(1, true, false));
    // nothing was killed, and only one start counts
    assertEquals(Step.NONE, look(1, false, false));
    assertEquals(Step.START, look(1, false, false));
  }

  @Test
  void givingUpIsDueUntilItWasSaid() {
    for (int i = 0; i < NodeWatch.ATTEMPTS; i++) {
      while (after(1, false, false) != Step.START) {}
    }
    assertEquals(Step.GIVE_UP, look(1, false, false));
    assertEquals(Step.GIVE_UP, look(1, false, false));
    watch.givenUp();
    assertEquals(Step.NONE, look(1, false, false));
    // a person started it, and it dies again
    watch.replaced(Duration.ZERO);
    assertEquals(Step.START, look(1, false, false));
  }

  @Test
  void aStartThatFailsIsTriedAgainForEver() {
    long before = now;
    for (int i = 0; i < 100; i++) {
      while (look(1, false, false) != Step.START) {}
      watch.notStarted(now);
    }
    assertTrue(now - before > 90 * NodeWatch.AGAIN.toNanos());
    assertTrue(now - before < 110 * NodeWatch.AGAIN.toNanos());
    while (look(1, false, false) != Step.START) {}
  }

  @Test
  void aNodeThatStillStartsIsNotKilledByANewSupervisor() {
    watch = new NodeWatch(Duration.ofSeconds(12), Duration.ofSeconds(3), false);
    double waited = killedAfter();
    assertTrue(waited > NodeWatch.START.toSeconds() - 12, "waited " + waited);
    // nor one that `up` started again: what the process before answered says nothing of it
    after(1, true, true);
    watch.replaced(Duration.ofSeconds(3));
    assertTrue(killedAfter() > NodeWatch.START.toSeconds() - 12);
  }

  @Test
  void aNodeOldEnoughOrKnownToHaveServedIsKilledAtOnce() {
    watch = new NodeWatch(Duration.ofSeconds(12), NodeWatch.START, false);
    assertEquals(12, killedAfter(), 3);
    watch = new NodeWatch(Duration.ofSeconds(12), Duration.ofDays(9), false);
    assertEquals(12, killedAfter(), 3);
    watch = new NodeWatch(Duration.ofSeconds(12), Duration.ZERO, true);
    assertEquals(12, killedAfter(), 3);
  }

  @Test
  void silenceIsKilledWithinFifteenSeconds() {
    assertEquals(Step.NONE, after(0, true, true));
    int waited = 0;
    Step step = Step.NONE;
    // a look takes a second and the probe's two
    while (step == Step.NONE) {
      step = after(3, true, false);
      waited += 3;
    }
    assertEquals(Step.KILL, step);
    assertTrue(waited <= 15, "waited " + waited);
    assertEquals(Step.START, after(1, false, false));
  }

  @Test
  void oneAnswerForgivesAll() {
    after(0, true, true);
    for (int i = 0; i < 100; i++) {
      assertEquals(Step.NONE, after(3, true, false));
      assertEquals(Step.NONE, after(3, true, false));
      assertEquals(Step.NONE, after(3, true, true));
    }
  }

  @Test
  void aStartMayTakeLong() {
    after(0, false, false);
    for (int i = 0; i < 200; i++) {
      assertEquals(Step.NONE, after(4, true, false));
    }
    assertEquals(Step.NONE, after(4, true, true));
  }

  @Test
  void theSupervisorsOwnSuspensionIsNoSilence() {
    after(0, true, true);
    assertEquals(Step.NONE, after(3600, true, false));
    assertEquals(Step.NONE, after(1, true, true));
  }

  @Test
  void aCrashLoopBacksOffAndEnds() {
    assertEquals(Step.NONE, after(0, true, true));
    int pause = 0;
    for (int i = 0; i < NodeWatch.ATTEMPTS; i++) {
      int waited = 0;
      while (after(1, false, false) != Step.START) {
        waited++;
        assertTrue(waited < 60);
      }
      assertTrue(waited >= pause / 2, "attempt " + i + " after " + waited);
      pause = Math.max(1, pause * 2);
      assertEquals(Step.NONE, after(1, true, false));
    }
    assertEquals(Step.GIVE_UP, after(1, false, false));
    // said once
    assertEquals(Step.NONE, after(1, false, false));
    // a person started it: watched again
    assertEquals(Step.NONE, after(1, true, true));
    assertEquals(Step.NONE, after(1, true, true));
  }
}
