package io.millrace.plugin.rest;

import static org.junit.Assume.assumeTrue;

import io.millrace.observe.prometheus.PrometheusFeature;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.opensearch.client.Request;
import org.opensearch.client.Response;

/**
 * The page of metrics: by a parser always, and by a real Prometheus where there is one (Debian
 * package {@code prometheus}; on the PATH, or its folder in {@code -Dmillrace.prometheus=}).
 */
public class PrometheusNodeTests extends RestNodeTestCase {
  private static final Pattern SAMPLE =
      Pattern.compile(
          "([a-zA-Z_:][a-zA-Z0-9_:]*)(\\{([a-zA-Z_][a-zA-Z0-9_]*=\"([^\"\\\\\\n]|\\\\[\\\\\"n])*\",?)*\\})?"
              + " (-?[0-9.]+(E-?[0-9]+)?|NaN|[+-]Inf)");
  private static final Pattern NAME = Pattern.compile("millrace_[a-z0-9_]+");

  private TreeSet<String> names(String page) {
    TreeSet<String> names = new TreeSet<>();
    TreeSet<String> samples = new TreeSet<>();
    for (String line : page.split("\n")) {
      if (!line.startsWith("#")) {
        Matcher sample = SAMPLE.matcher(line);
        assertTrue("not a sample: " + line, sample.matches());
        assertTrue("twice: " + line, samples.add(line.substring(0, line.lastIndexOf(' '))));
        names.add(sample.group(1));
      }
    }
    return names;
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = PrometheusFeature.class.getResourceAsStream(name)) {
      assertNotNull(name, in);
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  public void testPageAndFilesBesideIt() throws Exception {
    ok("PUT", "/logs-\u00e9-1", "{\"settings\":{\"number_of_shards\":2,\"number_of_replicas\":0}}");
    bulk("/logs-\u00e9-1/_bulk?refresh", items("{\"index\":{}}", 20));
    // alarms are judged every few seconds, and the first time soon after the start
    assertBusy(
        () ->
            assertTrue(
                ok("GET", "/_prometheus/metrics")
                    .text()
                    .contains("millrace_observe_alarms_firing")),
        60,
        TimeUnit.SECONDS);
    String page = ok("GET", "/_prometheus/metrics").text();
    TreeSet<String> names = names(page);
    assertTrue(
        page, Pattern.compile("(?m)^millrace_shard_docs\\{.*logs-.*\\}").matcher(page).find());
    assertTrue(names.toString(), names.size() > 100);
    for (String file : List.of("alerts.yml", "grafana-dashboard.json")) {
      Matcher name = NAME.matcher(resource(file));
      TreeSet<String> unknown = new TreeSet<>();
      while (name.find()) {
        if (!names.contains(name.group())) {
          unknown.add(name.group());
        }
      }
      assertEquals(file + " names metrics that the node does not show", new TreeSet<>(), unknown);
    }
  }

  public void testOpenMetrics() throws Exception {
    Request request = new Request("GET", "/_prometheus/metrics");
    request.setOptions(
        request.getOptions().toBuilder()
            .addHeader("Accept", "application/openmetrics-text; version=1.0.0"));
    Response response = getRestClient().performRequest(request);
    assertEquals(
        "application/openmetrics-text; version=1.0.0; charset=utf-8",
        response.getHeader("content-type"));
    String page = EntityUtils.toString(response.getEntity());
    assertTrue(page.endsWith("# EOF\n"));
    names(page);
  }

  public void testBoundAndSwitch() throws Exception {
    ok("PUT", "/many", "{\"settings\":{\"number_of_shards\":5,\"number_of_replicas\":0}}");
    set("millrace.observe.prometheus.shards", "2");
    String page = ok("GET", "/_prometheus/metrics").text();
    assertEquals(2, page.lines().filter(line -> line.startsWith("millrace_shard_docs{")).count());
    set("millrace.observe.prometheus.shards", null);
    set("millrace.observe.prometheus.enabled", "false");
    assertEquals(404, call("GET", "/_prometheus/metrics").status());
    set("millrace.observe.prometheus.enabled", null);
    Answer refused =
        call(
            "PUT",
            "/_cluster/settings",
            "{\"transient\":{\"millrace.observe.prometheus.shards\":5001}}");
    assertEquals(400, refused.status());
    assertTrue(refused.text(), refused.text().contains("must be <= 5000"));
  }

  private void set(String key, String value) throws IOException {
    String json = value == null ? "null" : "\"" + value + "\"";
    ok("PUT", "/_cluster/settings", "{\"transient\":{\"" + key + "\":" + json + "}}");
  }

  private static Path program(String name) {
    List<String> folders = new ArrayList<>();
    folders.add(System.getProperty("millrace.prometheus", ""));
    folders.addAll(List.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator)));
    for (String folder : folders) {
      if (!folder.isEmpty() && Files.isExecutable(Path.of(folder, name))) {
        return Path.of(folder, name);
      }
    }
    return null;
  }

  /** Scrapes the node with a real Prometheus, which loads the alert rules and evaluates them. */
  public void testRealPrometheusScrapesAndEvaluates() throws Exception {
    Path prometheus = program("prometheus");
    if (prometheus == null) {
      System.err.println(
          "SKIPPED: no Prometheus here; install the package, or give -Dmillrace.prometheus=FOLDER");
    }
    assumeTrue("no prometheus on this machine", prometheus != null);
    Path home = createTempDir();
    Files.writeString(home.resolve("alerts.yml"), resource("alerts.yml"));
    String node = getRestClient().getNodes().getFirst().getHost().toHostString();
    Files.writeString(
        home.resolve("prometheus.yml"),
        "global: {scrape_interval: 3s, scrape_timeout: 3s, evaluation_interval: 1s}\n"
            + "rule_files: [alerts.yml]\n"
            + "scrape_configs:\n"
            + "  - job_name: millrace\n"
            + "    metrics_path: /_prometheus/metrics\n"
            + "    static_configs: [{targets: ['"
            + node
            + "']}]\n");
    int port = freePort();
    File log = home.resolve("log").toFile();
    Process process =
        new ProcessBuilder(
                prometheus.toString(),
                "--config.file=" + home.resolve("prometheus.yml"),
                "--storage.tsdb.path=" + home.resolve("data"),
                "--web.listen-address=127.0.0.1:" + port)
            .redirectErrorStream(true)
            .redirectOutput(log)
            .start();
    try {
      assertBusy(
          () -> {
            assertTrue(Files.readString(log.toPath()), process.isAlive());
            assertTrue(query(port, "query?query=up").contains(",\"1\"]"));
            assertTrue(query(port, "query?query=millrace_node_heap_max_bytes").contains("value"));
            String rules = query(port, "rules");
            assertEquals(13, rules.split("\"health\":\"ok\"", -1).length - 1);
            assertTrue(rules.contains("AllocationStalls"));
            assertFalse(rules, rules.contains("\"health\":\"err\""));
          },
          120,
          TimeUnit.SECONDS);
    } finally {
      process.destroy();
      assertTrue(process.waitFor(30, TimeUnit.SECONDS));
    }
  }

  /** Below the range that outgoing connections take theirs from while Prometheus starts. */
  private static int freePort() {
    while (true) {
      int port = randomIntBetween(20_000, 29_999);
      try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return socket.getLocalPort();
      } catch (IOException e) {
        // somebody listens there
      }
    }
  }

  private static String query(int port, String path) throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client
          .send(
              HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/api/v1/" + path))
                  .timeout(Duration.ofSeconds(30))
                  .build(),
              HttpResponse.BodyHandlers.ofString())
          .body();
    } catch (IOException e) {
      throw new AssertionError("Prometheus does not answer yet", e);
    }
  }
}
