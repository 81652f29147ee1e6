package io.millrace.cli.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.cli.ingest.FakeNode;
import io.millrace.client.failure.ExpectedFailure;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 300, unit = TimeUnit.SECONDS)
class DemoTest {
  private static String run(Demo.Options options) {
    StringWriter out = new StringWriter();
    assertEquals(0, new Demo(options, new PrintWriter(out), new PrintWriter(out)).run());
    return out.toString();
  }

  @Test
  void defaultsAreStated() {
    Demo.Options options = Demo.Options.defaults("http://127.0.0.1:9200");
    assertEquals(200_000, options.documents());
    assertEquals(60, options.maxSeconds());
    assertNull(options.corpus());
  }

  @Test
  void streamsRecentDocumentsAndAsksThreeQuestions() throws IOException {
    try (FakeNode node = new FakeNode()) {
      node.hasMillrace();
      String out = run(new Demo.Options(List.of(node.url()), null, 3_000, 30, false));
      assertEquals(3_000, node.documents().size());
      JsonNode last = new ObjectMapper().readTree(node.documents().get(2_999));
      Instant time = Instant.parse(last.get("@timestamp").asText());
      assertTrue(Duration.between(time, Instant.now()).abs().toMinutes() < 10, time.toString());
      assertEquals(3, out.split("curl -s '" + node.url() + "/logs-demo/_search", -1).length - 1);
      assertTrue(out.contains("3000 indexed"), out);
      assertTrue(out.contains("Where to look next"), out);
      assertTrue(out.strip().endsWith(node.url() + "/_millrace/explore"), out);
    }
  }

  @Test
  void takesRealLines(@TempDir Path folder) throws IOException {
    Files.writeString(folder.resolve("shop_x.log"), "a real line\n");
    try (FakeNode node = new FakeNode()) {
      run(new Demo.Options(List.of(node.url()), folder, 10, 30, false));
      assertTrue(node.documents().get(0).contains("\"service\":\"shop\""));
      assertTrue(node.documents().get(0).contains("\"message\":\"a real line\""));
      ExpectedFailure absent =
          assertThrows(
              ExpectedFailure.class,
              () ->
                  run(new Demo.Options(List.of(node.url()), folder.resolve("no"), 10, 30, false)));
      assertEquals(2, absent.exitCode());
    }
  }
}
