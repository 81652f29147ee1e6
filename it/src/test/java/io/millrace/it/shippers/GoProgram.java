package io.millrace.it.shippers;

import io.millrace.it.support.Commands;
import io.millrace.it.support.Commands.Outcome;
import io.millrace.testkit.cluster.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;

/** Shippers that are Go modules: each is built from the few lines of a main program. */
final class GoProgram {
  /** No compiler of C is asked for. */
  private static final Map<String, String> PURE = Map.of("CGO_ENABLED", "0");

  private GoProgram() {}

  /**
   * The program of a folder of {@code src/test/resources}, built once per checkout. A test is
   * skipped where there is no Go, or where its modules cannot be had.
   */
  static Path built(String name) throws IOException {
    Path folder = Path.of("target/shippers", name).toAbsolutePath();
    Path binary = folder.resolve(name);
    if (Files.exists(binary)) {
      return binary;
    }
    Folders.remove(folder); // of a build that failed
    Folders.copy(Path.of("src/test/resources", name), folder);
    Files.move(folder.resolve("main.go.txt"), folder.resolve("main.go"));
    try {
      Outcome got = Commands.run(folder, Map.of(), List.of("go", "mod", "download"));
      Assumptions.assumeTrue(got.exitCode() == 0, "NOT TESTED, no modules: " + got);
    } catch (IOException e) {
      Assumptions.abort("NOT TESTED: " + name + " needs go: " + e.getMessage());
    }
    Commands.run(folder, PURE, List.of("go", "build", "-o", binary.toString(), ".")).ok();
    return binary;
  }
}
