package io.millrace.launcher.workspace;

import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.HexFormat;
import java.util.Map;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * Where things are.
 *
 * <pre>
 * base/dist/   the tree nodes run from: a copy of the build's in a checkout ({@link TreeCopy})
 * base/run/    cluster.json, nodes/NAME/{config,data,logs,tmp}, certificates/,
 *              secrets/; the server's user owns it
 * </pre>
 *
 * base is {@code MILLRACE_STATE} when set; else, for root, a folder under {@code
 * /var/lib/millrace-up} named after the checkout or installation (the server's user must reach it:
 * /root is closed to it); else {@code .millrace} of the checkout, or {@code
 * ~/.local/state/millrace} of an installed distribution.
 *
 * <p>Not under {@code /var/lib/millrace}, as earlier versions had it: the systemd unit gives that
 * folder, and all in it, to the service's user (StateDirectory, systemd.exec(5)), who could put
 * links in root's way. A folder that such a version made is still used where it is root's own.
 *
 * @param source the tree the command line itself runs from
 * @param tree the tree nodes run from
 * @param checkout root of the source tree, {@code null} for an installed distribution
 */
public record Workspace(Path source, Path tree, Path base, @Nullable Path checkout) {
  /** System properties set by the launcher script, and by the command itself for its child. */
  public static final String TREE = "millrace.tree";

  public static final String CHECKOUT = "millrace.checkout";
  public static final String BASE = "millrace.base";

  private static final Path LIB = Path.of("/var/lib");
  private static final String ROOTS = "millrace-up";
  private static final String SERVICES = "millrace";

  public static Workspace locate() throws IOException {
    Path source = Path.of(System.getProperty(TREE, ".")).toAbsolutePath();
    String checkout = System.getProperty(CHECKOUT, "");
    String base = System.getProperty(BASE, "");
    if (!base.isEmpty()) {
      return new Workspace(source, source, Path.of(base), null);
    }
    return locate(
        source,
        checkout.isEmpty() ? null : Path.of(checkout),
        ServerUser.root(),
        System.getenv(),
        Path.of(System.getProperty("user.home")));
  }

  static Workspace locate(
      Path source, @Nullable Path checkout, boolean root, Map<String, String> env, Path home)
      throws IOException {
    return locate(source, checkout, root, env, home, LIB);
  }

  /**
   * @param lib where programs keep their state
   */
  static Workspace locate(
      Path source,
      @Nullable Path checkout,
      boolean root,
      Map<String, String> env,
      Path home,
      Path lib)
      throws IOException {
    Path base;
    String given = env.getOrDefault("MILLRACE_STATE", "");
    if (!given.isEmpty()) {
      base = Path.of(given).toAbsolutePath();
    } else if (root) {
      String name = nameOf(checkout == null ? source : checkout);
      Path earlier = lib.resolve(SERVICES).resolve(name);
      base = lib.resolve(ROOTS).resolve(name);
      if (!Files.exists(base, LinkOption.NOFOLLOW_LINKS) && RootFolder.is(earlier)) {
        base = earlier;
      }
    } else if (checkout != null) {
      base = checkout.resolve(".millrace");
    } else {
      String xdg = env.getOrDefault("XDG_STATE_HOME", "");
      base = (xdg.isEmpty() ? home.resolve(".local/state") : Path.of(xdg)).resolve("millrace");
    }
    boolean copy = checkout != null || (root && !readableByAll(source));
    return new Workspace(source, copy ? base.resolve("dist") : source, base, checkout);
  }

  /** Readable, and telling two checkouts of the same name apart. */
  private static String nameOf(Path dir) {
    CRC32 crc = new CRC32();
    crc.update(dir.toString().getBytes(StandardCharsets.UTF_8));
    return dir.getFileName().toString().replaceAll("[\\s:]", "_")
        + "-"
        + HexFormat.of().toHexDigits((int) crc.getValue());
  }

  private static boolean readableByAll(Path dir) throws IOException {
    for (Path p = dir.toRealPath(); p.getParent() != null; p = p.getParent()) {
      if (!Files.getPosixFilePermissions(p, LinkOption.NOFOLLOW_LINKS)
          .contains(PosixFilePermission.OTHERS_EXECUTE)) {
        return false;
      }
    }
    return true;
  }

  /** What root should know about the place of its state; {@code null} for nothing. */
  public @Nullable String advice() {
    return advice(LIB);
  }

  @Nullable String advice(Path lib) {
    Path roots = lib.resolve(ROOTS);
    Path earlier = lib.resolve(SERVICES).resolve(base.getFileName());
    if (base.equals(earlier)) {
      return base
          + " is where a millrace service would take it over; to move it: millrace down, then"
          + (" mkdir -p -m 755 " + roots + " && mv " + base + " " + roots);
    }
    if (roots.equals(base.getParent()) && Files.isDirectory(earlier, LinkOption.NOFOLLOW_LINKS)) {
      return earlier + ", of an earlier version, is not used: the state is in " + base;
    }
    return null;
  }

  public Path run() {
    return base.resolve("run");
  }

  public Path stateFile() {
    return run().resolve("cluster.json");
  }

  public Path nodes() {
    return run().resolve("nodes");
  }

  /** The certificates of the nodes that run here ({@code millrace certificates}). */
  public Path certificates() {
    return run().resolve("certificates");
  }

  /** Archives of classes ({@code bin/opensearch-archive}), one folder for all nodes. */
  public Path archives() {
    return run().resolve("archives");
  }

  /** What the launcher needs to ask secured nodes, and the hashes that they get; mode 0700. */
  public Path secrets() {
    return run().resolve("secrets");
  }

  /**
   * Nodes log and keep temporary files below {@link #base}, and say so in JVM flags: those are
   * separated by blanks ({@code bin/opensearch}), the parts of {@code -Xlog} by colons.
   *
   * @throws ExpectedFailure when the path has one of them
   */
  public void requirePlain() {
    if (base.toString().matches(".*[\\s:].*")) {
      throw new ExpectedFailure(
          ExitCode.ENVIRONMENT,
          "nodes cannot run in \"" + base + "\": the path has a blank or a colon",
          "Set MILLRACE_STATE to a folder whose path has none.");
    }
  }
}
