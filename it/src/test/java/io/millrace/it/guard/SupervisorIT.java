package io.millrace.it.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.it.support.Commands;
import io.millrace.it.support.Commands.Outcome;
import io.millrace.testkit.Await;
import io.millrace.testkit.Tree;
import io.millrace.testkit.cluster.Folders;
import io.millrace.testkit.cluster.Ports;
import io.millrace.testkit.http.JsonHttp;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A node that answers nothing is replaced, and status says why. */
class SupervisorIT {
  private Path state = Path.of("");
  private int port;

  @BeforeEach
  void up() throws IOException {
    state = Files.createTempDirectory("millrace-supervised-");
    Files.setPosixFilePermissions(state, PosixFilePermissions.fromString("rwxr-xr-x"));
    port = Ports.free(1).get(0);
    millrace("up", "--port", "" + port, "--heap", "512m", "--timeout", "600").ok();
  }

  @AfterEach
  void down() throws IOException {
    millrace("down", "--timeout", "10");
    Folders.remove(state);
  }

  private Outcome millrace(String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Tree.MILLRACE.home().resolve("bin/millrace").toString());
    command.addAll(List.of(arguments));
    return Commands.run(
        state,
        Map.of(
            "MILLRACE_STATE", state.resolve("s").toString(),
            "OPENSEARCH_JAVA_HOME", System.getProperty("java.home")),
        command);
  }

  private JsonNode status() {
    try {
      return JsonHttp.MAPPER.readTree(millrace("status", "--json").output());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private long pid() {
    return status().at("/nodes/0/pid").asLong();
  }

  @Test
  void aStoppedAndAKilledNodeComeBackWithTheirDocuments() throws Exception {
    try (JsonHttp http = new JsonHttp(URI.create("http://127.0.0.1:" + port))) {
      http.put("/kept/_doc/1?refresh=true", "{\"a\":1}").ok();
      assertTrue(status().get("supervised").asBoolean());

      long zombie = pid();
      Commands.run("kill", "-STOP", "" + zombie).ok();
      assertComesBack(zombie, "no answer on port " + port);
      assertKept(http);

      long victim = pid();
      Commands.run("kill", "-KILL", "" + victim).ok();
      assertComesBack(victim, "ended without a word");
      assertKept(http);
    }
    Outcome text = millrace("status").ok();
    assertTrue(text.output().contains("restarted at"), text.toString());
  }

  private static void assertKept(JsonHttp http) {
    Await.until(
        "the document",
        Duration.ofMinutes(5),
        () -> http.get("/kept/_doc/1").ok().at("/_source/a").asInt() == 1);
  }

  private void assertComesBack(long before, String reason) {
    Await.until(
        "the node is replaced",
        Duration.ofMinutes(10),
        () -> {
          JsonNode now = status();
          return now.at("/nodes/0/pid").asLong() != before
              && List.of("green", "yellow").contains(now.path("status").asText());
        });
    JsonNode now = status();
    assertNotEquals(before, now.at("/nodes/0/pid").asLong());
    // on a machine that stands still for seconds a later node may have been replaced as well
    int found = 0;
    for (JsonNode incident : now.at("/nodes/0/incidents")) {
      if (incident.path("pid").asLong() == before) {
        found++;
        assertTrue(incident.path("reason").asText().contains(reason), now.toString());
        assertEquals("restarted", incident.path("action").asText());
      }
    }
    assertEquals(1, found, now.toString());
  }
}
