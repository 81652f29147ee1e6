package io.millrace.launcher.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MachineCheckTest {
  private static final long G = 1L << 30;
  @TempDir private Path root;

  @BeforeEach
  void aMachineAsItShouldBe() throws IOException {
    file("proc/swaps", "Filename Type Size Used Priority\n");
    file("proc/sys/vm/swappiness", "60\n");
    file("proc/sys/vm/max_map_count", "262144\n");
    file("proc/sys/kernel/numa_balancing", "1\n");
    limits("65535", "unlimited", "65536");
  }

  private void file(String name, String text) throws IOException {
    Path file = root.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private void limits(String files, String processes, String locked) throws IOException {
    file(
        "proc/self/limits",
        """
        Limit                     Soft Limit           Hard Limit           Units
        Max processes             %s            unlimited            processes
        Max open files            %s                1048576              files
        Max locked memory         %s                unlimited            bytes
        """
            .formatted(processes, files, locked));
  }

  private List<String> findings(String profile, int nodes, long heap, long memory) {
    return new MachineCheck(root).findings(profile, nodes, heap, memory);
  }

  private void oneFinding(String... words) {
    List<String> found = findings("logs", 1, 4 * G, 16 * G);
    assertEquals(1, found.size(), found.toString());
    for (String word : words) {
      assertTrue(found.getFirst().contains(word), found + " lacks " + word);
    }
  }

  @Test
  void aGoodMachineIsNotTalkedAbout() {
    assertEquals(List.of(), findings("logs", 1, 8 * G, 16 * G));
    assertEquals(List.of(), findings("search", 2, 4 * G, 16 * G));
  }

  @Test
  void aSystemWithoutProcIsNotTalkedAbout() {
    assertEquals(
        List.of(), new MachineCheck(root.resolve("nothing")).findings("search", 1, 4 * G, 16 * G));
  }

  @Test
  void files() throws IOException {
    limits("1024", "unlimited", "unlimited");
    oneFinding("max open files is 1024", "65535", "ulimit -n");
  }

  @Test
  void threads() throws IOException {
    limits("65535", "1000", "unlimited");
    oneFinding("max processes is 1000", "LimitNPROC");
  }

  @Test
  void mappings() throws IOException {
    file("proc/sys/vm/max_map_count", "65530\n");
    oneFinding("65530", "sysctl -w vm.max_map_count=262144");
  }

  @Test
  void numaBalancingMattersOnSeveralNodesOnly() throws IOException {
    Files.createDirectories(root.resolve("sys/devices/system/node/node1"));
    oneFinding("numa_balancing", "sysctl -w kernel.numa_balancing=0");
    file("proc/sys/kernel/numa_balancing", "0\n");
    assertEquals(List.of(), findings("logs", 1, 4 * G, 16 * G));
  }

  @Test
  void swap() throws IOException {
    file("proc/swaps", "Filename Type Size Used Priority\n/swapfile file 1 0 -2\n");
    file("proc/sys/vm/swappiness", "1\n");
    oneFinding("swap is on", "ulimit -l unlimited", "bootstrap.memory_lock=true");
    limits("65535", "unlimited", "unlimited");
    oneFinding("swap is on", "or lock the memory: -E bootstrap.memory_lock=true");
    file("proc/sys/vm/swappiness", "60\n");
    assertEquals(2, findings("logs", 1, 4 * G, 16 * G).size());
  }

  @Test
  void heaps() {
    assertTrue(findings("logs", 3, 4 * G, 16 * G).getFirst().contains("75 %"));
    assertTrue(findings("search", 1, G, 16 * G).getFirst().contains("--heap 2g"));
    assertEquals(List.of(), findings("logs", 1, G, 16 * G));
  }
}
