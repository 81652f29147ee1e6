package io.millrace.it.dashboard;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.fail;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import io.millrace.corpus.LogGenerator;
import io.millrace.it.support.Commands;
import io.millrace.it.support.Commands.Outcome;
import io.millrace.it.support.SharedCluster;
import io.millrace.testkit.Tree;
import io.millrace.testkit.cluster.ClusterNode;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The dashboard and the explorer in headless Chromium: Playwright's tests (ui/tests) against a real
 * cluster of three nodes with the demo's lines, and against clusters and log stores that exist only
 * as answers; each of them is a test here.
 *
 * <p>Needs npm, Chromium and, once, npm's registry. Without them it is skipped and says what is
 * missing; with {@code MILLRACE_BROWSER=required} (CI) it fails instead.
 */
class DashboardIT {
  private static final Path UI = Path.of("..", "ui").toAbsolutePath().normalize();
  private static final boolean REQUIRED = "required".equals(System.getenv("MILLRACE_BROWSER"));

  @RegisterExtension static final SharedCluster CLUSTER = SharedCluster.of(Tree.MILLRACE, 3);

  /**
   * The product is built without npm from the committed page, so that one must be the right one.
   */
  @Test
  void theCommittedPageIsWhatTheSourcesGive() throws IOException {
    installed();
    Commands.run(UI, Map.of(), List.of("npm", "run", "--silent", "types")).ok();
    Commands.run(UI, Map.of(), List.of("npm", "run", "--silent", "check")).ok();
  }

  @TestFactory
  Stream<DynamicTest> inTheBrowser() throws IOException {
    String chromium = chromium().orElse("");
    needed(!chromium.isEmpty(), "no chromium on the PATH, and MILLRACE_CHROMIUM names none");
    installed();
    Path report = Path.of("target", "dashboard.json").toAbsolutePath();
    Files.deleteIfExists(report);
    HttpServer control = control(CLUSTER.get().node(2));
    Map<String, String> environment = new HashMap<>();
    environment.put("MILLRACE_CHROMIUM", chromium);
    environment.put("MILLRACE_REPORT", report.toString());
    environment.put("MILLRACE_URL", CLUSTER.http().base().toString());
    environment.put("MILLRACE_LINES", lines().toString());
    environment.put("MILLRACE_CONTROL", "http://127.0.0.1:" + control.getAddress().getPort());
    Outcome outcome;
    try {
      outcome = Commands.run(UI, environment, List.of("npx", "--no-install", "playwright", "test"));
    } finally {
      control.stop(0);
    }
    System.out.println(outcome.output());
    if (!Files.exists(report)) {
      fail("Playwright wrote no report: " + outcome);
    }
    List<DynamicTest> tests = new ArrayList<>();
    collect(new ObjectMapper().readTree(report.toFile()).path("suites"), tests);
    assertFalse(tests.isEmpty(), outcome.toString());
    return tests.stream();
  }

  /**
   * The demo's lines, one JSON document a line; the browser's tests give them times of their own.
   */
  private static Path lines() throws IOException {
    Path file = Path.of("target", "lines.ndjson").toAbsolutePath();
    try (OutputStream out = Files.newOutputStream(file)) {
      new LogGenerator(7).writeNdjson(out, 3000);
    }
    return file;
  }

  private static void collect(JsonNode suites, List<DynamicTest> tests) {
    for (JsonNode suite : suites) {
      collect(suite.path("suites"), tests);
      for (JsonNode spec : suite.path("specs")) {
        tests.add(
            DynamicTest.dynamicTest(
                spec.path("title").asText(),
                () -> {
                  JsonNode test = spec.path("tests").path(0);
                  Assumptions.assumeFalse(
                      test.path("status").asText().equals("skipped"),
                      () -> test.path("annotations").toString());
                  if (!spec.path("ok").asBoolean()) {
                    fail(test.path("results").findValuesAsText("message").toString());
                  }
                }));
      }
    }
  }

  /** Ends and starts a node when the browser's test says so; only on loopback. */
  private static HttpServer control(ClusterNode node) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          if (exchange.getRequestURI().getPath().equals("/kill")) {
            node.kill();
          } else if (!node.alive()) {
            node.start();
            node.awaitAnswer();
          }
          byte[] answer =
              ("{\"name\":\"" + node.name() + "\",\"url\":\"" + node.http().base() + "\"}")
                  .getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().add("Content-Type", "application/json");
          exchange.sendResponseHeaders(200, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    server.start();
    return server;
  }

  /** What package-lock.json names, installed once per checkout and change of that file. */
  private static void installed() throws IOException {
    needed(onPath("npm").isPresent() && onPath("node").isPresent(), "no npm on the PATH");
    Path stamp = UI.resolve("node_modules/.millrace-lock");
    String lock = Files.readString(UI.resolve("package-lock.json"));
    if (Files.exists(stamp) && Files.readString(stamp).equals(lock)) {
      return;
    }
    Outcome outcome =
        Commands.again(
            3,
            UI,
            Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1"),
            List.of("npm", "ci", "--no-audit", "--no-fund", "--loglevel=error"));
    needed(outcome.exitCode() == 0, "npm ci in ui/ failed: " + outcome);
    Files.writeString(stamp, lock);
  }

  private static void needed(boolean there, String missing) {
    if (!there && REQUIRED) {
      fail(missing);
    }
    Assumptions.assumeTrue(there, "NOT TESTED: " + missing);
  }

  private static Optional<String> chromium() {
    String named = System.getenv("MILLRACE_CHROMIUM");
    return named != null
        ? Optional.of(named)
        : Stream.of(
                "chromium-headless-shell", // no windows to draw: half the CPU of the others
                "chromium",
                "chromium-browser",
                "google-chrome",
                "google-chrome-stable")
            .flatMap(name -> onPath(name).stream())
            .findFirst();
  }

  private static Optional<String> onPath(String program) {
    for (String dir : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator)) {
      Path file = Path.of(dir, program);
      if (Files.isExecutable(file)) {
        return Optional.of(file.toString());
      }
    }
    return Optional.empty();
  }
}
