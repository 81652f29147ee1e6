package io.millrace.launcher.machine;

import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Heap sizes. The default for a node that one command starts on somebody's machine is a quarter of
 * its memory shared by the nodes, between 512 MB and 4 GB: the machine has other work. A server of
 * its own gets half of its memory, at most 31 GB: that is the default with a profile, because
 * whoever names one runs a server.
 */
public final class Heap {
  private static final Pattern SIZE = Pattern.compile("(\\d{1,9})([mMgG])[bB]?");
  private static final long MB = 1 << 20;
  private static final long MIN = 256 * MB;

  /** From here on references take 8 bytes: a bigger heap that holds less. */
  private static final long COMPRESSED_REFERENCES = 32L << 30;

  private static final long LARGEST = 31L << 30;

  private Heap() {}

  /** The default per node, as {@code -Xmx} takes it. */
  public static String byDefault(int nodes) {
    return byDefault(nodes, memory());
  }

  /** The default per node of a machine that a profile says is a server: see {@link Heap}. */
  public static String ofServer(int nodes) {
    return ofServer(nodes, memory());
  }

  public static String ofServer(int nodes, long memory) {
    long each = memory / 2 / nodes;
    return Math.max(512, Math.min(LARGEST / MB, each / MB)) + "m";
  }

  /** A size as {@code -Xmx} takes it, in bytes. */
  public static long bytes(String heap) {
    Matcher m = SIZE.matcher(heap);
    if (!m.matches()) {
      throw new IllegalArgumentException("no size: " + heap);
    }
    return Long.parseLong(m.group(1)) * (m.group(2).equalsIgnoreCase("g") ? 1024 * MB : MB);
  }

  public static String byDefault(int nodes, long memory) {
    long each = memory / 4 / nodes;
    return Math.max(512, Math.min(4096, each / MB)) + "m";
  }

  /**
   * Checks what a user gave.
   *
   * @throws ExpectedFailure when it is no size, too small to start, or more than this machine has
   */
  public static String checked(String heap, int nodes) {
    return checked(heap, nodes, memory());
  }

  public static String checked(String heap, int nodes, long memory) {
    Matcher m = SIZE.matcher(heap);
    if (!m.matches()) {
      throw new ExpectedFailure(
          ExitCode.USAGE, "--heap " + heap + " is not a size", "Give it like 512m or 4g.");
    }
    long bytes = bytes(heap);
    if (bytes < MIN) {
      throw new ExpectedFailure(
          ExitCode.USAGE, "--heap " + heap + " is too small for a node", "Give at least 256m.");
    }
    if (bytes * nodes > memory) {
      throw new ExpectedFailure(
          ExitCode.ENVIRONMENT,
          String.format(
              Locale.ROOT,
              "%d x %s of heap do not fit into this machine's %d MB of memory",
              nodes,
              heap,
              memory / MB),
          "Give less --heap, best at most half of the memory altogether, or fewer --nodes.");
    }
    return m.group(1) + m.group(2).toLowerCase(Locale.ROOT);
  }

  /** Whether a heap is so large that references are no longer compressed. */
  public static boolean tooLarge(String heap) {
    Matcher m = SIZE.matcher(heap);
    return m.matches()
        && Long.parseLong(m.group(1)) * (m.group(2).equalsIgnoreCase("g") ? 1024 * MB : MB)
            >= COMPRESSED_REFERENCES;
  }

  /** Memory of the machine, or the limit of the control group when that is less; in bytes. */
  public static long memory() {
    long total = Long.MAX_VALUE;
    try {
      for (String line : Files.readAllLines(Path.of("/proc/meminfo"))) {
        if (line.startsWith("MemTotal:")) {
          total = Long.parseLong(line.replaceAll("\\D", "")) * 1024;
        }
      }
      for (String limit :
          List.of("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")) {
        Path file = Path.of(limit);
        if (Files.isReadable(file)) {
          String value = Files.readString(file).strip();
          if (!value.equals("max")) {
            total = Math.min(total, Long.parseLong(value));
          }
        }
      }
    } catch (IOException | NumberFormatException e) {
      total = Long.MAX_VALUE; // not Linux: ask the JVM below
    }
    if (total == Long.MAX_VALUE
        && java.lang.management.ManagementFactory.getOperatingSystemMXBean()
            instanceof com.sun.management.OperatingSystemMXBean os) {
      total = os.getTotalMemorySize();
    }
    return total;
  }
}
