package io.millrace.cli.nodes;

import io.millrace.cli.terminal.Terminal;
import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import io.millrace.launcher.cluster.ClusterState;
import io.millrace.launcher.workspace.OptionalPlugins;
import io.millrace.launcher.workspace.ServerUser;
import io.millrace.launcher.workspace.TreeCopy;
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
    return ServerUser.root() ? new Unprivileged(place, terminal()).rerun(data) : -1;
  }

  /** Brings the tree the nodes run from up to date with the one the command line runs from. */
  final void syncTree(Workspace place) throws IOException {
    if (!place.tree().equals(place.source())) {
      Unprivileged.noteLeft(
          TreeCopy.sync(place.source(), place.tree(), new OptionalPlugins(place).chosen()),
          terminal());
    }
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

  final Terminal terminal() {
    return new Terminal(spec);
  }

  final PrintWriter out() {
    return terminal().out();
  }

  final PrintWriter err() {
    return terminal().err();
  }
}
