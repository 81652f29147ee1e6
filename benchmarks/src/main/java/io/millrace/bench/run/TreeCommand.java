package io.millrace.bench.run;

import io.millrace.bench.term.BenchFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A command of the {@code millrace} that lies in a tree, as its users run it. */
public final class TreeCommand {
  private TreeCommand() {}

  /**
   * Runs the command to its end.
   *
   * @param tree an assembled tree of Millrace
   * @param output where to keep what it says meanwhile; the file is deleted afterwards
   * @param words the command and its arguments
   * @throws BenchFailure when the command does not end with 0, with what it said
   */
  public static void run(Path tree, Path output, List<String> words) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(tree.resolve("bin/millrace").toString());
    command.addAll(words);
    try {
      ProcessBuilder builder =
          new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
      builder.environment().put("OPENSEARCH_JAVA_HOME", System.getProperty("java.home"));
      int code = end(builder.start());
      if (code != 0) {
        throw new BenchFailure(
            "millrace " + words.get(0) + " ended with " + code + ": " + Files.readString(output));
      }
    } finally {
      Files.deleteIfExists(output);
    }
  }

  private static int end(Process process) {
    try {
      return process.waitFor();
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new BenchFailure("interrupted", e);
    }
  }
}
