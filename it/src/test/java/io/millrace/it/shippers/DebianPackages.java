package io.millrace.it.shippers;

import io.millrace.it.support.Commands;
import io.millrace.it.support.Commands.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** Packages of Debian, unpacked into a folder of the checkout: nothing is installed. */
final class DebianPackages {
  private DebianPackages() {}

  /**
   * The folder that stands for the root of the file system, made once per checkout. A test is
   * skipped where there is no apt, or where it has not these packages.
   */
  static Path unpacked(String name, List<String> packages) throws IOException {
    Path folder = Path.of("target/shippers", name).toAbsolutePath();
    Path root = folder.resolve("root");
    if (Files.exists(folder.resolve("ready"))) {
      return root;
    }
    Files.createDirectories(root);
    try {
      List<String> command = new ArrayList<>(List.of("apt-get", "download"));
      command.addAll(packages);
      Outcome got = Commands.run(folder, Map.of(), command);
      if (got.exitCode() != 0) {
        Commands.run("apt-get", "update"); // an image without lists of packages
        got = Commands.run(folder, Map.of(), command);
      }
      Assumptions.assumeTrue(got.exitCode() == 0, "NOT TESTED, " + name + ": " + got);
    } catch (IOException e) {
      Assumptions.abort("NOT TESTED: " + name + " needs apt-get: " + e.getMessage());
    }
    try (Stream<Path> files = Files.list(folder)) {
      for (Path each : files.filter(file -> file.toString().endsWith(".deb")).toList()) {
        Commands.run("dpkg-deb", "-x", each.toString(), root.toString()).ok();
      }
    }
    Files.createFile(folder.resolve("ready"));
    return root;
  }
}
