package io.millrace.it.chaos;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What makes the disk of one process slow and its clock wrong: a library before its C library
 * ({@code breakage.c}), which obeys a file that this class writes.
 */
final class Breakage {
  private static final int CLOCK = 0;
  private static final int SYNC = Long.BYTES;
  private static final int WRITE = 2 * Long.BYTES;
  private static final int LATE = 3 * Long.BYTES;
  private static final int LENGTH = 4 * Long.BYTES;

  private static final Duration PROBE = Duration.ofDays(1000);

  private final Path library;
  private final Path file;
  private final MappedByteBuffer dials;

  private Breakage(Path library, Path file) throws IOException {
    this.library = library;
    this.file = file;
    try (FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE)) {
      dials = channel.map(FileChannel.MapMode.READ_WRITE, 0, LENGTH);
    }
    dials.order(ByteOrder.nativeOrder());
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));
  }

  /**
   * Compiles the library, for processes each of which obeys a file of its own.
   *
   * @param folder where the processes may read and write
   * @return empty where there is no compiler, or where a program does not obey the library
   */
  static List<Breakage> build(Path folder, int processes) throws IOException {
    Path source = folder.resolve("breakage.c");
    Path library = folder.resolve("breakage.so");
    try (InputStream in = Breakage.class.getResourceAsStream("/chaos/breakage.c")) {
      Files.copy(Objects.requireNonNull(in), source);
    }
    @Nullable String made =
        answer(
            new ProcessBuilder(
                "cc",
                "-shared",
                "-fPIC",
                "-O2",
                "-o",
                library.toString(),
                source.toString(),
                "-ldl"));
    if (made == null || made.contains("fatal error")) {
      System.out.println(
          "no library for slow disks and clocks: no command cc, or no headers for it");
      return List.of();
    }
    if (!made.startsWith("0 ")) {
      throw new AssertionError("breakage.c cannot be compiled: " + made);
    }
    List<Breakage> all = new ArrayList<>();
    for (int i = 0; i < processes; i++) {
      all.add(new Breakage(library, folder.resolve("breakage-" + i)));
    }
    return all.getFirst().obeyed() ? all : List.of();
  }

  /** Another program says another time. */
  private boolean obeyed() {
    ProcessBuilder date = new ProcessBuilder("date", "+%s");
    date.environment().putAll(environment());
    clock(PROBE);
    @Nullable String answer = answer(date);
    clock(Duration.ZERO);
    long expected = System.currentTimeMillis() / 1000 + PROBE.toSeconds();
    boolean obeyed =
        answer != null
            && answer.matches("0 \\d{1,18}")
            && Math.abs(Long.parseLong(answer.substring(2)) - expected) < 60;
    if (!obeyed) {
      System.out.println("programs do not obey the library for slow disks: " + answer);
    }
    return obeyed;
  }

  /**
   * The code that it ended with, a blank, and what it said; null where there is no such command.
   */
  private static @Nullable String answer(ProcessBuilder command) {
    try {
      Process process = command.redirectErrorStream(true).start();
      try {
        String said =
            new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        return process.waitFor(20, TimeUnit.SECONDS) ? process.exitValue() + " " + said : "late";
      } finally {
        process.destroyForcibly();
      }
    } catch (IOException e) {
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "interrupted";
    }
  }

  /** What a process needs in its environment. */
  Map<String, String> environment() {
    return Map.of("LD_PRELOAD", library.toString(), "MILLRACE_BREAKAGE", file.toString());
  }

  /** The time of day is this much later; earlier for a negative offset. */
  void clock(Duration offset) {
    dials.putLong(CLOCK, offset.toNanos());
  }

  /** Each sync and each write of a file waits this long. */
  void disk(Duration sync, Duration write) {
    dials.putLong(SYNC, sync.toNanos());
    dials.putLong(WRITE, write.toNanos());
  }

  /** How many calls have waited, since the beginning. */
  long late() {
    return dials.getLong(LATE);
  }
}
