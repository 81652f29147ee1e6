package io.millrace.bench.os;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class ThreadCpuTest {
  private static final long PID = ProcessHandle.current().pid();

  @Test
  void countsWhatThisThreadTakes() throws IOException {
    ThreadCpu before = ThreadCpu.of(PID);
    long own = java.lang.management.ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    long end = own + 50_000_000;
    while (own < end) {
      own = java.lang.management.ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }
    long took = ThreadCpu.of(PID).nanosSince(before);
    assertTrue(took >= 40_000_000, took + " ns");
    assertEquals(0, before.nanosSince(before));
  }

  @Test
  void compilersAreToldApart() throws IOException {
    ThreadCpu now = ThreadCpu.of(PID);
    ThreadCpu later = ThreadCpu.of(PID);
    assertTrue(later.compilerNanosSince(now) >= 0);
  }

  @Test
  void thereMustBeAProcess() {
    assertThrows(IOException.class, () -> ThreadCpu.of(Integer.MAX_VALUE));
  }
}
