package io.millrace.bench.os;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MachineTest {
  @Test
  void namesWhatAReaderNeedsAndNoFolder(@TempDir Path folder) {
    Map<String, String> facts = Machine.describe(folder);
    assertTrue(
        facts
            .keySet()
            .containsAll(
                List.of("processor", "cores", "memory", "kernel", "load average before", "disk")));
    facts.values().forEach(value -> assertFalse(value.contains(folder.toString()), value));
  }

  @Test
  void parsesProcFiles() {
    assertEquals(
        "Some CPU @ 3 GHz",
        Machine.cpuModel(List.of("processor : 0", "model name\t: Some CPU @ 3 GHz")));
    assertEquals("2 MiB", Machine.memory(List.of("MemTotal:        2048 kB", "MemFree: 1 kB")));
    assertEquals("unknown", Machine.memory(List.of()));
  }
}
