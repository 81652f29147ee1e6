package io.millrace.cli.supervise;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.cli.supervise.NodeWatch.Step;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class NodeWatchTest {
  private static final long SECOND = 1_000_000_000L;
  private final NodeWatch watch = new NodeWatch(Duration.ofSeconds(12));
  private long now;

  private Step after(double seconds, boolean alive, boolean answers) {
    now += (long) (seconds * SECOND);
    return watch.seen(now, alive, answers);
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
