package io.millrace.launcher.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a JVM flag cannot set right: limits of the process and settings of the kernel that a node
 * with a profile needs. Each finding is one line that names what was found, what is wanted and the
 * command for it; nothing here stops a start, because a machine may be shared or a container whose
 * owner decides.
 *
 * <p>Sources: the promises {@code no-swap}, {@code heap-size} and {@code zgc-flags} (NUMA
 * balancing); OpenSearch's own bootstrap checks (BootstrapChecks at 3.8.0: 65535 files, 4096
 * threads, 262144 mappings), which it makes only when it is bound to another address than loopback.
 */
public final class MachineCheck {
  private static final long FILES = 65_535;
  private static final long THREADS = 4_096;
  private static final long MAPPINGS = 262_144;
  private static final long ZGC_COMFORT = 2L << 30;
  private static final Pattern LIMIT = Pattern.compile("^(Max [a-z ]+?)\\s{2,}(\\S+)\\s+(\\S+)");

  private final Path root;

  /** Looks at this machine. */
  public MachineCheck() {
    this(Path.of("/"));
  }

  /**
   * @param root where {@code proc} and {@code sys} are
   */
  MachineCheck(Path root) {
    this.root = root;
  }

  /**
   * What is not as a node with this profile wants it; empty where nothing is known, as on a system
   * without {@code /proc}.
   *
   * @param heapBytes of one node
   * @param memoryBytes of the machine or the container
   */
  public List<String> findings(String profile, int nodes, long heapBytes, long memoryBytes) {
    List<String> found = new ArrayList<>();
    heap(profile, nodes, heapBytes, memoryBytes, found);
    swap(found);
    atLeast("Max open files", FILES, "ulimit -n 65535 (systemd: LimitNOFILE)", found);
    atLeast("Max processes", THREADS, "ulimit -u 4096 (systemd: LimitNPROC)", found);
    number("proc/sys/vm/max_map_count")
        .filter(n -> n < MAPPINGS)
        .ifPresent(n ->
            found.add(
                "vm.max_map_count is "
                    + n
                    + ": a node with many segments ends with \"Map failed\"; sysctl -w"
                    + " vm.max_map_count="
                    + MAPPINGS));
    if (Files.isDirectory(root.resolve("sys/devices/system/node/node1"))
        && number("proc/sys/kernel/numa_balancing").orElse(0L) != 0) {
      found.add(
          "kernel.numa_balancing is on, on a machine of several NUMA nodes: moving pages shows as"
              + " pauses of tens to hundreds of ms; sysctl -w kernel.numa_balancing=0");
    }
    return found;
  }

  private static void heap(
      String profile, int nodes, long heapBytes, long memoryBytes, List<String> found) {
    if (heapBytes * nodes > memoryBytes / 2) {
      found.add(
          "heaps take "
              + percent(heapBytes * nodes, memoryBytes)
              + " of the memory: more than half leaves too little to the page cache, which is what"
              + " searches read from; give less --heap");
    }
    if (profile.equals("search") && heapBytes < ZGC_COMFORT) {
      found.add(
          "ZGC with a heap of "
              + (heapBytes >> 20)
              + "m has little room for bursts: threads may wait for memory instead of pausing (see"
              + " allocation_stalls in GET /_millrace/gc); give --heap 2g or more");
    }
  }

  private void swap(List<String> found) {
    boolean swap = lines("proc/swaps").size() > 1;
    if (!swap) {
      return;
    }
    boolean locks = limit("Max locked memory").filter(n -> n == Long.MAX_VALUE).isPresent();
    found.add(
        "swap is on: a heap page on disk makes a pause of minutes out of a collection; swapoff -a"
            + (locks
                ? ", or lock the memory: -E bootstrap.memory_lock=true"
                : ", or lock the memory: ulimit -l unlimited (systemd: LimitMEMLOCK=infinity) and -E"
                    + " bootstrap.memory_lock=true"));
    number("proc/sys/vm/swappiness")
        .filter(n -> n > 1)
        .ifPresent(n ->
            found.add("vm.swappiness is " + n + " while swap is on; sysctl -w vm.swappiness=1"));
  }

  private void atLeast(String name, long wanted, String remedy, List<String> found) {
    limit(name)
        .filter(n -> n < wanted)
        .ifPresent(n ->
            found.add(
                name.toLowerCase(Locale.ROOT)
                    + " is "
                    + n
                    + ", wanted are "
                    + wanted
                    + ": "
                    + remedy));
  }

  /** A soft limit of this process, which its children inherit. */
  private Optional<Long> limit(String name) {
    for (String line : lines("proc/self/limits")) {
      Matcher m = LIMIT.matcher(line);
      if (m.find() && m.group(1).equals(name)) {
        return m.group(2).equals("unlimited")
            ? Optional.of(Long.MAX_VALUE)
            : Optional.of(Long.parseLong(m.group(2)));
      }
    }
    return Optional.empty();
  }

  private Optional<Long> number(String file) {
    try {
      return lines(file).stream().findFirst().map(line -> Long.parseLong(line.strip()));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  private List<String> lines(String file) {
    try {
      return Files.readAllLines(root.resolve(file));
    } catch (IOException e) {
      return List.of(); // not Linux, or hidden in this container
    }
  }

  private static String percent(long part, long all) {
    return Math.round(100.0 * part / all) + " %";
  }
}
