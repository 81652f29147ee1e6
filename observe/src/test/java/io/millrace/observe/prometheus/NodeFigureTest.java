package io.millrace.observe.prometheus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.observe.prometheus.Exposition.Format;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.opensearch.common.settings.Settings;

class NodeFigureTest {
  private static String render(Map<?, ?> stats) {
    Exposition page = new Exposition(Format.PROMETHEUS);
    NodeFigure.all().forEach(figure -> figure.write(stats, page));
    return page.text();
  }

  @Test
  void starsBecomeLabels() {
    String text =
        render(
            Map.of(
                "thread_pool",
                Map.of("write", Map.of("rejected", 7L)),
                "indexing_pressure",
                Map.of("memory", Map.of("total", Map.of("primary_rejections", 2)))));
    assertTrue(text.contains("millrace_node_thread_pool_rejected_total{pool=\"write\"} 7\n"), text);
    assertTrue(
        text.contains("millrace_node_indexing_pressure_rejections_total{stage=\"primary\"} 2\n"),
        text);
  }

  @Test
  void unitsAreBaseUnitsAndMinusOneIsLeftOut() {
    String text =
        render(
            Map.of(
                "process",
                Map.of("cpu", Map.of("percent", -1, "total_in_millis", 1500)),
                "indices",
                Map.of("docs", "broken")));
    assertTrue(text.contains("millrace_node_process_cpu_time_seconds_total 1.5\n"), text);
    assertFalse(text.contains("cpu_ratio"), text);
  }

  @Test
  void namesAreUsedOnce() {
    Set<String> names = new HashSet<>();
    for (NodeFigure figure : NodeFigure.all()) {
      assertTrue(names.add(figure.name() + figure.unit() + figure.type()), figure.name());
      assertEquals(figure.path().contains("*"), !figure.label().isEmpty(), figure.path());
    }
  }

  @Test
  void defaults() {
    PrometheusFeature feature = new PrometheusFeature(null);
    assertEquals("millrace.observe.prometheus.enabled", feature.enabled().setting().getKey());
    assertTrue(feature.enabled().setting().getDefault(Settings.EMPTY));
    assertEquals(1, feature.knobs().size());
    assertEquals(
        "millrace.observe.prometheus.shards", feature.knobs().getFirst().setting().getKey());
    assertEquals(200, feature.knobs().getFirst().setting().getDefault(Settings.EMPTY));
  }
}
