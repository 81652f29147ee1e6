package io.millrace.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An assembled node on disk: stock OpenSearch, or the same with Millrace's plugin.
 *
 * <p>Both are built by the {@code distribution} module from the same artifacts, so that what
 * differs between two nodes is the plugin and nothing else. A tree that was not built is an error
 * with the command that builds it: a test must not pass because there was nothing to test.
 */
public enum Tree {
  STOCK("stock-"),
  MILLRACE("millrace-");

  private static final String BUILD = "mvn -pl distribution -am package -DskipTests";

  private final String prefix;

  Tree(String prefix) {
    this.prefix = prefix;
  }

  /**
   * The tree's home folder: {@code lib}, {@code modules}, {@code plugins}, {@code bin} and {@code
   * config} stand in it. The system property {@code millrace.tree.stock} or {@code
   * millrace.tree.millrace} names another one.
   *
   * @throws IllegalStateException when the tree is absent, with the command that builds it
   */
  public Path home() {
    @Nullable String named =
        System.getProperty("millrace.tree." + name().toLowerCase(java.util.Locale.ROOT));
    if (named != null) {
      return Path.of(named);
    }
    return only(
        checkout().resolve("distribution/target"),
        prefix,
        path -> Files.isDirectory(path.resolve("lib")),
        "the " + name().toLowerCase(java.util.Locale.ROOT) + " tree");
  }

  /**
   * The plugin zip that {@code opensearch-plugin install} takes.
   *
   * @throws IllegalStateException when it is absent, with the command that builds it
   */
  public static Path pluginZip() {
    return only(
        checkout().resolve("plugin/target"),
        "millrace-",
        path -> path.toString().endsWith(".zip"),
        "the plugin zip");
  }

  /** The root of the checkout: the nearest folder upwards that holds the distribution module. */
  public static Path checkout() {
    Path start = Path.of("").toAbsolutePath();
    for (@Nullable Path path = start; path != null; path = path.getParent()) {
      if (Files.isRegularFile(path.resolve("distribution/pom.xml"))) {
        return path;
      }
    }
    throw new IllegalStateException(
        start + " is not inside a Millrace checkout: run from the repository's root");
  }

  private static Path only(
      Path folder, String prefix, java.util.function.Predicate<Path> is, String what) {
    List<Path> found = List.of();
    if (Files.isDirectory(folder)) {
      try (Stream<Path> entries = Files.list(folder)) {
        found =
            entries
                .filter(path -> path.getFileName().toString().startsWith(prefix))
                .filter(is)
                .sorted()
                .toList();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    if (found.size() == 1) {
      return found.get(0);
    }
    throw new IllegalStateException(
        found.isEmpty()
            ? what + " is not in " + folder + ": build it with `" + BUILD + "`"
            : "more than one " + what + " in " + folder + " " + found + ": run `mvn clean` first");
  }
}
