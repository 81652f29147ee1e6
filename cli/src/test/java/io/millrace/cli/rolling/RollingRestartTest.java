package io.millrace.cli.rolling;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.millrace.client.ClientOptions;
import io.millrace.client.ClusterClient;
import io.millrace.client.failure.ExpectedFailure;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RollingRestartTest {
  private final Map<String, Long> started = new ConcurrentSkipListMap<>();
  private final Map<String, String> names = new ConcurrentSkipListMap<>();
  private final List<String> calls = Collections.synchronizedList(new ArrayList<>());
  private final StringWriter said = new StringWriter();
  private volatile String manager = "a";
  private volatile String health = "green";
  private volatile int beginStatus = 200;
  private volatile String refusal = "{\"reason\":\"[node] is unknown\"}";
  private HttpServer server;

  @BeforeEach
  void threeNodes() throws IOException {
    started.putAll(Map.of("a", 100L, "b", 300L, "c", 200L));
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  /** The part of a cluster that the walk sees. The role leaves a node that is announced. */
  private void answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().toString();
    int status = 200;
    String body;
    if (path.startsWith("/_nodes")) {
      body =
          started.entrySet().stream()
              .map(node ->
                  ("\"%s\":{\"name\":\"%s\",\"host\":\"host-%s\",\"jvm\":"
                          + "{\"start_time_in_millis\":%d}}")
                      .formatted(
                          node.getKey(),
                          names.getOrDefault(node.getKey(), "name-" + node.getKey()),
                          node.getKey(),
                          node.getValue()))
              .collect(Collectors.joining(",", "{\"nodes\":{", "}}"));
    } else if (path.startsWith("/_cluster/health")) {
      body =
          ("{\"status\":\"%s\",\"number_of_nodes\":%d,\"unassigned_shards\":0}")
              .formatted(health, started.size());
    } else if (path.startsWith("/_cluster/state")) {
      body = "{\"cluster_manager_node\":\"" + manager + "\"}";
    } else {
      calls.add(path.replaceAll(".*/_(\\w+)\\?node=(\\w+).*", "$1 $2"));
      status = path.contains("_begin") ? beginStatus : 200;
      if (path.contains("_begin?node=" + manager)) {
        manager = "c";
      }
      body =
          status == 200 ? "{\"awaited\":[],\"notes\":[\"a note\"]}" : "{\"error\":" + refusal + "}";
    }
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  private int walk(Long since, Duration patience, RollingRestart.Hook hook) throws Exception {
    try (ClusterClient client =
        new ClusterClient(ClientOptions.local(server.getAddress().getPort()))) {
      return new RollingRestart(client, hook, patience, new PrintWriter(said)).walk(since);
    }
  }

  private int restarts(RollingRestart.Node node) {
    calls.add("hook " + node.name() + " " + node.host());
    started.put(node.id(), 1000L + node.started());
    return 0;
  }

  @Test
  void everyNodeIsRestartedOnceAndTheClusterManagerLast() throws Exception {
    assertEquals(0, walk(null, Duration.ofSeconds(30), this::restarts));
    assertEquals(
        List.of(
            "begin b",
            "hook name-b host-b",
            "end b",
            "begin c",
            "hook name-c host-c",
            "end c",
            "begin a",
            "hook name-a host-a",
            "end a"),
        calls);
    assertTrue(said.toString().contains("name-a: a note"), said.toString());
  }

  @Test
  void itStopsAtTheFirstTroubleAndGoesOnFromThere() throws Exception {
    ExpectedFailure failure =
        assertThrows(
            ExpectedFailure.class,
            () ->
                walk(
                    null,
                    Duration.ofSeconds(30),
                    node -> node.id().equals("c") ? 7 : restarts(node)));
    assertTrue(failure.getMessage().contains("the hook ended with 7 for name-c"));
    assertEquals("begin c", calls.get(calls.size() - 1));
    calls.clear();
    assertEquals(0, walk(300L, Duration.ofSeconds(30), this::restarts));
    assertEquals(
        List.of("begin c", "hook name-c host-c", "end c", "begin a", "hook name-a host-a", "end a"),
        calls);
  }

  @Test
  void aNodeThatIsNoNewProcessIsTrouble() {
    ExpectedFailure failure =
        assertThrows(ExpectedFailure.class, () -> walk(null, Duration.ofMillis(600), node -> 0));
    assertTrue(failure.getMessage().contains("name-b has not come back as a new process"));
    assertEquals(List.of("begin b"), calls);
  }

  @Test
  void nothingIsAnnouncedWhileTheClusterIsNotGreen() {
    health = "yellow";
    ExpectedFailure failure =
        assertThrows(
            ExpectedFailure.class, () -> walk(null, Duration.ofMillis(600), this::restarts));
    assertTrue(failure.getMessage().contains("the cluster is not green with 3 nodes: yellow"));
    assertEquals(List.of(), calls);
  }

  @Test
  void aRefusedAnnouncementStopsBeforeTheHook() {
    beginStatus = 400;
    ExpectedFailure failure =
        assertThrows(
            ExpectedFailure.class, () -> walk(null, Duration.ofSeconds(30), this::restarts));
    assertTrue(failure.getMessage().contains("name-b cannot be announced: HTTP 400 [node] is"));
    assertEquals(List.of("begin b"), calls);
  }

  @Test
  void aClusterWithoutThePluginIsWalkedAsWell() throws Exception {
    for (String stock :
        List.of(
            "\"no handler found for uri [/_millrace/restart/_begin] and method [POST]\"",
            "{\"reason\":\"No handler for action [cluster:admin/millrace/restart]\"}")) {
      calls.clear();
      beginStatus = 400;
      refusal = stock;
      assertEquals(0, walk(null, Duration.ofSeconds(30), this::restarts));
      assertEquals(3, calls.stream().filter(call -> call.startsWith("hook")).count());
      assertEquals(0, calls.stream().filter(call -> call.startsWith("end")).count());
      assertTrue(said.toString().contains("not announced"), said.toString());
    }
  }

  /** The clock of its machine is behind: its new start lies before all others. */
  @Test
  void aNodeWhoseClockLagsIsRestartedOnce() throws Exception {
    assertEquals(
        0,
        walk(
            null,
            Duration.ofSeconds(30),
            node -> {
              calls.add("hook " + node.name());
              started.put(node.id(), node.started() - 1);
              return 0;
            }));
    assertEquals(3, calls.stream().filter(call -> call.startsWith("hook")).count());
  }

  @Test
  void aNodeThatLostItsDataComesBackUnderItsName() throws Exception {
    assertEquals(
        0,
        walk(
            200L,
            Duration.ofSeconds(30),
            node -> {
              calls.add("hook " + node.name());
              if (node.id().equals("c")) {
                started.remove("c");
                started.put("d", 1200L);
                names.put("d", "name-c");
              } else {
                started.put(node.id(), 1100L);
              }
              return 0;
            }));
    assertEquals(
        List.of("hook name-c", "hook name-a"),
        calls.stream().filter(call -> call.startsWith("hook")).toList());
  }

  @Test
  void aTimeInTheFutureIsRefused() {
    ExpectedFailure failure =
        assertThrows(
            ExpectedFailure.class,
            () -> walk(Long.MAX_VALUE, Duration.ofSeconds(30), this::restarts));
    assertTrue(failure.getMessage().contains("--since " + Long.MAX_VALUE), failure.getMessage());
    assertEquals(List.of(), calls);
  }

  @Test
  void aHookThatDoesNotEndIsLeftAlone() throws Exception {
    RollingRestart.Node odd = new RollingRestart.Node("id", "a 'b\" $c; exit 9", "h", 1);
    StringWriter err = new StringWriter();
    ShellHook hangs = new ShellHook("exec sleep 3", Duration.ofMillis(200), new PrintWriter(err));
    assertEquals(ShellHook.TIMED_OUT, hangs.restart(odd));
    assertTrue(err.toString().contains("has not ended within"), err.toString());
    ShellHook names =
        new ShellHook(
            "test \"$MILLRACE_NODE_NAME\" = 'a '\\''b\" $c; exit 9'",
            Duration.ofSeconds(30),
            new PrintWriter(err));
    assertEquals(0, names.restart(odd));
    ShellHook wrong =
        new ShellHook("/no/such/command", Duration.ofSeconds(30), new PrintWriter(err));
    assertEquals(127, wrong.restart(odd));
  }
}
