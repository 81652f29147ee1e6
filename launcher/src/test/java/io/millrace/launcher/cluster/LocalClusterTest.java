package io.millrace.launcher.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import io.millrace.launcher.machine.PortHolder;
import io.millrace.launcher.machine.ProcFs;
import io.millrace.launcher.node.NodeProcess;
import io.millrace.launcher.node.NodeSpec;
import io.millrace.launcher.workspace.Workspace;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The life of a cluster over a tree whose nodes only sleep; this test answers on their ports. */
class LocalClusterTest {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final String SLEEPS = "exec sleep 300";

  /** As a node that gets as far as OpenSearch's state on disk, and no further. */
  private static final String DIES_BEFORE_AN_ELECTION =
      """
      data=$(sed -n 's/^path.data: //p' "$OPENSEARCH_PATH_CONF/opensearch.yml" | tr -d '"')
      mkdir -p "$data/nodes/0/_state" && touch "$data/nodes/0/_state/segments_1"
      exit 1\
      """;

  @TempDir private Path dir;
  private final List<HttpServer> servers = new ArrayList<>();
  private Workspace place = new Workspace(Path.of(""), Path.of(""), Path.of(""), null);
  private ClusterPlanner planner = new ClusterPlanner(place, Path.of(""));
  private LocalCluster cluster = new LocalCluster(place);
  private int port;

  @BeforeEach
  void aTree() throws IOException {
    Path tree = dir.resolve("tree");
    Files.createDirectories(tree.resolve("bin"));
    Files.createDirectories(tree.resolve("config/jvm.options.d"));
    Files.writeString(tree.resolve("config/jvm.options"), "-Xms1g\n");
    Files.writeString(tree.resolve("config/log4j2.properties"), "status = error\n");
    place = new Workspace(tree, tree, dir.resolve("base"), null);
    Files.createDirectories(place.run());
    planner = new ClusterPlanner(place, Path.of(System.getProperty("java.home")));
    cluster = new LocalCluster(place);
    port =
        IntStream.iterate(21_000, p -> p + 7)
            .filter(p -> IntStream.of(p, p + 1, p + 100, p + 101).allMatch(PortHolder::free))
            .findFirst()
            .orElseThrow();
    nodesThat(SLEEPS);
  }

  @AfterEach
  void stop() throws InterruptedException {
    servers.forEach(server -> server.stop(0));
    kill();
  }

  private void nodesThat(String script) throws IOException {
    Path launcher = place.tree().resolve("bin/opensearch");
    Files.writeString(launcher, "#!/bin/sh\n" + script + "\n");
    assertTrue(launcher.toFile().setExecutable(true));
  }

  /** As a machine that goes down: every node ends, the record stays. */
  private void kill() throws InterruptedException {
    for (ClusterState.Node node : recorded().map(ClusterState::nodes).orElse(List.of())) {
      node.process().kill9();
    }
  }

  private Optional<ClusterState> recorded() {
    return ClusterState.read(place.stateFile());
  }

  private UpRequest request(
      @Nullable Integer nodes, @Nullable Path data, Map<String, String> settings) {
    return new UpRequest(nodes, port, "512m", null, data, null, false, settings);
  }

  private static UpRequest none() {
    return new UpRequest(null, null, null, null, null, null, false, Map.of());
  }

  /** What {@code up} would start now. */
  private ClusterPlan plan(UpRequest request) throws IOException {
    ClusterState before = recorded().orElse(null);
    return planner.plan(request, before, before == null ? List.of() : before.living());
  }

  private HttpServer answers(int at, String... healths) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), at), 0);
    List<String> left = new ArrayList<>(List.of(healths));
    server.createContext(
        "/_cluster/health",
        exchange -> {
          String[] health = (left.size() > 1 ? left.removeFirst() : left.getFirst()).split(" ");
          byte[] body =
              ("{\"status\":\"" + health[0] + "\",\"number_of_nodes\":" + health[1] + "}")
                  .getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    servers.add(server);
    return server;
  }

  private void start(ClusterPlan plan) throws IOException, InterruptedException {
    List<HttpServer> now = new ArrayList<>();
    int nodes = plan.specs().size() + plan.living().size();
    for (NodeSpec spec : plan.specs()) {
      now.add(answers(spec.httpPort(), "green " + nodes));
    }
    cluster.start(plan, LONG, NodeProcess.Progress.NONE, new ArrayList<>());
    now.forEach(server -> server.stop(0));
  }

  private ExpectedFailure startFails(ClusterPlan plan, Duration timeout) {
    return assertThrows(
        ExpectedFailure.class,
        () -> cluster.start(plan, timeout, NodeProcess.Progress.NONE, new ArrayList<>()));
  }

  private List<String> yml(String node) throws IOException {
    return Files.readAllLines(place.nodes().resolve(node).resolve("config/opensearch.yml"));
  }

  @Test
  void settingsAreThereAgainAfterACrash() throws Exception {
    start(plan(request(2, null, Map.of("node.attr.rack", "r1", "path.repo", "/backup"))));
    kill();
    ClusterPlan again = plan(none());
    assertEquals(2, again.specs().size());
    start(again);
    for (String node : List.of("node-1", "node-2")) {
      assertTrue(yml(node).contains("node.attr.rack: r1"), yml(node).toString());
      assertTrue(yml(node).contains("path.repo: /backup"), yml(node).toString());
    }
    recorded().orElseThrow().nodes().getLast().process().kill9();
    ClusterPlan missing = plan(none());
    assertEquals(List.of("node-2"), missing.specs().stream().map(NodeSpec::name).toList());
    start(missing);
    assertTrue(yml("node-2").contains("node.attr.rack: r1"), yml("node-2").toString());
    assertEquals(2, recorded().orElseThrow().living().size());
  }

  @Test
  void aRecordWithoutSettingsLeavesTheConfigurationAsItIs() throws Exception {
    start(plan(request(1, null, Map.of("node.attr.rack", "r1"))));
    kill();
    ClusterState now = recorded().orElseThrow();
    new ClusterState(
            now.version(), now.cluster(), null, now.startedAt(), now.tree(), now.nodes(), null)
        .write(place.stateFile());
    start(plan(none()));
    assertTrue(yml("node-1").contains("node.attr.rack: r1"), yml("node-1").toString());
    assertEquals(null, recorded().orElseThrow().settings(), "still not known");
  }

  @Test
  void aRestartThatFailsKeepsTheRecord() throws Exception {
    Path data = dir.resolve("documents");
    start(plan(request(1, data, Map.of("a", "b"))));
    kill();
    Optional<ClusterState> before = recorded();
    nodesThat("exit 1");
    startFails(plan(none()), LONG);
    assertEquals(before, recorded());
    startFails(plan(new UpRequest(null, null, "600m", null, null, null, false, Map.of())), LONG);
    assertEquals(before, recorded(), "a wish that failed is none");
    assertEquals(data.resolve("node-1"), plan(none()).specs().getFirst().data());
  }

  @Test
  void aRequestAfterACrashChangesOnlyWhatItNames() throws Exception {
    Path data = dir.resolve("documents");
    start(plan(request(2, data, Map.of("a", "1", "b", "1"))));
    kill();
    ClusterPlan plan =
        plan(new UpRequest(null, null, "600m", null, null, null, false, Map.of("b", "2")));
    assertEquals(2, plan.specs().size());
    NodeSpec second = plan.specs().getLast();
    assertEquals(data.resolve("node-2"), second.data());
    assertEquals(port + 1, second.httpPort());
    assertEquals("600m", second.heap());
    assertEquals(Map.of("a", "1", "b", "2"), second.settings());
    assertTrue(plan.notes().toString().contains("millrace down"), plan.notes().toString());
  }

  @Test
  void aPortThatWasTakenMeanwhileIsNamed() throws Exception {
    start(plan(request(1, null, Map.of())));
    kill();
    answers(port, "green 1");
    ExpectedFailure failure = assertThrows(ExpectedFailure.class, () -> plan(none()));
    assertEquals(ExitCode.ENVIRONMENT, failure.exitCode());
    assertTrue(failure.getMessage().startsWith("port " + port + " is taken by"));
  }

  @Test
  void aPortThatNobodyListensOnAndThatIsNotToBeHadIsSaidSo() throws Exception {
    start(plan(request(1, null, Map.of())));
    kill();
    try (Socket bound = new Socket()) { // holds the port without listening there
      bound.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      ExpectedFailure failure = assertThrows(ExpectedFailure.class, () -> plan(none()));
      assertEquals(ExitCode.ENVIRONMENT, failure.exitCode());
      String message = failure.getMessage();
      assertTrue(message.startsWith("nobody listens on port " + port), message);
      assertTrue(message.contains("Address already in use"), message);
    }
  }

  @Test
  void aFirstStartThatFailsIsAFirstStartAgain() throws Exception {
    nodesThat(DIES_BEFORE_AN_ELECTION);
    UpRequest two = request(2, null, Map.of());
    startFails(plan(two), LONG);
    assertEquals(Optional.empty(), recorded());
    // at least one of them left what a formed cluster leaves, too
    Path state = place.nodes().resolve("node-1/data/nodes/0/_state/segments_1");
    Files.createDirectories(state.resolveSibling("."));
    Files.writeString(state, "");
    nodesThat(SLEEPS);
    List<String> all = List.of("node-1", "node-2");
    for (NodeSpec spec : plan(two).specs()) {
      assertEquals(all, spec.initialManagers());
    }
    assertEquals(2, plan(request(null, null, Map.of())).specs().size(), "one alone cannot form");
    ExpectedFailure fewer =
        assertThrows(ExpectedFailure.class, () -> plan(request(1, null, Map.of())));
    assertTrue(String.valueOf(fewer.remedy()).contains(place.nodes().toString()));
    // three now: the third must not be one of those that could form without the first two
    assertEquals(all, plan(request(3, null, Map.of())).specs().getLast().initialManagers());

    start(plan(two));
    assertEquals(List.of(), plan(none()).specs());
    kill();
    assertEquals(List.of(), plan(none()).specs().getFirst().initialManagers());
    assertEquals(List.of(), plan(two).specs().getFirst().initialManagers());
  }

  @Test
  void aFirstStartThatWasNotSeenToFormIsStartedAsOne() throws Exception {
    Path data = dir.resolve("documents");
    startFails(plan(request(1, data, Map.of())), Duration.ZERO); // not ready in time; it goes on
    assertEquals(1, recorded().orElseThrow().living().size());
    assertTrue(Files.exists(data.resolve(FormationMarker.FILE)));
    kill();
    assertEquals(List.of("node-1"), plan(none()).specs().getFirst().initialManagers());
    start(plan(none()));
    assertTrue(yml("node-1").contains("cluster.initial_cluster_manager_nodes: node-1"));
    kill();
    start(plan(none()));
    assertFalse(yml("node-1").toString().contains("initial_cluster_manager"));
  }

  @Test
  void dataOfBeforeThereWereMarksHasFormed() throws Exception {
    Path state = place.nodes().resolve("node-1/data/nodes/0/_state");
    Files.createDirectories(state);
    Files.writeString(state.resolve("segments_1"), "");
    assertEquals(List.of(), plan(request(1, null, Map.of())).specs().getFirst().initialManagers());
  }

  @Test
  void whoeverInterruptsAStartFindsTheWholeClusterRecorded() throws Exception {
    nodesThat("cp '" + place.stateFile() + "' \"$OPENSEARCH_PATH_CONF/seen\"; exit 1");
    startFails(plan(request(2, null, Map.of())), LONG);
    Path seen = place.nodes().resolve("node-2/config/seen");
    ClusterState state =
        ClusterState.read(place.nodes().resolve("node-1/config/seen"))
            .or(() -> ClusterState.read(seen))
            .orElseThrow();
    assertEquals(
        List.of("node-1", "node-2"), state.nodes().stream().map(ClusterState.Node::name).toList());
    state
        .withNodes(
            state.nodes().stream()
                .map(n ->
                    new ClusterState.Node(
                        n.name(),
                        0,
                        0,
                        n.httpPort(),
                        n.transportPort(),
                        n.heap(),
                        n.data(),
                        n.log(),
                        n.console(),
                        n.secrets()))
                .toList())
        .write(place.stateFile());
    assertEquals(List.of(), recorded().orElseThrow().living());
    assertTrue(plan(none()).notes().contains("node-2 has not been started; starting it"));
  }

  @Test
  void aNodeThatCannotBeStartedStopsTheOthers() throws Exception {
    Files.createDirectories(place.nodes());
    Files.writeString(place.nodes().resolve("node-2"), "no folder");
    ClusterPlan plan = plan(request(2, null, Map.of()));
    assertTrue(startFails(plan, LONG).getMessage().contains("node-2"));
    assertEquals(Optional.empty(), recorded());
    try (Stream<ProcessHandle> children = ProcessHandle.current().children()) {
      assertEquals(
          List.of(),
          children
              .filter(child -> ProcFs.alive(child.pid()))
              .filter(child -> child.info().commandLine().orElse("").contains("sleep 300"))
              .toList());
    }
  }

  @Test
  void aClusterIsRunningOnceItsNodesHaveJoinedAndNothingIsMissing() throws Exception {
    ClusterPlan plan = plan(request(2, null, Map.of()));
    startFails(plan, Duration.ZERO);
    ClusterState state = recorded().orElseThrow();
    Duration none = Duration.ZERO;
    ExpectedFailure silent =
        assertThrows(
            ExpectedFailure.class,
            () -> cluster.awaitJoined(state, none, NodeProcess.Progress.NONE));
    assertEquals(ExitCode.FAILED, silent.exitCode());
    assertTrue(silent.getMessage().contains("does not answer"), silent.getMessage());
    answers(port, "red 1", "red 1", "red 2", "red 2", "red 2", "yellow 2");
    answers(port + 1, "red 1", "red 2");
    assertTrue(Files.exists(place.nodes().resolve(FormationMarker.FILE)));
    cluster.awaitJoined(state, LONG, NodeProcess.Progress.NONE);
    assertFalse(Files.exists(place.nodes().resolve(FormationMarker.FILE)));
    assertThrows(
        ExpectedFailure.class, () -> cluster.awaitNotRed(state, none, NodeProcess.Progress.NONE));
    cluster.awaitNotRed(state, LONG, NodeProcess.Progress.NONE);
  }

  @Test
  void whatARunningClusterDoesNotHaveIsNamed() throws Exception {
    start(plan(request(1, null, Map.of("a", "1", "b", "1"))));
    ClusterState state = recorded().orElseThrow();
    assertEquals(List.of(), none().differences(state));
    assertEquals(List.of(), request(1, null, Map.of("a", "1")).differences(state));
    assertEquals(
        List.of("--nodes 2 (it has 1)", "-E b, c"),
        request(2, null, new TreeMap<>(Map.of("a", "1", "b", "2", "c", "3"))).differences(state));
  }
}
