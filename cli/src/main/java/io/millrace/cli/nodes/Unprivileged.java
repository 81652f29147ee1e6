package io.millrace.cli.nodes;

import io.millrace.cli.terminal.Terminal;
import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import io.millrace.launcher.machine.PortHolder;
import io.millrace.launcher.node.ForegroundProcess;
import io.millrace.launcher.workspace.OptionalPlugins;
import io.millrace.launcher.workspace.RootFolder;
import io.millrace.launcher.workspace.ServerUser;
import io.millrace.launcher.workspace.TreeCopy;
import io.millrace.launcher.workspace.Workspace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Root's share of a command that starts or stops nodes: put the tree where the server's user can
 * read it, make the folder that user owns, and run the same command again as that user.
 *
 * <p>So everything that follows - ports, configuration, processes, state - happens without root's
 * rights, and root never writes into a folder that someone else could have filled with links:
 * {@link RootFolder} says which those are. A folder that was there keeps its mode and its owner.
 */
final class Unprivileged {
  private static final String RERUN = "millrace.rerun";

  /** Where the user stood; that user's folder need not be one the server's may enter. */
  static final String FROM = "millrace.from";

  /** Its own child, a node in the foreground, has ended before. */
  private static final Duration GRACE = ForegroundProcess.GRACE.plusSeconds(10);

  private final Workspace place;
  private final Terminal terminal;

  Unprivileged(Workspace place, Terminal terminal) {
    this.place = place;
    this.terminal = terminal;
  }

  /** Whether this process is the one that root started. */
  static boolean isRerun() {
    return System.getProperty(RERUN) != null;
  }

  /** A path counted from where the user called, also in the process that root started. */
  static Path asCalled(Path path) {
    Path whole = Path.of(System.getProperty(FROM, "")).toAbsolutePath().resolve(path);
    // "a/.." is not always "." (links)
    return whole.toString().contains("..") ? whole : whole.normalize();
  }

  /**
   * @param data an absolute folder the user named for documents; made when missing
   * @return the exit code of the command run as the server's user
   */
  int rerun(@Nullable Path data) throws IOException, InterruptedException {
    Path base = place.base();
    ServerUser user = prepare(data);
    List<String> command = new ArrayList<>(user.prefix());
    command.addAll(
        List.of(
            Path.of(System.getProperty("java.home"), "bin/java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-Xshare:auto",
            "-XX:+UseSerialGC",
            "-Xmx256m",
            "-D" + RERUN + "=true",
            "-D" + FROM + "=" + Path.of("").toAbsolutePath(),
            "-D" + Workspace.TREE + "=" + place.tree(),
            "-D" + Workspace.BASE + "=" + place.base(),
            "-D" + PortHolder.SNAPSHOT + "=" + new PortHolder().snapshot(),
            "-cp",
            place.tree().resolve("lib/tools/cli") + "/*",
            terminal.program().getName()));
    command.addAll(terminal.words());
    ProcessBuilder builder = new ProcessBuilder(command).directory(base.toFile());
    builder.environment().put("HOME", place.run().toString());
    return ForegroundProcess.run(builder, GRACE);
  }

  /**
   * Everything root does itself.
   *
   * @return who runs the command
   */
  ServerUser prepare(@Nullable Path data) throws IOException, InterruptedException {
    RootFolder.make(place.base());
    String advice = place.advice();
    if (advice != null) {
      terminal.note(advice);
    }
    // run first: its group stays the same, and the copy is open to that group
    List<Path> owned = new ArrayList<>(List.of(place.run()));
    if (data != null) {
      owned.add(data);
    }
    ServerUser user = ServerUser.choose(owned, System.getenv());
    terminal.detail("server runs as uid " + user.uid() + ": " + user.why());
    user.requireWay(
        place.base(),
        "Set MILLRACE_STATE to a folder that every user can reach, or open the way: chmod o+x.");
    stage(user);
    user.requireAccess(
        place.tree().resolve("bin/opensearch"),
        "Set MILLRACE_STATE to a folder that every user can reach.");
    user.requireAccess(
        Path.of(System.getProperty("java.home"), "bin/java"),
        "Install the JDK where every user can read it, such as /usr/lib/jvm.");
    own(place.run(), user);
    if (data != null) {
      own(data.toAbsolutePath(), user);
    }
    return user;
  }

  private void stage(ServerUser user) throws IOException {
    if (!place.tree().equals(place.source())) {
      RootFolder.make(place.tree());
      TreeCopy.Outcome copy =
          TreeCopy.sync(
              place.source(), place.tree(), user.gid(), new OptionalPlugins(place).chosen());
      terminal.detail(
          copy.changed() + " files of the distribution brought up to date in " + place.tree());
      noteLeft(copy, terminal);
    }
  }

  /** Says which keystores a copy of the tree is without. */
  static void noteLeft(TreeCopy.Outcome copy, Terminal terminal) {
    copy.left()
        .forEach(keystore ->
            terminal.note(keystore + " is not copied: every node has its own (millrace keystore)"));
  }

  private static void own(Path dir, ServerUser user) throws IOException, InterruptedException {
    if (!Files.exists(dir)) {
      user.makeOwn(dir);
    }
    int owner = (Integer) Files.getAttribute(dir, "unix:uid");
    if (owner != user.uid()) {
      throw new ExpectedFailure(
          ExitCode.ENVIRONMENT,
          dir + " belongs to uid " + owner + "; the server would run as uid " + user.uid(),
          "If that is right, change its owner yourself: chown -R "
              + (user.uid() + ":" + user.gid() + " " + dir));
    }
  }
}
