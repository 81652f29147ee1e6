package io.millrace.doctor.kafka;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import io.millrace.doctor.kafka.KafkaFacts.Lag;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KafkaFactsTest {
  @TempDir Path folder;

  private Path file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  /** As kafka-consumer-groups.sh writes it: several tables, rows without an owner, warnings. */
  @Test
  void lagsOfAllGroupsAndVersions() throws IOException {
    Path described =
        file(
            "lag.txt",
            """

            Consumer group 'idle' has no active members.

            GROUP  TOPIC  PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG        CONSUMER-ID  HOST  CLIENT-ID
            idle   logs   0          10              400000010       400000000  -            -     -
            idle   logs   1          -               7               -          -            -     -
            Warning: Consumer group 'busy' is rebalancing.
            TOPIC  PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG  CONSUMER-ID
            spans  3          5               8               3    c-1
            """);
    assertEquals(
        List.of(new Lag("idle", "logs", 0, 400_000_000), new Lag("", "spans", 3, 3)),
        KafkaFacts.read(List.of(), List.of(described)).lags());
  }

  @Test
  void propertiesOfEachFile() throws IOException {
    Path producer =
        file("producer.properties", "# of a shipper\nlinger.ms=0\nbatch.size = 16384\n");
    KafkaFacts facts = KafkaFacts.read(List.of(producer), List.of());
    assertEquals("16384", facts.clients().get(producer.toString()).getProperty("batch.size"));
    KafkaFacts anonymous =
        new KafkaFacts(
                facts.clients(), List.of(new Lag("pay", "logs", 0, 9), new Lag("pay", "x", 1, 8)))
            .anonymised();
    assertTrue(anonymous.clients().containsKey("client-1.properties"));
    assertEquals(anonymous.lags().get(0).group(), anonymous.lags().get(1).group());
    assertFalse(anonymous.toString().contains("pay"), anonymous::toString);
  }

  @Test
  void badFilesAreNamed() throws IOException {
    said("holds no row with GROUP", List.of(), List.of(file("page.html", "<html>LAG TOPIC")));
    said("there is no such file", List.of(), List.of(folder.resolve("none")));
    said("holds no properties", List.of(file("bad", "a=\\u12")), List.of());
  }

  private static void said(String what, List<Path> properties, List<Path> described) {
    ExpectedFailure failure =
        assertThrows(ExpectedFailure.class, () -> KafkaFacts.read(properties, described));
    assertEquals(ExitCode.INPUT, failure.exitCode());
    assertTrue(failure.getMessage().contains(what), failure::getMessage);
  }
}
