package io.millrace.bench.os;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * CPU time of a process as the kernel accounts it: user and system time of all its threads.
 *
 * <p>Why not the JVM's own figure: this one counts every thread (GC, JIT, native code), is the same
 * for any server, and costs the measured process nothing. Fields 14 (utime) and 15 (stime) of
 * {@code /proc/<pid>/stat}, proc_pid_stat(5); the unit is the kernel's user tick, 100 per second on
 * every Linux platform since 2.6 (USER_HZ), so one reading is exact to 10 ms.
 *
 * @param userMillis time in user mode
 * @param systemMillis time in kernel mode
 */
public record ProcessCpu(long userMillis, long systemMillis) {
  private static final int MILLIS_PER_TICK = 10;

  /** Both together, in milliseconds. */
  public long totalMillis() {
    return userMillis + systemMillis;
  }

  public ProcessCpu minus(ProcessCpu earlier) {
    return new ProcessCpu(userMillis - earlier.userMillis, systemMillis - earlier.systemMillis);
  }

  /** Reads the CPU time of a running process. */
  public static ProcessCpu of(long pid) throws IOException {
    return parse(
        Files.readString(
            Path.of("/proc", Long.toString(pid), "stat"), StandardCharsets.ISO_8859_1));
  }

  /** CPU time of a running process and of all processes below it that run now. */
  public static ProcessCpu ofTree(long pid) throws IOException {
    ProcessCpu sum = of(pid);
    List<Long> below =
        ProcessHandle.of(pid)
            .map(process -> process.descendants().map(ProcessHandle::pid).toList())
            .orElse(List.of());
    for (long child : below) {
      try {
        ProcessCpu one = of(child);
        sum =
            new ProcessCpu(
                sum.userMillis + one.userMillis(), sum.systemMillis + one.systemMillis());
      } catch (IOException e) {
        continue; // it has just ended
      }
    }
    return sum;
  }

  /**
   * CPU time of the threads that run now and whose name starts so; what ended threads took is not
   * in it. The kernel cuts names at 15 bytes: the JVM's compilers are {@code C1 CompilerThre} and
   * {@code C2 CompilerThre}.
   */
  public static ProcessCpu ofThreads(long pid, String... prefixes) throws IOException {
    long user = 0;
    long system = 0;
    try (Stream<Path> tasks = Files.list(Path.of("/proc", Long.toString(pid), "task"))) {
      for (Path task : (Iterable<Path>) tasks::iterator) {
        String stat;
        try {
          stat = Files.readString(task.resolve("stat"), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
          continue; // the thread has just ended
        }
        String name = stat.substring(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
        if (Stream.of(prefixes).anyMatch(name::startsWith)) {
          ProcessCpu one = parse(stat);
          user += one.userMillis();
          system += one.systemMillis();
        }
      }
    }
    return new ProcessCpu(user, system);
  }

  /** CPU time of the JVM's compilers, which a node pays after its start and not for documents. */
  public static ProcessCpu ofCompilers(long pid) throws IOException {
    return ofThreads(pid, "C1 Comp", "C2 Comp");
  }

  /**
   * Parses one line of {@code /proc/<pid>/stat}. The second field is the command in parentheses and
   * may itself hold spaces and parentheses, so fields are counted from the last one that closes.
   */
  static ProcessCpu parse(String stat) {
    int command = stat.lastIndexOf(')');
    if (command < 0) {
      throw new IllegalArgumentException("not a line of /proc/<pid>/stat: " + stat);
    }
    String[] fields = stat.substring(command + 1).trim().split(" ");
    // fields[0] is field 3 (state)
    if (fields.length < 13) {
      throw new IllegalArgumentException("too few fields in /proc/<pid>/stat: " + stat);
    }
    return new ProcessCpu(
        Long.parseLong(fields[11]) * MILLIS_PER_TICK, Long.parseLong(fields[12]) * MILLIS_PER_TICK);
  }
}
