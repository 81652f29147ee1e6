package io.millrace.it.kafka;

import io.millrace.it.support.Commands;
import io.millrace.it.support.Commands.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;

/**
 * The jars of a Kafka broker, fetched once per checkout from where Maven fetches everything: by a
 * test that needs them, so that no other build pays for them.
 */
final class BrokerJars {
  private BrokerJars() {}

  /** The folder of the jars. Where they cannot be had, the test is skipped and says why. */
  static Path folder() throws IOException {
    Path folder = Path.of("target/kafka-broker").toAbsolutePath();
    if (Files.exists(folder.resolve("ready"))) {
      return folder;
    }
    Path pom = Path.of("src/test/resources/kafka/pom.xml").toAbsolutePath();
    try {
      Outcome fetched =
          Commands.again(
              3,
              Path.of(""),
              Map.of("JAVA_HOME", System.getProperty("java.home")),
              List.of(
                  "mvn",
                  "-B",
                  "-q",
                  "-f",
                  pom.toString(),
                  "dependency:copy-dependencies",
                  "-DoutputDirectory=" + folder));
      Assumptions.assumeTrue(
          fetched.exitCode() == 0, "NOT TESTED, no Kafka broker from Maven: " + fetched);
    } catch (IOException e) {
      Assumptions.abort("NOT TESTED: a Kafka broker needs mvn: " + e.getMessage());
    }
    Files.createFile(folder.resolve("ready"));
    return folder;
  }
}
