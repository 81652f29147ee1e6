package io.millrace.bench.peers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** What a side keeps on disk. */
final class PeerFolder {
  private PeerFolder() {}

  /** The bytes of all files below a folder. */
  static long bytes(Path folder) throws IOException {
    List<Path> files;
    try (Stream<Path> tree = Files.walk(folder)) {
      files = tree.filter(Files::isRegularFile).toList();
    }
    long sum = 0;
    for (Path file : files) {
      try {
        sum += Files.size(file);
      } catch (NoSuchFileException e) {
        continue; // removed between listing and looking
      }
    }
    return sum;
  }
}
