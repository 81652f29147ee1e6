package io.millrace.it.shippers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.it.support.Commands;
import io.millrace.it.support.Commands.Outcome;
import io.millrace.it.support.Maven;
import io.millrace.it.support.SharedCluster;
import io.millrace.testkit.Tree;
import io.millrace.testkit.cluster.Folders;
import io.millrace.testkit.http.JsonHttp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An application whose Logback has the appender of loki4j, with the configuration that the page of
 * shippers has, in protobuf with Snappy and in JSON. The node refuses the first batches: every line
 * arrives once, with its level, labels and metadata.
 */
class Loki4jIT {
  @RegisterExtension static final SharedCluster CLUSTER = SharedCluster.of(Tree.MILLRACE, 1);

  private static final Path SHOP = Path.of("src/test/resources/io/millrace/it/shippers/Shop.java");
  private static final int LINES = 2_000;
  private static final int REFUSED = 2;

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void everyLineArrivesOnce(boolean protobuf) throws IOException {
    Path folder = Files.createTempDirectory("millrace-loki4j-");
    try (ReluctantNode node = new ReluctantNode(CLUSTER.http().base(), REFUSED)) {
      String appender = Page.configuration("loki4j", node.port());
      String setting = "<useProtobufApi>true<";
      assertTrue(appender.contains(setting), appender);
      Path configuration = folder.resolve("logback.xml");
      Files.writeString(
          configuration,
          "<configuration>\n"
              + appender.replace(setting, "<useProtobufApi>" + protobuf + "<")
              + "<root level=\"info\"><appender-ref ref=\"MILLRACE\"/></root>\n</configuration>\n");
      Outcome outcome =
          Commands.run(
                  folder,
                  Map.of(),
                  List.of(
                      Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                      "-Dlogback.configurationFile=" + configuration,
                      "-cp",
                      jars() + "/*",
                      SHOP.toAbsolutePath().toString(),
                      "" + LINES))
              .ok();
      assertEquals(0, node.left(), outcome.toString());
      linesAreRight(CLUSTER.http(), outcome);
    } finally {
      Folders.remove(folder);
    }
  }

  /** Fetched once per checkout; a test is skipped where they cannot be had. */
  private static Path jars() throws IOException {
    Path folder = Path.of("target/shippers/loki4j").toAbsolutePath();
    if (!Files.exists(folder.resolve("ready"))) {
      Maven.fetch(
          "loki4j",
          "-f",
          Path.of("src/test/resources/loki4j/pom.xml").toAbsolutePath().toString(),
          Maven.DEPENDENCY + "copy-dependencies",
          "-DoutputDirectory=" + folder);
      Files.createFile(folder.resolve("ready"));
    }
    return folder;
  }

  private static void linesAreRight(JsonHttp http, Outcome outcome) {
    http.post("/logs-loki-*/_refresh").ok();
    JsonNode hits = http.get("/logs-loki-*/_search?size=3000").ok().at("/hits/hits");
    Set<Integer> numbers = new HashSet<>();
    for (JsonNode hit : hits) {
      JsonNode line = hit.path("_source");
      int number = Integer.parseInt(line.path("message").asText().replaceAll("\\D", ""));
      assertTrue(numbers.add(number), "twice: " + number);
      assertEquals("line " + number, line.path("message").asText().strip());
      assertEquals("WARN", line.path("level").asText(), line.toString());
      assertEquals("shop", line.path("labels").path("app").asText(), line.toString());
      assertEquals("t" + number, line.path("metadata").path("trace").asText(), line.toString());
    }
    assertEquals(LINES, numbers.size(), outcome.toString());
  }
}
