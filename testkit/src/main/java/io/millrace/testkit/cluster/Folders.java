package io.millrace.testkit.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.CopyOption;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.stream.Stream;

/** Whole folders: copied and removed. */
public final class Folders {
  private Folders() {}

  /** Copies a folder with permissions, links as links; the target must not exist. */
  public static void copy(Path from, Path to) throws IOException {
    CopyOption[] options = {StandardCopyOption.COPY_ATTRIBUTES, LinkOption.NOFOLLOW_LINKS};
    try (Stream<Path> paths = Files.walk(from)) {
      for (Path path : (Iterable<Path>) paths::iterator) {
        Files.copy(path, to.resolve(from.relativize(path).toString()), options);
      }
    }
  }

  /** Removes a folder with all it holds; one that is gone already is no error. */
  public static void remove(Path folder) {
    try (Stream<Path> paths = Files.walk(folder)) {
      for (Path path : (Iterable<Path>) paths.sorted(Comparator.reverseOrder())::iterator) {
        Files.deleteIfExists(path);
      }
    } catch (NoSuchFileException e) {
      // nothing to remove
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
