package io.millrace.bench;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The sources this bench was built from: where they are, and which revision. */
final class Checkout {
  private Checkout() {}

  /** The folder that holds {@code distribution/}, above the bench's jar or the current folder. */
  static Path root() {
    for (Path start : new @Nullable Path[] {jar(), Path.of("").toAbsolutePath()}) {
      for (Path folder = start; folder != null; folder = folder.getParent()) {
        if (Files.isRegularFile(folder.resolve("distribution/pom.xml"))) {
          return folder;
        }
      }
    }
    return Path.of("").toAbsolutePath();
  }

  private static @Nullable Path jar() {
    try {
      return Path.of(Checkout.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      return null; // an unusual class loader: the current folder is searched next
    }
  }

  /** A tree that was named, or the last one that the build has made under a name that begins so. */
  static Path tree(Path root, @Nullable Path named, String prefix) throws IOException {
    if (named != null) {
      return named.toAbsolutePath();
    }
    Path target = root.resolve("distribution/target");
    if (Files.isDirectory(target)) {
      try (Stream<Path> list = Files.list(target)) {
        return list.filter(path -> path.getFileName().toString().startsWith(prefix))
            .filter(Files::isDirectory)
            .sorted()
            .reduce((first, second) -> second)
            .orElse(target.resolve(prefix));
      }
    }
    return target.resolve(prefix);
  }

  /** The folder of a run's report, made: the one that was named, or one of the present time. */
  static Path report(Path root, @Nullable Path named) throws IOException {
    Path folder = named;
    if (folder == null) {
      String time =
          LocalDateTime.now(ZoneOffset.UTC)
              .format(DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT));
      folder = root.resolve(".millrace/bench").resolve(time);
    }
    return Files.createDirectories(folder).toAbsolutePath();
  }

  /** The short revision, with {@code +changes} when files were changed; "unknown" without git. */
  static String revision(Path root) {
    String revision = git(root, "rev-parse", "--short=12", "HEAD");
    if (revision.isEmpty()) {
      return "unknown";
    }
    return git(root, "status", "--porcelain", "-uno").isEmpty() ? revision : revision + "+changes";
  }

  private static String git(Path root, String... words) {
    String[] command = new String[words.length + 3];
    command[0] = "git";
    command[1] = "-C";
    command[2] = root.toString();
    System.arraycopy(words, 0, command, 3, words.length);
    try {
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
      String output =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      return process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0 ? output : "";
    } catch (IOException e) {
      return ""; // no git on this machine
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "";
    }
  }
}
