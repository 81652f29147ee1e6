package io.millrace.it.skywalking;

import io.millrace.it.support.Maven;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;

/**
 * The jars of OAP 10.1.0, 262 of them, 132 MB. Maven resolves them when a test wants them and keeps
 * them in its own repository; no build asks for them.
 */
final class OapLibraries {
  /** What the tests of this package add to them: settings and rules. */
  static final Path RESOURCES = Path.of("src/test/resources/skywalking").toAbsolutePath();

  /** The reporting program, which java runs from its source. */
  static final Path REPORTER =
      Path.of("src/test/resources/io/millrace/it/skywalking/SendSegments.java").toAbsolutePath();

  private static final Path POM = RESOURCES.resolve("libraries/pom.xml");

  private OapLibraries() {}

  /** Their class path; without Maven or without a repository that has them the test is skipped. */
  static String classPath() throws IOException {
    Path file = Path.of("target/skywalking/classpath").toAbsolutePath();
    if (!Files.exists(file) || modified(file).compareTo(modified(POM)) < 0) {
      Files.createDirectories(file.getParent());
      Path part = file.resolveSibling("classpath.part");
      Maven.fetch(
          "libraries of OAP",
          "-f",
          POM.toString(),
          Maven.DEPENDENCY + "build-classpath",
          "-Dmdep.outputFile=" + part);
      Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
    }
    return Files.readString(file).strip();
  }

  private static FileTime modified(Path file) throws IOException {
    return Files.getLastModifiedTime(file);
  }
}
