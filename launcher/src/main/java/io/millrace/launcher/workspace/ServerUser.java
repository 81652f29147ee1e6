package io.millrace.launcher.workspace;

import com.sun.security.auth.module.UnixSystem;
import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The user a node runs as when the caller is root: OpenSearch refuses uid 0
 * (Bootstrap#initializeNatives), and a server that parses what the network sends should not be able
 * to do more than it must.
 *
 * @param uid never 0
 * @param why how it was chosen, for {@code --verbose}
 */
public record ServerUser(int uid, int gid, String why) {
  /**
   * Without a better choice: a fixed number, so that the files of one start are the next one's. In
   * the range of ordinary users, where neither Debian nor systemd allocate by themselves.
   */
  static final int FALLBACK = 59200;

  /** Whether this process is root. */
  public static boolean root() {
    return new UnixSystem().getUid() == 0;
  }

  /**
   * The owner of what is there already, else who called sudo, else a user made for the purpose,
   * else a number.
   *
   * @param owned folders whose owner decides, first one that exists and is not root's
   */
  public static ServerUser choose(List<Path> owned, Map<String, String> env) throws IOException {
    for (Path dir : owned) {
      if (Files.exists(dir) && owner(dir) != 0) {
        return new ServerUser(
            owner(dir), (int) (Integer) Files.getAttribute(dir, "unix:gid"), "owner of " + dir);
      }
    }
    Optional<Integer> sudo = number(env.get("SUDO_UID")).filter(uid -> uid > 0);
    if (sudo.isPresent()) {
      return new ServerUser(
          sudo.get(), number(env.get("SUDO_GID")).orElse(sudo.get()), "who called sudo");
    }
    List<String> passwd = Files.readAllLines(Path.of("/etc/passwd"));
    for (String name : List.of("millrace", "opensearch")) {
      Optional<ServerUser> user = named(name, passwd);
      if (user.isPresent()) {
        return user.get();
      }
    }
    return new ServerUser(FALLBACK, FALLBACK, "no user millrace or opensearch exists");
  }

  static Optional<ServerUser> named(String name, List<String> passwd) {
    for (String line : passwd) {
      String[] f = line.split(":");
      if (f.length > 3 && f[0].equals(name)) {
        int uid = Integer.parseInt(f[2]);
        return uid == 0
            ? Optional.empty()
            : Optional.of(new ServerUser(uid, Integer.parseInt(f[3]), "user " + name));
      }
    }
    return Optional.empty();
  }

  /** The words before a command that run it as this user, without any other group. */
  public List<String> prefix() {
    String user = Integer.toString(uid);
    String group = Integer.toString(gid);
    if (Files.isExecutable(Path.of("/usr/bin/setpriv"))) {
      return List.of(
          "setpriv", "--reuid", user, "--regid", group, "--clear-groups", "--no-new-privs");
    }
    for (String chroot : List.of("/usr/sbin/chroot", "/usr/bin/chroot")) {
      if (Files.isExecutable(Path.of(chroot))) {
        return List.of(chroot, "--userspec=" + user + ":" + group, "--groups=" + group, "/");
      }
    }
    throw new ExpectedFailure(
        ExitCode.ENVIRONMENT,
        "root cannot change to an ordinary user here: neither setpriv nor chroot is installed",
        "Install util-linux, or run millrace as an ordinary user.");
  }

  /**
   * @throws ExpectedFailure when this user cannot read or run the file
   */
  public void requireAccess(Path file, String remedy) throws IOException, InterruptedException {
    require("read " + file, remedy, "test", "-r", file.toString());
  }

  /**
   * @throws ExpectedFailure when this user cannot reach what is in the folder
   */
  public void requireWay(Path dir, String remedy) throws IOException, InterruptedException {
    require("pass through " + dir, remedy, "test", "-x", dir.toString());
  }

  /**
   * Makes a folder with this user's rights.
   *
   * @throws ExpectedFailure when it may not
   */
  public void make(Path dir) throws IOException, InterruptedException {
    require("make " + dir, "Make it yourself, for that user.", "mkdir", "-p", dir.toString());
  }

  private void require(String what, String remedy, String... tried)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(prefix());
    command.addAll(List.of(tried));
    Process test = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(test.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    if (test.waitFor() != 0) {
      throw new ExpectedFailure(
          ExitCode.ENVIRONMENT,
          "user "
              + uid
              + ", which the server would run as, cannot "
              + what
              + (said.isEmpty() ? "" : " (" + said + ")"),
          remedy);
    }
  }

  /**
   * Makes a folder that root just created this user's. For what root itself made, where nobody else
   * could replace it ({@link RootFolder}); a link is given away itself, not what it names.
   */
  public void give(Path dir) throws IOException {
    Files.setAttribute(dir, "unix:gid", gid, LinkOption.NOFOLLOW_LINKS);
    Files.setAttribute(dir, "unix:uid", uid, LinkOption.NOFOLLOW_LINKS);
  }

  /**
   * Makes a folder that is missing and gives it to this user: as root where the way to it is
   * root's, else with this user's own rights.
   */
  public void makeOwn(Path dir) throws IOException, InterruptedException {
    Path parent = dir.getParent();
    if (parent == null || RootFolder.makeWay(parent)) {
      Files.createDirectory(dir);
      give(dir);
    } else {
      make(dir);
    }
  }

  static int owner(Path dir) throws IOException {
    return (Integer) Files.getAttribute(dir, "unix:uid");
  }

  private static Optional<Integer> number(@Nullable String text) {
    return text == null || !text.matches("\\d{1,9}")
        ? Optional.empty()
        : Optional.of(Integer.valueOf(text));
  }
}
