package io.millrace.launcher.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;

/**
 * What {@code /proc/<pid>/stat} tells of a process: start time (a pid alone may by now belong to
 * someone else) and processor time (what benchmarks divide by documents). Fields are counted as in
 * proc(5): the name may hold blanks and parentheses, so counting starts after the last ')'.
 */
public final class ProcFs {
  /** Ticks per second of utime and stime: USER_HZ, 100 on every Linux of today. */
  private static final long TICKS = 100;

  private ProcFs() {}

  /**
   * A number that stays the same as long as the process lives and differs for a later one with the
   * same pid; 0 when there is no such process.
   */
  public static long startStamp(long pid) {
    Optional<String[]> stat = stat(pid);
    if (stat.isPresent()) {
      return Long.parseLong(stat.get()[22 - 3]);
    }
    return ProcessHandle.of(pid)
        .flatMap(p -> p.info().startInstant())
        .map(Instant::toEpochMilli)
        .orElse(0L);
  }

  /** User plus system time of the process in nanoseconds; -1 when it cannot be told. */
  public static long cpuNanos(long pid) {
    Optional<String[]> stat = stat(pid);
    if (stat.isPresent()) {
      String[] f = stat.get();
      return (Long.parseLong(f[14 - 3]) + Long.parseLong(f[15 - 3])) * (1_000_000_000L / TICKS);
    }
    return ProcessHandle.of(pid)
        .flatMap(p -> p.info().totalCpuDuration())
        .map(java.time.Duration::toNanos)
        .orElse(-1L);
  }

  /** Whether the process is there and not a zombie waiting for its parent. */
  public static boolean alive(long pid) {
    Optional<String[]> stat = stat(pid);
    if (stat.isPresent()) {
      return !stat.get()[0].equals("Z");
    }
    return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
  }

  private static Optional<String[]> stat(long pid) {
    try {
      String line = Files.readString(Path.of("/proc/" + pid + "/stat"));
      return Optional.of(line.substring(line.lastIndexOf(')') + 2).split(" "));
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
