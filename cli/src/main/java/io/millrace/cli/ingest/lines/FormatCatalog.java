package io.millrace.cli.ingest.lines;

import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The formats of a run: those of a file or folder that the user names, then the built-in ones of
 * the resource folder {@code formats}, which a file {@code index} lists.
 */
public final class FormatCatalog {
  private static final String SUFFIX = ".format";

  private FormatCatalog() {}

  /** The formats that come with the command, in the order of their index. */
  public static List<FormatDefinition> builtIn() {
    List<FormatDefinition> all = new ArrayList<>();
    for (String name : resource("index").lines().toList()) {
      if (!name.isBlank()) {
        all.add(FormatDefinition.read(resource(name + SUFFIX), name + SUFFIX));
      }
    }
    return all;
  }

  private static String resource(String name) {
    try (InputStream in =
        FormatCatalog.class.getResourceAsStream("/io/millrace/cli/ingest/formats/" + name)) {
      if (in == null) {
        throw new IllegalStateException(
            "the index of the formats names " + name + ", which is absent");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IllegalStateException("the command's own resources cannot be read", e);
    }
  }

  /**
   * The formats of a file or of all {@code *.format} files of a folder.
   *
   * @throws ExpectedFailure when one cannot be read or is not right
   */
  public static List<FormatDefinition> of(Path path) {
    try {
      if (!Files.isDirectory(path)) {
        return List.of(FormatDefinition.read(Files.readString(path), path.toString()));
      }
      List<FormatDefinition> all = new ArrayList<>();
      try (Stream<Path> files = Files.list(path)) {
        for (Path file : files.filter(f -> f.toString().endsWith(SUFFIX)).sorted().toList()) {
          all.add(FormatDefinition.read(Files.readString(file), file.toString()));
        }
      }
      if (all.isEmpty()) {
        throw new ExpectedFailure(
            ExitCode.USAGE,
            "--format " + path + " has no files *" + SUFFIX,
            "Name a file, or a folder of files that end so.");
      }
      return all;
    } catch (IOException e) {
      throw new ExpectedFailure(
          ExitCode.USAGE, "--format " + path + " cannot be read: " + e.getMessage(), null, e);
    }
  }
}
