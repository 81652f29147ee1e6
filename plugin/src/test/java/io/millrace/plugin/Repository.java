package io.millrace.plugin;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The checkout that the tests run in. */
public final class Repository {
  private static final Set<String> SKIPPED = Set.of("target", "node_modules", "build");

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

  /** Every Java source below the root, without build output and hidden folders. */
  public static List<Path> javaSources() throws IOException {
    List<Path> sources = new ArrayList<>();
    Path root = root();
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
            if (file.toString().endsWith(".java")) {
              sources.add(file);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return sources;
  }

  /** A file's text. */
  public static String read(Path file) throws IOException {
    return Files.readString(file, StandardCharsets.UTF_8);
  }
}
