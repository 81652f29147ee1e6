package io.millrace.bench.os;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProcessCpuTest {
  private static final String TAIL =
      " S 1 2 3 0 -1 4194304 500 0 0 0 1234 56 7 8 20 0 40 0 999 0 0";

  @Test
  void readsUserAndSystemTicks() {
    ProcessCpu cpu = ProcessCpu.parse("4711 (java)" + TAIL);
    assertEquals(12340, cpu.userMillis());
    assertEquals(560, cpu.systemMillis());
    assertEquals(12900, cpu.totalMillis());
  }

  @Test
  void aCommandMayHoldSpacesAndParentheses() {
    assertEquals(12900, ProcessCpu.parse("1 (a) R 9 9 (b c)" + TAIL).totalMillis());
  }

  @Test
  void refusesOtherText() {
    assertThrows(IllegalArgumentException.class, () -> ProcessCpu.parse("no such line"));
    assertThrows(IllegalArgumentException.class, () -> ProcessCpu.parse("1 (java) S 1 2"));
  }

  @Test
  void differencesAreTakenPartByPart() {
    assertEquals(new ProcessCpu(5, 3), new ProcessCpu(15, 4).minus(new ProcessCpu(10, 1)));
  }

  @Test
  void readsThisProcess() throws IOException {
    assertTrue(ProcessCpu.of(ProcessHandle.current().pid()).totalMillis() > 0);
    assertTrue(ProcessMemory.peakBytes(ProcessHandle.current().pid()) > 1 << 20);
    assertThrows(IOException.class, () -> ProcessCpu.of(Integer.MAX_VALUE));
  }

  @Test
  void threadsAreKnownByTheirNames() throws IOException {
    long pid = ProcessHandle.current().pid();
    assertTrue(ProcessCpu.ofCompilers(pid).totalMillis() > 0, "this JVM has compiled something");
    assertEquals(0, ProcessCpu.ofThreads(pid, "no such thread").totalMillis());
    assertTrue(
        ProcessCpu.ofThreads(pid, "").totalMillis() <= ProcessCpu.of(pid).totalMillis() + 1000);
  }

  @Test
  void peakMemoryIsInKibibytes() {
    assertEquals(2048L * 1024, ProcessMemory.parsePeak(List.of("Name:\tx", "VmHWM:\t    2048 kB")));
    assertThrows(
        IllegalArgumentException.class, () -> ProcessMemory.parsePeak(List.of("Name:\tx")));
  }
}
