package io.millrace.bench.os;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;

/**
 * CPU time of the threads of a process to the nanosecond, for spans too short for {@link
 * ProcessCpu}, which counts in steps of 10 ms. It is the first figure of {@code
 * /proc/<pid>/task/<tid>/schedstat} (Documentation/scheduler/sched-stats of Linux), which kernels
 * with CONFIG_SCHED_INFO have. The JVM's compilers are told apart.
 *
 * <p>A thread that ends within a span is missing from it, so this is not for long ones.
 */
public final class ThreadCpu {
  private final Map<String, Long> queries = new HashMap<>();
  private final Map<String, Long> compilers = new HashMap<>();

  private ThreadCpu() {}

  /**
   * Reads all threads of a running process.
   *
   * @throws IOException if there is no such process, or its kernel keeps no such figures
   */
  public static ThreadCpu of(long pid) throws IOException {
    ThreadCpu cpu = new ThreadCpu();
    try (Stream<Path> tasks = Files.list(Path.of("/proc", Long.toString(pid), "task"))) {
      for (Path task : (Iterable<Path>) tasks::iterator) {
        cpu.read(task);
      }
    }
    if (cpu.queries.isEmpty()) {
      throw new IOException("/proc/" + pid + "/task has no schedstat: not Linux with SCHED_INFO");
    }
    return cpu;
  }

  private void read(Path task) throws IOException {
    try {
      String name = text(task.resolve("comm"));
      long nanos = Long.parseLong(text(task.resolve("schedstat")).split(" ")[0]);
      boolean compiles = name.startsWith("C1 Comp") || name.startsWith("C2 Comp");
      (compiles ? compilers : queries).put(task.getFileName().toString(), nanos);
    } catch (NoSuchFileException e) {
      // the thread has just ended
    }
  }

  private static String text(Path file) throws IOException {
    return Files.readString(file, StandardCharsets.ISO_8859_1);
  }

  /** Nanoseconds of all threads but the compilers since an earlier reading. */
  public long nanosSince(ThreadCpu earlier) {
    return since(queries, earlier.queries);
  }

  /** Nanoseconds of the compilers since an earlier reading. */
  public long compilerNanosSince(ThreadCpu earlier) {
    return since(compilers, earlier.compilers);
  }

  private static long since(Map<String, Long> later, Map<String, Long> earlier) {
    long nanos = 0;
    for (Map.Entry<String, Long> thread : later.entrySet()) {
      nanos += thread.getValue() - earlier.getOrDefault(thread.getKey(), 0L);
    }
    return nanos;
  }
}
