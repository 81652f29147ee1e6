package io.millrace.launcher.node;

import io.millrace.client.Health;
import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import io.millrace.launcher.machine.ProcFs;
import io.millrace.launcher.secure.NodeAccess;
import io.millrace.launcher.workspace.ServerUser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A running node, started by this process or found again through its pid.
 *
 * <p>A node is always started through the tree's {@code bin/opensearch}, the way systemd and users
 * start it, in a session of its own: it outlives the command that started it, and Ctrl-C on the
 * terminal does not reach it.
 */
public final class NodeProcess {
  private final long pid;
  private final long startStamp;
  private final NodeAccess access;
  private final Path serverLog;
  private final Path consoleLog;
  private final long logStart;
  private final List<String> skippedFlags;

  private NodeProcess(
      long pid,
      long startStamp,
      NodeAccess access,
      Path serverLog,
      Path consoleLog,
      long logStart,
      List<String> skippedFlags) {
    this.pid = pid;
    this.startStamp = startStamp;
    this.access = access;
    this.serverLog = serverLog;
    this.consoleLog = consoleLog;
    this.logStart = logStart;
    this.skippedFlags = skippedFlags;
  }

  /**
   * Writes the configuration and starts the process; returns at once.
   *
   * @throws ExpectedFailure when the node's folder cannot be written or the tree has no launcher
   */
  public static NodeProcess start(NodeSpec spec) {
    return start(spec, true);
  }

  /**
   * Starts a node that ended, with the configuration it had.
   *
   * @throws ExpectedFailure as {@link #start}
   */
  public static NodeProcess startAgain(NodeSpec spec) {
    return start(spec, false);
  }

  private static NodeProcess start(NodeSpec spec, boolean configure) {
    try {
      List<String> skipped = configure ? NodeConfig.write(spec) : List.of();
      Files.deleteIfExists(spec.consoleLog());
      giveAway(spec);
      Path log = spec.serverLog();
      long logStart = Files.exists(log) ? Files.size(log) : 0;
      ProcessBuilder builder = command(spec);
      builder
          .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
          .redirectOutput(spec.consoleLog().toFile())
          .redirectErrorStream(true);
      Process process = builder.start();
      return new NodeProcess(
          process.pid(),
          ProcFs.startStamp(process.pid()),
          spec.access(),
          spec.serverLog(),
          spec.consoleLog(),
          logStart,
          skipped);
    } catch (IOException e) {
      throw new ExpectedFailure(
          ExitCode.ENVIRONMENT,
          "node " + spec.name() + " cannot be started: " + e.getMessage(),
          "Its folder is " + spec.dir() + "; it must be writable and have space.",
          e);
    }
  }

  /** Root started it for another user: what was just written is that user's. */
  private static void giveAway(NodeSpec spec) throws IOException {
    ServerUser user = spec.user();
    if (user == null) {
      return;
    }
    for (Path root : List.of(spec.dir(), spec.data())) {
      try (Stream<Path> all = Files.walk(root)) {
        for (Path p : all.toList()) {
          if (!Files.isSymbolicLink(p)) {
            user.give(p);
          }
        }
      }
    }
  }

  /**
   * Runs the node in the foreground: its output is ours, Ctrl-C reaches it, and it ends with us.
   *
   * @param configure false to leave the configuration of an earlier start as it is
   * @return the node's exit code
   */
  public static int runInForeground(NodeSpec spec, boolean configure)
      throws IOException, InterruptedException {
    if (configure) {
      NodeConfig.write(spec);
    }
    ProcessBuilder builder = command(spec);
    builder.command().remove("-q");
    if (builder.command().getFirst().equals("setsid")) {
      builder.command().removeFirst();
    }
    return ForegroundProcess.run(builder, ForegroundProcess.GRACE);
  }

  /** A node that another process started. */
  public static NodeProcess attach(
      long pid, long startStamp, NodeAccess access, Path serverLog, Path consoleLog) {
    return new NodeProcess(pid, startStamp, access, serverLog, consoleLog, 0, List.of());
  }

  private static ProcessBuilder command(NodeSpec spec) {
    List<String> command = new ArrayList<>();
    if (Files.isExecutable(Path.of("/usr/bin/setsid"))) {
      command.add("setsid");
    }
    ServerUser user = spec.user();
    if (user != null) {
      command.addAll(user.prefix());
    }
    command.add(spec.tree().resolve("bin/opensearch").toString());
    command.add("-q");
    ProcessBuilder builder = new ProcessBuilder(command).directory(spec.tree().toFile());
    Map<String, String> env = builder.environment();
    // what the caller has in its environment for another node is not for this one
    env.remove("OPENSEARCH_JAVA_OPTS");
    env.remove("JAVA_TOOL_OPTIONS");
    env.put("OPENSEARCH_PATH_CONF", spec.config().toString());
    env.put("OPENSEARCH_JAVA_HOME", spec.javaHome().toString());
    env.put("OPENSEARCH_TMPDIR", spec.dir().resolve("tmp").toString());
    env.putAll(spec.env());
    return builder;
  }

  /**
   * Waits until the node has joined a cluster of so many nodes and every shard that can be assigned
   * is.
   *
   * @throws ExpectedFailure when the process ends before, with the cause from its log; or after the
   *     time given
   */
  public Health awaitGreen(int nodes, Duration timeout, Progress progress)
      throws InterruptedException {
    return await(health -> health.settled(nodes), timeout, progress);
  }

  /**
   * Waits until the node answers with a health that is enough.
   *
   * @throws ExpectedFailure as {@link #awaitGreen}
   */
  public Health await(Predicate<Health> enough, Duration timeout, Progress progress)
      throws InterruptedException {
    long start = System.nanoTime();
    Health last = null;
    while (true) {
      Duration waited = Duration.ofNanos(System.nanoTime() - start);
      if (!alive()) {
        throw died();
      }
      last = access.health(Duration.ofSeconds(2)).orElse(last);
      if (last != null && enough.test(last)) {
        return last;
      }
      if (waited.compareTo(timeout) > 0) {
        throw new ExpectedFailure(
            ExitCode.FAILED,
            "not ready after "
                + timeout.toSeconds()
                + " s: "
                + (last == null ? "port " + access.port() + " does not answer" : last.describe()),
            "It keeps running (pid " + pid + "); its log: " + serverLog);
      }
      progress.waiting(waited, last);
      Thread.sleep(200);
    }
  }

  /** Called a few times a second while waiting. */
  @FunctionalInterface
  public interface Progress {
    Progress NONE = (waited, health) -> {};

    void waiting(Duration waited, @Nullable Health health) throws InterruptedException;
  }

  private ExpectedFailure died() {
    List<String> cause = lastErrors(8);
    return new ExpectedFailure(
        ExitCode.FAILED,
        "the node ended during its start (pid "
            + pid
            + ")"
            + (cause.isEmpty() ? "" : ":\n  " + String.join("\n  ", cause)),
        "Its logs: " + serverLog + " and " + consoleLog);
  }

  /** The last lines of its logs that tell of an error, oldest first. */
  public List<String> lastErrors(int max) {
    SequencedMap<Path, Long> logs = new LinkedHashMap<>();
    logs.put(consoleLog, 0L);
    logs.put(serverLog, logStart);
    return LogErrors.last(logs, pid, max);
  }

  /** SIGTERM; does not wait. */
  public void terminate() {
    if (alive()) {
      ProcessHandle.of(pid).ifPresent(ProcessHandle::destroy);
    }
  }

  /**
   * Asks the node to end (SIGTERM) and, after the time given, ends it (SIGKILL).
   *
   * @return whether it ended by itself
   */
  public boolean stop(Duration grace) throws InterruptedException {
    terminate();
    if (awaitEnd(grace)) {
      return true;
    }
    kill9();
    return false;
  }

  /** SIGKILL: the node gets no chance to write anything. Returns when it is gone. */
  public void kill9() throws InterruptedException {
    if (alive()) {
      ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
      awaitEnd(Duration.ofSeconds(30));
    }
  }

  private boolean awaitEnd(Duration time) throws InterruptedException {
    long end = System.nanoTime() + time.toNanos();
    while (alive()) {
      if (System.nanoTime() > end) {
        return false;
      }
      Thread.sleep(50);
    }
    return true;
  }

  /** Whether this very process lives: a later one with the same pid does not count. */
  public boolean alive() {
    return ProcFs.alive(pid) && ProcFs.startStamp(pid) == startStamp;
  }

  /** How long ago it was started; nothing when it cannot be told. */
  public Duration age() {
    return ProcessHandle.of(pid)
        .flatMap(process -> process.info().startInstant())
        .map(start -> Duration.between(start, Instant.now()))
        .filter(age -> !age.isNegative())
        .orElse(Duration.ZERO);
  }

  /** Processor time used so far, user and system, in nanoseconds; -1 when it cannot be told. */
  public long cpuNanos() {
    return ProcFs.cpuNanos(pid);
  }

  public long pid() {
    return pid;
  }

  public long startStamp() {
    return startStamp;
  }

  /** Tells a process from a later one with the same pid; 0 when there is none. */
  public static long startStamp(long pid) {
    return ProcFs.startStamp(pid);
  }

  public int httpPort() {
    return access.port();
  }

  public Path serverLog() {
    return serverLog;
  }

  public Path consoleLog() {
    return consoleLog;
  }

  /** Flags of the profile that were left out because the JDK does not know them. */
  public List<String> skippedFlags() {
    return skippedFlags;
  }
}
