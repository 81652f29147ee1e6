package io.millrace.cli;

import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import io.millrace.launcher.cluster.ClusterState;
import io.millrace.launcher.workspace.ServerUser;
import io.millrace.launcher.workspace.Workspace;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.RandomAccessFile;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** What the commands about nodes share: where things are, and giving up root's rights. */
abstract class NodeCommand implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  CommandSpec spec;

  /** Runs this very command as the server's user when the caller is root, else returns -1. */
  final int asServerUser(Workspace place, @Nullable Path data)
      throws IOException, InterruptedException {
    if (!ServerUser.root()) {
      return -1;
    }
    return new Unprivileged(place, root())
        .rerun(root().spec().commandLine().getParseResult().originalArgs(), data);
  }

  /** One command at a time changes what runs here. */
  final AutoCloseable exclusively(Workspace place) throws IOException {
    Files.createDirectories(place.run());
    RandomAccessFile file = new RandomAccessFile(place.run().resolve("lock").toFile(), "rw");
    FileLock lock = file.getChannel().tryLock();
    if (lock == null) {
      err().println("another millrace command works here; waiting for it");
      err().flush();
      lock = file.getChannel().lock();
    }
    return file; // closing it releases the lock
  }

  final ClusterState running(Workspace place) {
    return ClusterState.read(place.stateFile())
        .orElseThrow(() ->
            new ExpectedFailure(
                ExitCode.NOT_RUNNING, "nothing is running here", "Start it: millrace up"));
  }

  final MillraceCommand root() {
    return (MillraceCommand) spec.root().userObject();
  }

  final PrintWriter out() {
    return spec.commandLine().getOut();
  }

  final PrintWriter err() {
    return spec.commandLine().getErr();
  }
}
