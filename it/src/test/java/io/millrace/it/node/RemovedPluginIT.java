package io.millrace.it.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.it.support.Commands;
import io.millrace.it.support.Lines;
import io.millrace.kernel.Feature;
import io.millrace.kernel.FeaturePlugin;
import io.millrace.kernel.settings.Knob;
import io.millrace.plugin.Features;
import io.millrace.testkit.Await;
import io.millrace.testkit.Tree;
import io.millrace.testkit.cluster.Cluster;
import io.millrace.testkit.cluster.ClusterNode;
import io.millrace.testkit.cluster.Folders;
import io.millrace.testkit.http.JsonHttp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.opensearch.common.settings.Setting;

/**
 * A node that starts without the plugin on the data of one that had it, and with it again: nothing
 * is lost, no document and no setting.
 */
class RemovedPluginIT {
  /** Settings that are no switches, with a value that is not their default. */
  private static final Map<String, String> VALUES =
      Map.of(
          "index.millrace.profile", "\"logs\"",
          "index.millrace.freshness", "\"7s\"",
          "index.millrace.file_access", "\"map_stored_fields\"",
          "index.millrace.merge.policy", "\"time_tiered\"",
          "index.millrace.merge.time_field", "\"time\"",
          "index.millrace.lenient_parsing.flat_field", "\"odd\"",
          "index.millrace.ordinal_postings.fields", "[\"trace_id\",\"span.*\"]");

  private static final String MAPPING =
      "{\"properties\":{\"time\":{\"type\":\"date\"},\"message\":{\"type\":\"log_text\"},"
          + "\"trace_id\":{\"type\":\"keyword\"},\"odd\":{\"type\":\"flat_object\"}}}";

  private Path folder = Path.of("");
  private Path home = Path.of("");

  @BeforeEach
  void copyStock() throws IOException {
    folder = Files.createTempDirectory("millrace-removed-");
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    home = folder.resolve("stock");
    Folders.copy(Tree.STOCK.home(), home);
    install();
  }

  @AfterEach
  void remove() {
    Folders.remove(folder);
  }

  private void install() throws IOException {
    plugin("install", "--batch", Tree.pluginZip().toUri().toString());
  }

  private void plugin(String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(home.resolve("bin/opensearch-plugin").toString());
    command.addAll(List.of(arguments));
    Commands.run(folder, Map.of("OPENSEARCH_JAVA_HOME", System.getProperty("java.home")), command)
        .ok();
  }

  /** Every index setting of the build, each with a value that is not its default. */
  private static String everySetting() {
    List<String> out = new ArrayList<>(List.of("\"index.codec\":\"zstandard\""));
    Stream.concat(
            FeaturePlugin.kernelKnobs().stream().<Setting<?>>map(Knob::setting),
            Features.all().stream().flatMap(Feature::settings).<Setting<?>>map(Knob::setting))
        .filter(setting -> setting.hasIndexScope() && !setting.isPrivateIndex())
        .forEach(setting -> out.add("\"" + setting.getKey() + "\":" + value(setting)));
    assertTrue(out.size() > VALUES.size(), out.toString());
    return String.join(",", out);
  }

  private static String value(Setting<?> setting) {
    if (VALUES.containsKey(setting.getKey())) {
      return VALUES.get(setting.getKey());
    }
    if (setting.getDefault(org.opensearch.common.settings.Settings.EMPTY)
        instanceof Boolean standard) {
      return Boolean.toString(!standard);
    }
    throw new AssertionError("give " + setting.getKey() + " a value in VALUES");
  }

  private static String document(int n) {
    return "{\"n\":%d,\"time\":\"2026-11-21T10:%02d:%02dZ\",\"trace_id\":\"%032x\",\"message\":\"request %d took %d ms\",\"sp ace\": %d.50}"
        .formatted(n, n / 60 % 60, n % 60, n * 0x9E3779B97F4A7C15L, n, n % 97, n);
  }

  private static void write(JsonHttp http, int from, int to) {
    StringBuilder body = new StringBuilder();
    for (int n = from; n < to; n++) {
      body.append("{\"index\":{\"_id\":\"").append(n).append("\"}}\n");
      body.append(document(n)).append('\n');
    }
    Lines.accepted(http.post("/ours/_bulk", body.toString()));
  }

  private static JsonNode settings(JsonHttp http) {
    return http.get("/ours/_settings?flat_settings=true").ok().at("/ours/settings");
  }

  /** Every document, and what some searches find, as the node writes it. */
  private static String contents(JsonHttp http) {
    StringBuilder out = new StringBuilder();
    http.post("/ours/_refresh").ok();
    for (String query :
        List.of(
            "{\"match_all\":{}}",
            "{\"match_phrase\":{\"message\":\"request 299 took\"}}",
            "{\"match\":{\"message\":\"96\"}}",
            "{\"term\":{\"trace_id\":\"%032x\"}}".formatted(17 * 0x9E3779B97F4A7C15L))) {
      out.append(
              http.post(
                      "/ours/_search?size=500", // filter_path would write numbers anew
                      "{\"sort\":[\"n\"],\"track_total_hits\":true,\"query\":" + query + "}")
                  .ok()
                  .body()
                  .replaceFirst("\"took\":\\d+,", ""))
          .append('\n');
    }
    return out.toString();
  }

  private static void restart(ClusterNode node) {
    node.start();
    node.awaitAnswer();
  }

  @Test
  void everySettingAndEveryDocumentComesBack() throws IOException {
    try (Cluster cluster = Cluster.mixed().node(home).start()) {
      ClusterNode node = cluster.node(0);
      JsonHttp http = node.http();
      http.put(
              "/_cluster/settings",
              "{\"persistent\":{\"millrace.write.profiles.indices.logs\":[\"app-*\"]}}")
          .ok();
      http.put(
              "/ours",
              "{\"settings\":{\"number_of_shards\":2,\"number_of_replicas\":0,"
                  + everySetting()
                  + "},\"mappings\":"
                  + MAPPING
                  + "}")
          .ok();
      JsonNode settings = settings(http);
      write(http, 0, 200);
      http.post("/ours/_flush?force=true").ok();
      write(http, 200, 300); // these are in the translog only
      String contents = contents(http);
      assertTrue(contents.contains("\"request 299 took 8 ms\",\"sp ace\": 299.50"), contents);

      node.stop();
      plugin("remove", "millrace");
      restart(node);
      Await.until(
          "the index to be red without the plugin",
          Duration.ofMinutes(2),
          () -> http.get("/_cluster/health/ours").ok().at("/status").asText().equals("red"));
      JsonNode aside = settings(http);
      assertTrue(aside.has("archived.index.millrace.columnar_source.enabled"), aside.toString());
      assertFalse(aside.has("index.millrace.profile"), aside.toString());
      // stock works meanwhile
      Lines.load(http, "stocks", 1, 10);

      node.stop();
      install();
      restart(node);
      cluster.awaitYellow();
      assertEquals(settings, settings(http));
      assertEquals(contents, contents(http));
      assertEquals(
          "[\"app-*\"]",
          http.get("/_cluster/settings?flat_settings=true")
              .ok()
              .at("/persistent/millrace.write.profiles.indices.logs")
              .toString());
      settingsAct(http);
    }
  }

  private static void settingsAct(JsonHttp http) {
    write(http, 300, 400);
    String odd = "{\"index\":{\"_id\":\"odd\"}}\n{\"n\":400,\"time\":\"no time\"}\n";
    Lines.accepted(http.post("/ours/_bulk", odd)); // lenient parsing
    http.post("/ours/_forcemerge?max_num_segments=1").ok();
    http.post("/ours/_flush?force=true").ok();
    http.post("/ours/_refresh").ok();
    int segments = 0;
    for (JsonNode copies : http.get("/ours/_segments").ok().at("/indices/ours/shards")) {
      for (JsonNode segment : copies.get(0).path("segments")) {
        ObjectNode attributes = (ObjectNode) segment.path("attributes");
        assertTrue(attributes.has("ColumnarSourceFormat.others"), segment.toString());
        segments++;
      }
    }
    assertTrue(segments >= 2, "segments: " + segments);
    assertEquals(401, http.get("/ours/_count").ok().at("/count").asInt());
    assertEquals(document(399), http.get("/ours/_source/399").ok().body().strip());
    Lines.load(http, "app-1", 1, 10);
    assertEquals(
        "logs",
        http.get("/app-1/_settings?flat_settings=true")
            .ok()
            .json()
            .path("app-1")
            .path("settings")
            .path("index.millrace.profile")
            .asText());
  }
}
