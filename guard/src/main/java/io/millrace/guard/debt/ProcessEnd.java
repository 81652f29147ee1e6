package io.millrace.guard.debt;

import io.millrace.kernel.PrivilegedAccess;
import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Ends the process without allocating: everything it needs is made at the start.
 *
 * <p>Not {@code Runtime.halt}: OpenSearch's java agent walks the stack first, which allocates, and
 * then lets no plugin pass (RuntimeHaltInterceptor, AgentPolicy.isChainThatCanExit at 3.8.0). The
 * process sends itself SIGKILL instead; where JNA cannot bind that call, an error that nobody
 * catches ends it through the server's own handler (OpenSearchUncaughtExceptionHandler), which
 * allocates. That loses nothing a crash would not: what was acknowledged is in the translog.
 *
 * <p>The reason goes to {@value #FILE} in the log folder, which is mapped: a copy in memory that
 * outlives the process. Zeros where the node did not leave; the time is the file's.
 */
class ProcessEnd {
  /** Read by the supervisor of {@code millrace up}. */
  static final String FILE = "millrace-left.txt";

  private static final Logger LOG = LogManager.getLogger(ProcessEnd.class);
  private static final int SIGKILL = 9;

  private final int pid = (int) ProcessHandle.current().pid();
  private final boolean bound;
  private final InternalError fatal = new InternalError("guard.gc-debt: the node leaves");
  private final byte[] reason;
  private final @Nullable MappedByteBuffer file;

  private ProcessEnd(byte[] reason, @Nullable MappedByteBuffer file) {
    this.bound = bind();
    this.reason = reason;
    this.file = file;
  }

  /**
   * @param logs the node's log folder
   * @throws IOException when the file cannot be made; the caller goes on without one
   */
  static ProcessEnd prepare(Path logs, String reason) throws IOException {
    byte[] bytes = reason.getBytes(StandardCharsets.UTF_8);
    MappedByteBuffer file =
        PrivilegedAccess.call(() -> {
          try (FileChannel channel =
              FileChannel.open(
                  logs.resolve(FILE),
                  StandardOpenOption.CREATE,
                  StandardOpenOption.TRUNCATE_EXISTING,
                  StandardOpenOption.READ,
                  StandardOpenOption.WRITE)) {
            return channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes.length);
          }
        });
    // zeros over zeros: links what would otherwise be linked, and allocate, at the end
    file.put(0, new byte[bytes.length]);
    return new ProcessEnd(bytes, file);
  }

  /** Without a file for the reason. */
  static ProcessEnd silent() {
    return new ProcessEnd(new byte[0], null);
  }

  private static boolean bind() {
    try {
      NativeKill.bind();
      // links the call; signal 0 reaches nobody
      return NativeKill.kill((int) ProcessHandle.current().pid(), 0) == 0;
    } catch (LinkageError | RuntimeException e) {
      LOG.warn(
          "JNA cannot bind kill: if the node has to leave, it will end with an error instead", e);
      return false;
    }
  }

  /** Does not return. */
  void leave() {
    try {
      if (file != null) {
        file.put(0, reason);
      }
    } catch (Throwable e) {
      // nothing may keep the process here
    }
    if (bound) {
      NativeKill.kill(pid, SIGKILL);
    }
    throw fatal;
  }
}
