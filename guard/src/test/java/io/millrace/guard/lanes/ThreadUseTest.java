package io.millrace.guard.lanes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ThreadUseTest {
  private final ThreadUse use = new ThreadUse();

  private static int allocate() {
    return new byte[1 << 20].length;
  }

  @Test
  void whatFollowsASliceOfTheSameThreadCounts() {
    use.enter();
    use.enter(); // the thread of a query collects a slice itself
    assertFalse(use.exit());
    assertTrue(use.working());
    int bytes = allocate(); // and builds the answer
    assertTrue(use.sum().bytes() >= bytes);
    assertTrue(use.exit());
    assertFalse(use.working());
    long all = use.sum().bytes();
    assertTrue(all >= bytes);
    allocate(); // for somebody else
    assertEquals(all, use.sum().bytes());
  }

  @Test
  void otherThreadsCountWhileTheyWork() throws Exception {
    use.enter();
    Thread slice =
        new Thread(() -> {
          use.enter();
          allocate();
          assertTrue(use.exit());
        });
    slice.start();
    slice.join();
    assertTrue(use.sum().bytes() >= 1 << 20);
    assertTrue(use.exit());
    assertTrue(use.exit()); // once more changes nothing
  }

  @Test
  void aLightOneIsNotReadUntilSomebodyLooks() {
    use.readAtOnce(false);
    use.enter();
    int before = allocate();
    assertTrue(use.exit());
    assertFalse(use.whole());
    assertEquals(0, use.sum().bytes(), () -> "of " + before + " bytes nothing is known");
  }

  @Test
  void whoLooksAtALightOneSeesAtMostTheTimeSinceItBegan() throws Exception {
    use.readAtOnce(false);
    long began = System.nanoTime();
    use.enter();
    Thread.sleep(20);
    long cpu = use.sum().cpuNanos();
    assertTrue(cpu <= System.nanoTime() - began);
    int bytes = allocate();
    assertTrue(use.sum().bytes() >= bytes, "from the first look on it is measured");
    assertTrue(use.exit());
    assertTrue(use.whole());
    assertTrue(use.sum().bytes() >= bytes);
  }
}
