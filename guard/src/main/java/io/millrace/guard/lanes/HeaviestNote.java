package io.millrace.guard.lanes;

import io.millrace.guard.lanes.History.Use;
import io.millrace.kernel.PrivilegedAccess;
import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * The search that has allocated most of those that run, in a file that outlives the process: who
 * restarts a node that died can say what it was doing.
 *
 * <p>The file is mapped, so that what was written last is there after SIGKILL, and writing it needs
 * no disk. Zeros where no search ran that had allocated a megabyte; a new process begins with
 * zeros.
 */
final class HeaviestNote {
  /** Read by the supervisor of {@code millrace up}. */
  static final String FILE = "millrace-heaviest.txt";

  private static final int BYTES = 1_024;

  /** Bytes allocated by a search that is not worth a note: no process died of it. */
  private static final long LITTLE = 1 << 20;

  private final MappedByteBuffer file;
  private boolean empty = true;

  private HeaviestNote(MappedByteBuffer file) {
    this.file = file;
  }

  /**
   * Makes the file.
   *
   * @param logs the node's log folder
   * @throws IOException when it cannot be made; the caller goes on without
   */
  static HeaviestNote in(Path logs) throws IOException {
    return new HeaviestNote(
        PrivilegedAccess.call(() -> {
          try (FileChannel channel =
              FileChannel.open(
                  logs.resolve(FILE),
                  StandardOpenOption.CREATE,
                  StandardOpenOption.TRUNCATE_EXISTING,
                  StandardOpenOption.READ,
                  StandardOpenOption.WRITE)) {
            return channel.map(FileChannel.MapMode.READ_WRITE, 0, BYTES);
          }
        }));
  }

  /** Writes what runs now. */
  void write(Lanes lanes) {
    Turn heaviest = null;
    Use most = new Use(0, LITTLE);
    for (Turn turn : lanes.turns()) {
      if (turn.begun) {
        Use use = turn.used();
        if (use.bytes() > most.bytes()) {
          heaviest = turn;
          most = use;
        }
      }
    }
    if (heaviest == null) {
      clear();
      return;
    }
    String text =
        "a search of ["
            + heaviest.work().index()
            + "] for "
            + TimeUnit.NANOSECONDS.toMillis(heaviest.age())
            + " ms, with "
            + TimeUnit.NANOSECONDS.toMillis(most.cpuNanos())
            + " ms of CPU time and "
            + (most.bytes() >> 20)
            + " MB allocated, from ["
            + heaviest.client().address()
            + "]: "
            + heaviest.asked();
    file.put(0, Arrays.copyOf(text.getBytes(StandardCharsets.UTF_8), BYTES));
    empty = false;
  }

  /** Nothing runs. */
  void clear() {
    if (!empty) {
      file.put(0, new byte[BYTES]);
      empty = true;
    }
  }
}
