package io.millrace.launcher.workspace;

import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Plugins of OpenSearch that the distribution carries under {@code optional/} and loads only where
 * somebody asked for them. A node loads what lies under {@code plugins/}: {@link TreeCopy} puts the
 * chosen ones there.
 *
 * <p>A choice stays until it is taken back, because an index that needs a plugin cannot be opened
 * without it. It is kept in a file beside the copy, not below {@code run/}: under root that folder
 * is another user's.
 */
public final class OptionalPlugins {
  /** Takes every choice back. */
  public static final String NONE = "none";

  static final String FOLDER = "optional";
  private static final String FILE = "plugins";
  private static final String PREFIX = "ingestion-";

  private final Workspace place;

  public OptionalPlugins(Workspace place) {
    this.place = place;
  }

  /** Names of what the distribution carries, sorted. */
  public Set<String> known() throws IOException {
    Path folder = place.source().resolve(FOLDER);
    if (!Files.isDirectory(folder)) {
      return Set.of();
    }
    try (Stream<Path> plugins = Files.list(folder)) {
      return plugins
          .filter(Files::isDirectory)
          .map(path -> path.getFileName().toString())
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  /** What was chosen and is still carried; empty where nobody chose. */
  public Set<String> chosen() throws IOException {
    if (!Files.isRegularFile(file(), LinkOption.NOFOLLOW_LINKS)) {
      return Set.of();
    }
    Set<String> chosen = new TreeSet<>(known());
    chosen.retainAll(Files.readAllLines(file()));
    return chosen;
  }

  /**
   * Adds to what was chosen.
   *
   * @param asked names as {@link #known} has them, with or without {@code ingestion-}; {@link
   *     #NONE} forgets what was chosen before
   * @return whether anything is different now
   * @throws ExpectedFailure with {@link ExitCode#USAGE} for a name that the distribution lacks,
   *     with {@link ExitCode#ENVIRONMENT} where nodes run from a tree that is not copied
   */
  public boolean choose(List<String> asked) throws IOException {
    if (place.tree().equals(place.source())) {
      requireInPlace(asked);
      return false;
    }
    Set<String> before = chosen();
    Set<String> chosen = new TreeSet<>(before);
    for (String name : asked) {
      if (name.equals(NONE)) {
        chosen.clear();
      } else {
        chosen.add(find(name));
      }
    }
    if (chosen.equals(before)) {
      return false;
    }
    Files.createDirectories(place.base());
    Files.write(file(), chosen);
    return true;
  }

  private String find(String name) throws IOException {
    Set<String> known = known();
    if (known.contains(name)) {
      return name;
    }
    if (known.contains(PREFIX + name)) {
      return PREFIX + name;
    }
    throw new ExpectedFailure(
        ExitCode.USAGE,
        "--plugin " + name + ": the distribution has no such plugin",
        known.isEmpty()
            ? "It has none; bin/opensearch-plugin installs plugins of others."
            : "It has: "
                + String.join(", ", known)
                + ". bin/opensearch-plugin installs plugins of others.");
  }

  /**
   * Nodes run right from an installed distribution, which is not ours to change.
   *
   * @throws ExpectedFailure when it is not as asked, with the command that makes it so
   */
  private void requireInPlace(List<String> asked) throws IOException {
    Path plugins = place.tree().resolve("plugins");
    for (String name : asked) {
      if (!name.equals(NONE)) {
        require(true, plugins.resolve(find(name)));
        continue;
      }
      for (String known : known()) {
        require(false, plugins.resolve(known));
      }
    }
  }

  private void require(boolean wanted, Path plugin) {
    if (Files.isDirectory(plugin) == wanted) {
      return;
    }
    Path carried = place.tree().resolve(FOLDER).resolve(plugin.getFileName());
    throw new ExpectedFailure(
        ExitCode.ENVIRONMENT,
        wanted
            ? "nodes run from "
                + place.tree()
                + ", and its plugins/ has no "
                + carried.getFileName()
            : "nodes run from " + place.tree() + ", and its plugins/ has " + carried.getFileName(),
        wanted ? "cp -r " + carried + " " + plugin : "rm -r " + plugin);
  }

  private Path file() {
    return place.base().resolve(FILE);
  }
}
