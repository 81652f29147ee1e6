package io.millrace.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.plugin.sources.Repository;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.opensearch.common.regex.Regex;
import org.opensearch.common.settings.Settings;

/** Which names of indices get a profile on the distribution's nodes. */
class ProfileNamesTest {
  private final Settings shipped =
      Settings.builder()
          .loadFromPath(
              Repository.root().resolve("distribution/src/main/dist/config/opensearch.yml"))
          .build();
  private final List<String> logs = shipped.getAsList("millrace.write.profiles.indices.logs");
  private final List<String> traces = shipped.getAsList("millrace.write.profiles.indices.traces");

  ProfileNamesTest() throws IOException {}

  private String profile(String index) {
    boolean log = logs.stream().anyMatch(pattern -> Regex.simpleMatch(pattern, index));
    boolean trace = traces.stream().anyMatch(pattern -> Regex.simpleMatch(pattern, index));
    return log && trace ? "both" : log ? "logs" : trace ? "traces" : "none";
  }

  @Test
  void whatShippersCallTheirIndicesByThemselves() {
    for (String index :
        List.of(
            "logs-app-default",
            "filebeat-7.12.1-2026.11.25",
            "logstash-2026.11.25",
            "ecs-logstash-2026.11.25",
            "fluent-bit",
            "fluentd",
            "vector-2026.11.25",
            "ss4o_logs-default-namespace")) {
      assertEquals("logs", profile(index), index);
    }
    for (String index :
        List.of(
            "traces-app",
            "sw_segment-20261125",
            "ss4o_traces-default-namespace",
            "otel-v1-apm-span-000001",
            "jaeger-span-2026-11-25",
            "zipkin-span-2026-11-25")) {
      assertEquals("traces", profile(index), index);
    }
  }

  @Test
  void aNameThatSaysNothingGetsNothing() {
    for (String index :
        List.of(
            "app",
            "products",
            "nginx-2026.11.25",
            "logs",
            "logsearch",
            "jaeger-service-x",
            "otel-v1-apm-service-map",
            ".kibana_1")) {
      assertEquals("none", profile(index), index);
    }
  }

  /** The page of profiles names them all. */
  @Test
  void thePageHasEachName() throws IOException {
    String page = Repository.read(Repository.root().resolve("write/docs/profiles.md"));
    for (String pattern : logs) {
      assertTrue(page.contains("`" + pattern + "`"), pattern);
    }
    for (String pattern : traces) {
      assertTrue(page.contains("`" + pattern + "`"), pattern);
    }
  }
}
