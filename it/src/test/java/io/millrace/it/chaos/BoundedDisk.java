package io.millrace.it.chaos;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A small disk of its own for one node: a tmpfs, which only root may mount. */
final class BoundedDisk implements AutoCloseable {
  private final Path folder;

  private BoundedDisk(Path folder) {
    this.folder = folder;
  }

  /**
   * Mounts it.
   *
   * @return empty where this process may not
   */
  static Optional<BoundedDisk> mount(int megabytes) throws IOException {
    Path folder = Files.createTempDirectory("millrace-disk-");
    String options = "size=" + megabytes + "m,mode=1777";
    if (run("mount", "-t", "tmpfs", "-o", options, "tmpfs", folder.toString())) {
      return Optional.of(new BoundedDisk(folder));
    }
    Files.delete(folder);
    return Optional.empty();
  }

  private static boolean run(String... command) {
    Process process;
    try {
      process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
    } catch (IOException e) {
      return false; // there is no such command
    }
    try {
      return process.waitFor(20, TimeUnit.SECONDS) && process.exitValue() == 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      process.destroyForcibly(); // one that hangs
    }
  }

  /** Where it is mounted. */
  Path folder() {
    return folder;
  }

  /** Writes until the disk takes no more. */
  void fill() {
    byte[] block = new byte[1 << 12];
    try (OutputStream out = Files.newOutputStream(ballast())) {
      while (true) {
        out.write(block);
      }
    } catch (IOException e) {
      // the disk is full, which is what was asked for
    }
  }

  /** Takes away what {@link #fill} wrote. */
  void free() {
    try {
      Files.deleteIfExists(ballast());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path ballast() {
    return folder.resolve("ballast");
  }

  @Override
  public void close() throws IOException {
    if (!run("umount", folder.toString())) {
      throw new IOException(folder + " cannot be unmounted");
    }
    Files.delete(folder);
  }
}
