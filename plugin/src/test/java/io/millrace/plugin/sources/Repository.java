package io.millrace.plugin.sources;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The checkout that the tests run in.
 *
 * <p>Rules that hold for every module read the sources: the modules that are built after this one
 * have no class files yet when its tests run, and a rule that finds nothing to check passes.
 */
public final class Repository {
  private static final Set<String> SKIPPED = Set.of("target", "node_modules", "build");
  private static final Pattern BUILT =
      Pattern.compile(
          "[\\w-]+(\\.(java|xml|sh|py|js|ts|svelte|properties|options|yml|service|conf|policy))?");
  private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");

  private Repository() {}

  /** The folder that holds all modules: the first one upwards with kernel and plugin in it. */
  public static Path root() {
    for (Path path = Path.of("").toAbsolutePath(); path != null; path = path.getParent()) {
      if (Files.isDirectory(path.resolve("kernel")) && Files.isDirectory(path.resolve("plugin"))) {
        return path;
      }
    }
    throw new IllegalStateException("not inside a checkout of millrace");
  }

  /** The folders of the reactor's modules, in the order of pom.xml. */
  public static List<String> modules() {
    Matcher module = MODULE.matcher(read(root().resolve("pom.xml")));
    List<String> modules = new ArrayList<>();
    while (module.find()) {
      modules.add(module.group(1));
    }
    return modules;
  }

  /** Every Java source below the root, without build output and hidden folders. */
  public static List<JavaSource> javaSources() {
    return files(".java").stream().map(JavaSource::read).toList();
  }

  /** Every page, without those of hidden folders. */
  public static List<Path> pages() {
    return files(".md");
  }

  /** The text of everything that is built or run: sources, builds, scripts and configuration. */
  public static String buildText() {
    StringBuilder text = new StringBuilder();
    for (Path file : files("")) {
      String name = file.getFileName().toString();
      if (BUILT.matcher(name).matches()) {
        text.append(read(file)).append('\n');
      }
    }
    return text.toString();
  }

  private static List<Path> files(String suffix) {
    List<Path> found = new ArrayList<>();
    Path root = root();
    try {
      Files.walkFileTree(
          root,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes attributes) {
              String name = dir.getFileName().toString();
              boolean skip = !dir.equals(root) && (name.startsWith(".") || SKIPPED.contains(name));
              return skip ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
              if (file.toString().endsWith(suffix)) {
                found.add(file);
              }
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return found;
  }

  /** A file's text. */
  public static String read(Path file) {
    try {
      return Files.readString(file, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
