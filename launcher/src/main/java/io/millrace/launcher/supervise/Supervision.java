package io.millrace.launcher.supervise;

import io.millrace.launcher.node.NodeProcess;
import io.millrace.launcher.secure.NodeAccess;
import io.millrace.launcher.workspace.Workspace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The supervisor's process: started by {@code up}, ended by {@code down}; {@code
 * run/supervisor.pid} holds pid, start time and patience.
 */
public final class Supervision {
  /** Silence after which a node is killed; with one look a second it dies within 15 s. */
  public static final int SECONDS = 10;

  private final Workspace place;
  private final Path record;

  public Supervision(Workspace place) {
    this.place = place;
    this.record = place.run().resolve("supervisor.pid");
  }

  /** The running one. */
  public Optional<NodeProcess> find() {
    try {
      if (!Files.isReadable(record)) {
        return Optional.empty();
      }
      String[] parts = Files.readString(record).strip().split(" ", 2);
      NodeProcess process =
          NodeProcess.attach(
              Long.parseLong(parts[0]),
              Long.parseLong(parts[1]),
              new NodeAccess(0, null),
              log(),
              log());
      return process.alive() ? Optional.of(process) : Optional.empty();
    } catch (IOException | RuntimeException e) {
      return Optional.empty();
    }
  }

  /** What it did, in plain lines. */
  public Path log() {
    return place.run().resolve("supervisor.log");
  }

  /**
   * Starts one in a session of its own; without effect when one runs.
   *
   * @param seconds of silence after which a node is killed
   * @param served whether the nodes have all answered: else they are given time to start
   * @param main class of the command line
   */
  public void start(int seconds, boolean served, Class<?> main) throws IOException {
    if (find().isPresent()) {
      return;
    }
    List<String> command = new ArrayList<>();
    if (Files.isExecutable(Path.of("/usr/bin/setsid"))) {
      command.add("setsid");
    }
    command.addAll(
        List.of(
            Path.of(System.getProperty("java.home"), "bin/java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-Xshare:auto",
            "-XX:+UseSerialGC",
            "-Xmx32m",
            "-D" + Workspace.TREE + "=" + place.tree(),
            "-D" + Workspace.BASE + "=" + place.base(),
            "-cp",
            place.tree().resolve("lib/tools/cli") + "/*",
            main.getName(),
            "supervise",
            "--silent-for",
            Integer.toString(seconds)));
    if (served) {
      command.add("--served");
    }
    Process process =
        new ProcessBuilder(command)
            .directory(place.run().toFile())
            .redirectInput(Path.of("/dev/null").toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()))
            .start();
    try {
      Files.writeString(record, process.pid() + " " + NodeProcess.startStamp(process.pid()) + "\n");
    } catch (IOException e) {
      process.destroyForcibly(); // or nobody would find it
      throw e;
    }
  }

  /** Ends it; returns when it is gone. */
  public void stop() throws IOException, InterruptedException {
    Optional<NodeProcess> running = find();
    if (running.isPresent()) {
      running.get().stop(Duration.ofSeconds(5));
    }
    Files.deleteIfExists(record);
  }
}
