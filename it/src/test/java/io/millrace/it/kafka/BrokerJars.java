package io.millrace.it.kafka;

import io.millrace.it.support.Maven;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The jars of a Kafka broker, fetched once per checkout. */
final class BrokerJars {
  private BrokerJars() {}

  /** The folder of the jars. Where they cannot be had, the test is skipped and says why. */
  static Path folder() throws IOException {
    Path folder = Path.of("target/kafka-broker").toAbsolutePath();
    if (Files.exists(folder.resolve("ready"))) {
      return folder;
    }
    Path pom = Path.of("src/test/resources/kafka/pom.xml").toAbsolutePath();
    Maven.fetch(
        "Kafka broker",
        "-f",
        pom.toString(),
        Maven.DEPENDENCY + "copy-dependencies",
        "-DoutputDirectory=" + folder);
    Files.createFile(folder.resolve("ready"));
    return folder;
  }
}
