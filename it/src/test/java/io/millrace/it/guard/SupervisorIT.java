package io.millrace.it.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.it.support.Commands;
import io.millrace.it.support.Commands.Outcome;
import io.millrace.testkit.Await;
import io.millrace.testkit.Tree;
import io.millrace.testkit.cluster.Archives;
import io.millrace.testkit.cluster.Cluster;
import io.millrace.testkit.cluster.Folders;
import io.millrace.testkit.cluster.FreePorts;
import io.millrace.testkit.http.JsonHttp;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * A node that answers nothing is replaced, and status says why. The seconds that it prints are for
 * guard.gc-debt's page; how long is too long is judged there, not here.
 */
class SupervisorIT {
  private Path state = Path.of("");
  private int port;

  @BeforeEach
  void folders() throws IOException {
    state = Files.createTempDirectory("millrace-supervised-");
    Files.setPosixFilePermissions(state, PosixFilePermissions.fromString("rwxr-xr-x"));
    port = FreePorts.free(1).get(0);
    Archives.lend(Tree.MILLRACE.home(), state.resolve("s"));
  }

  private void up(String... more) throws IOException {
    List<String> arguments =
        new ArrayList<>(List.of("up", "--port", "" + port, "--heap", "512m", "--timeout", "600"));
    arguments.addAll(List.of(more));
    millrace(arguments.toArray(String[]::new)).ok();
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
    Map<String, String> environment =
        new HashMap<>(
            Map.of(
                "MILLRACE_STATE", state.resolve("s").toString(),
                "OPENSEARCH_JAVA_HOME", System.getProperty("java.home")));
    if (arguments[0].equals("up")) { // the others say nothing but JSON
      environment.put("JDK_JAVA_OPTIONS", Cluster.SHORT_LIVED);
    }
    return Commands.run(state, environment, command);
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
    up();
    try (JsonHttp http = new JsonHttp(URI.create("http://127.0.0.1:" + port))) {
      http.put("/kept/_doc/1?refresh=true", "{\"a\":1}").ok();
      assertTrue(status().get("supervised").asBoolean());

      long zombie = pid();
      Commands.run("kill", "-STOP", "" + zombie).ok();
      tellHowLong("SIGSTOP", zombie);
      assertComesBack(zombie, "no answer on port " + port);
      assertKept(http);

      long victim = pid();
      Commands.run("kill", "-KILL", "" + victim).ok();
      tellHowLong("SIGKILL", victim);
      assertComesBack(victim, "ended without a message");
      assertKept(http);

      long crashed = pid();
      Commands.run("kill", "-SEGV", "" + crashed).ok();
      tellHowLong("SIGSEGV", crashed);
      assertComesBack(crashed, "SIGSEGV");
      assertKept(http);

      long asked = pid();
      Commands.run("kill", "-TERM", "" + asked).ok();
      tellHowLong("SIGTERM", asked);
      assertComesBack(asked, "signal 15 (TERM)");
      assertKept(http);
    }
    Outcome text = millrace("status").ok();
    assertTrue(text.output().contains("restarted at"), text.toString());
  }

  /**
   * The heap fills behind every other guard's back. Whatever ends it, the debt's own stages or the
   * process's end and the supervisor, the node serves again and the documents are there. It takes
   * minutes where the machine is busy, so it runs by command.
   */
  @Test
  @EnabledIfSystemProperty(named = "millrace.supervisor.heap", matches = "true")
  void aFullHeapMakesNoZombie() throws Exception {
    up("-E", "millrace.guard.request_breaker.enabled=false");
    try (JsonHttp http = new JsonHttp(URI.create("http://127.0.0.1:" + port));
        HealthGaps gaps = new HealthGaps(port)) {
      StormKind.K2.prepare(http);
      long before = pid();
      Map<String, Visitors> clients = StormKind.K2.come(port, new Acknowledgements("none"));
      Await.until(
          "the debt to act, or the node to be replaced",
          Duration.ofMinutes(10),
          () -> stopped(http) > 0 || pid() != before);
      for (Visitors visitors : clients.values()) {
        visitors.close();
      }
      Await.until("an answer", Duration.ofMinutes(10), () -> gaps.silence() < 0.5);
      System.out.printf(
          "full heap: longest time without an answer %.1f s, %d requests stopped, incidents %s%n",
          gaps.longestOutage(), stopped(http), status().at("/nodes/0/incidents"));
      Await.until("the documents", Duration.ofMinutes(5), () -> StormKind.K2.lost(http) == 0);
    }
  }

  /**
   * Requests that the debt refused and searches that it cancelled; 0 from a node that is silent.
   */
  private static long stopped(JsonHttp http) {
    try {
      JsonNode stats = http.get("/_millrace/stats").ok().json();
      return AlarmWatch.figure(stats, "guard.gc-debt", "shed")
          + AlarmWatch.figure(stats, "guard.gc-debt", "cancelled");
    } catch (UncheckedIOException | AssertionError e) {
      return 0;
    }
  }

  /** From now: until the process is gone, and until the next one is healthy. */
  private void tellHowLong(String what, long before) throws InterruptedException {
    long began = System.nanoTime();
    Await.until(
        "the process to be gone",
        Duration.ofMinutes(5),
        () -> ProcessHandle.of(before).filter(ProcessHandle::isAlive).isEmpty());
    double gone = (System.nanoTime() - began) / 1e9;
    try (HealthGaps gaps = new HealthGaps(port)) {
      Await.until("an answer", Duration.ofMinutes(10), () -> gaps.answers() > 0);
    }
    double serving = (System.nanoTime() - began) / 1e9;
    System.out.printf("%s: gone after %.1f s, serving after %.1f s%n", what, gone, serving);
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
