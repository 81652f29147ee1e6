package io.millrace.it.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.it.support.Commands;
import io.millrace.it.support.Commands.Outcome;
import io.millrace.launcher.workspace.ServerUser;
import io.millrace.testkit.Await;
import io.millrace.testkit.Tree;
import io.millrace.testkit.cluster.Archives;
import io.millrace.testkit.cluster.Folders;
import io.millrace.testkit.cluster.FreePorts;
import io.millrace.testkit.http.JsonHttp;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * {@code bin/millrace} of the distribution as its users type it: as whoever runs the tests and,
 * where that is root, as an ordinary user as well.
 */
class LauncherIT {
  private Path state = Path.of("");
  private int port;

  static Stream<String> users() {
    return ServerUser.root() ? Stream.of("root", "ordinary") : Stream.of("ordinary");
  }

  @BeforeEach
  void prepare() throws IOException {
    state = Files.createTempDirectory("millrace-up-");
    Files.setPosixFilePermissions(state, PosixFilePermissions.fromString("rwxr-xr-x"));
    port = FreePorts.free(1).get(0);
  }

  @AfterEach
  void stopAndRemove() throws IOException {
    for (String user : users().toList()) {
      if (Files.exists(folder(user))) {
        millrace(user, "down");
      }
    }
    Folders.remove(state);
  }

  private Path folder(String user) {
    return state.resolve(user);
  }

  private Outcome millrace(String user, String... arguments) throws IOException {
    return millrace(user, Map.of(), arguments);
  }

  private Outcome millrace(String user, Map<String, String> more, String... arguments)
      throws IOException {
    Map<String, String> environment = new HashMap<>(more);
    environment.put("MILLRACE_STATE", folder(user).toString());
    environment.put("HOME", folder(user).toString());
    environment.put("OPENSEARCH_JAVA_HOME", System.getProperty("java.home"));
    List<String> command = new ArrayList<>();
    Path folder = folder(user);
    if (!Files.exists(folder)) {
      Files.createDirectory(folder);
    }
    if (ServerUser.root() && user.equals("ordinary")) {
      ServerUser ordinary = new ServerUser(59_201, 59_201, "a test's ordinary user");
      if (ServerUser.root() && (Integer) Files.getAttribute(folder, "unix:uid") == 0) {
        ordinary.give(folder);
        // root's start is the one that lists its classes, as on a new machine
        Archives.lend(Tree.MILLRACE.home(), folder, ordinary);
      }
      command.addAll(ordinary.prefix());
    }
    command.add(Tree.MILLRACE.home().resolve("bin/millrace").toString());
    command.addAll(List.of(arguments));
    return Commands.run(state, environment, command);
  }

  @ParameterizedTest
  @MethodSource("users")
  void upAgainStatusAndDown(String user) throws IOException {
    assertReachable(user);
    String at = "http://127.0.0.1:" + port;
    // a path from where the user stands; the server's user is started elsewhere
    String documents = "./" + user + "/documents";
    List<String> first =
        List.of("up", "--port", "" + port, "--heap", "512m", "--data", documents, "--timeout");
    Outcome up =
        millrace(user, with(first, "600", "--supervise", "0", "-E", "node.attr.rack=r1")).ok();
    assertTrue(up.output().contains(at), up.toString());
    try (JsonHttp http = new JsonHttp(URI.create(at))) {
      http.put("/kept/_doc/1?refresh=true", "{\"a\":1}").ok();

      Outcome again = millrace(user, "up", "--port", "" + port).ok();
      assertTrue(again.output().contains("already running"), again.toString());

      JsonNode status = json(millrace(user, "status", "--json").ok());
      assertTrue(status.get("running").asBoolean(), status.toString());
      assertEquals(at, status.get("url").asText());
      assertEquals(1, status.get("documents").asInt());
      JsonNode node = status.get("nodes").get(0);
      assertTrue(node.get("alive").asBoolean());
      Path process = Path.of("/proc", node.get("pid").asText());
      if (Files.exists(process)) {
        assertNotEquals(
            0, Files.getAttribute(process, "unix:uid"), "the server never runs as root");
      }

      assertTrue(Files.isDirectory(folder(user).resolve("documents/node-1/nodes")), up.toString());
      assertFalse(Files.exists(folder(user).resolve("documents/millrace-forming")));

      // as after a reboot: neither the settings nor the folder are asked for again; and with a JVM
      // that talks on standard output, as it does of a cgroup that moved: no flags to start with
      Map<String, String> talks = Map.of("JDK_JAVA_OPTIONS", "-Xlog:gc=info:stdout");
      ProcessHandle.of(node.get("pid").asLong()).ifPresent(ProcessHandle::destroyForcibly);
      Await.until("the node's end", Duration.ofSeconds(60), () -> !Files.exists(process));
      millrace(user, talks, "up", "--timeout", "600").ok();
      assertEquals(1, http.get("/kept/_doc/1").ok().at("/_source/a").asInt());
      JsonNode nodes = http.get("/_nodes/_local?filter_path=**.attributes").ok().at("/nodes");
      assertEquals("r1", nodes.elements().next().at("/attributes/rack").asText());

      millrace(user, "down", "--timeout", "300").ok();
      Outcome after = millrace(user, "status", "--json");
      assertEquals(3, after.exitCode(), after.toString());
      assertFalse(json(after).get("running").asBoolean());
    }
    assertTrue(millrace(user, "down").ok().output().contains("nothing is running"));
  }

  @ParameterizedTest
  @MethodSource("users")
  void aTakenPortIsAnErrorThatNamesTheHolder(String user) throws IOException {
    assertReachable(user);
    try (ServerSocket holder = new ServerSocket()) {
      holder.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      Outcome up = millrace(user, "up", "--port", "" + port, "--heap", "512m");
      assertEquals(4, up.exitCode(), up.toString());
      assertTrue(up.output().contains("port " + port + " is taken by"), up.toString());
      if (user.equals("root") || !ServerUser.root()) {
        assertTrue(up.output().contains("pid " + ProcessHandle.current().pid()), up.toString());
      }
      assertFalse(up.output().contains("\tat "), "no stack trace: " + up);
    }
  }

  @ParameterizedTest
  @MethodSource("users")
  void aWrongOptionIsOneClearLine(String user) throws IOException {
    assertReachable(user);
    Outcome wrong = millrace(user, "up", "--prot", "9200");
    assertEquals(2, wrong.exitCode(), wrong.toString());
    assertTrue(wrong.output().contains("--prot"), wrong.toString());
    assertFalse(wrong.output().contains("\tat "), "no stack trace: " + wrong);
  }

  /** An ordinary user cannot run a tree under somebody's private home: that is no finding. */
  private static void assertReachable(String user) throws IOException {
    if (ServerUser.root() && user.equals("ordinary")) {
      List<String> test = new ArrayList<>(new ServerUser(59_201, 59_201, "test").prefix());
      Path launcher = Tree.MILLRACE.home().resolve("bin/millrace");
      test.addAll(List.of("test", "-x", launcher.toString()));
      int code = Commands.run(Path.of("/"), Map.of(), test).exitCode();
      Assumptions.assumeTrue(
          code == 0,
          "NOT TESTED as an ordinary user: " + launcher + " stands where only root can read it");
    }
  }

  private static String[] with(List<String> arguments, String... more) {
    return Stream.concat(arguments.stream(), Stream.of(more)).toArray(String[]::new);
  }

  private static JsonNode json(Outcome outcome) throws IOException {
    return JsonHttp.MAPPER.readTree(outcome.output());
  }
}
