package io.millrace.bench.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.bench.term.BenchFailure;
import io.millrace.bench.workload.Workloads;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ScenariosTest {
  @Test
  void everyPromisedComparisonIsThere() {
    Set<String> names = new HashSet<>();
    Scenarios.all().forEach(scenario -> assertTrue(names.add(scenario.name()), scenario.name()));
    assertTrue(
        names.containsAll(
            Set.of(
                "equal-settings",
                "logs-profile",
                "wide-fields",
                "log-text",
                "own-ids",
                "bulk-routing",
                "mapping-storm",
                "jvm-profiles",
                "observe-cost",
                "codecs",
                "fetches",
                "columnar-source",
                "out-of-the-box",
                "query-mix")));
    for (Kind kind : Kind.values()) {
      assertFalse(Scenarios.of(kind).isEmpty(), kind.name());
    }
  }

  @Test
  void goalsStandAsTheyWerePromised() {
    Scenario equal = Scenarios.named("equal-settings");
    assertEquals(0.5, equal.goals().getFirst().bound());
    assertEquals("stock", equal.goals().getFirst().against());
    assertEquals("raw Lucene", equal.goals().getLast().against());
    assertEquals(3.0, Scenarios.named("logs-profile").goals().getFirst().bound());
    assertEquals(1.1, Scenarios.named("wide-fields").goals().getFirst().bound());
    assertEquals(1.5, Scenarios.named("own-ids").goals().getFirst().bound());
    assertEquals(0.75, Scenarios.named("bulk-routing").goals().getFirst().bound());
    assertEquals(10, Scenarios.named("mapping-storm").goals().getFirst().bound());
    assertEquals(0.64, Scenarios.named("codecs").goals().getFirst().bound());
    assertEquals(0.5, Scenarios.named("columnar-source").goals().getFirst().bound());
    assertEquals(0.45, Scenarios.named("out-of-the-box").goals().getFirst().bound());
    assertEquals(0.6, Scenarios.named("out-of-the-box").goals().getLast().bound());
    Goal pause = Scenarios.named("jvm-profiles").goals().getFirst();
    assertEquals(Measure.P99_PAUSE, pause.measure());
    assertEquals("search", pause.side());
    assertEquals(1.0, pause.bound());
    Goal own = Scenarios.named("jvm-profiles").goals().get(1);
    assertEquals(Measure.P99_AT_SAFEPOINT, own.measure(), "beside the whole, not in its place");
    assertEquals(1.0, own.bound());
    Goal heap = Scenarios.named("observe-cost").goals().getLast();
    assertEquals(Measure.LIVE_HEAP, heap.measure());
    assertEquals("observe off", heap.floor(), "a difference");
    assertEquals(20, heap.bound());
    assertTrue(Scenarios.named("observe-cost").liveHeap());
  }

  @Test
  void equalSettingsMeansEqualSettings() {
    for (String name : new String[] {"equal-settings", "wide-fields", "own-ids", "query-mix"}) {
      Scenario scenario = Scenarios.named(name);
      Side stock = scenario.side("stock");
      Side millrace = scenario.side("Millrace");
      assertEquals(stock.indexSettings(), millrace.indexSettings(), name);
      assertEquals(stock.nodeSettings(), millrace.nodeSettings(), name);
      assertEquals(stock.mapping(), millrace.mapping(), name);
      assertEquals(Contender.STOCK, stock.contender());
    }
  }

  @Test
  void onlyTheMessageDiffersInOwnMappings() {
    Map<String, Object> mapping = IngestScenarios.message(Map.of("type", "log_text"));
    Map<?, ?> fields = (Map<?, ?>) mapping.get("properties");
    Map<?, ?> plain = (Map<?, ?>) Workloads.logs().mapping().get("properties");
    assertEquals(plain.keySet(), fields.keySet());
    assertEquals(Map.of("type", "log_text"), fields.get("message"));
    assertEquals(plain.get("host"), fields.get("host"));
  }

  @Test
  void settingsOfASideDoNotLeakIntoAnother() {
    Side plain = Side.stock("a");
    Side more = plain.index("codec", "best_compression").cluster("x", "y").node("n", "v");
    assertFalse(plain.indexSettings().containsKey("codec"));
    assertTrue(plain.clusterSettings().isEmpty());
    assertEquals(Map.of("n", "v"), more.nodeSettings());
    assertFalse(more.withoutIndex("codec").indexSettings().containsKey("codec"));
  }

  @Test
  void mistakesInAScenarioShowAtOnce() {
    assertThrows(
        IllegalArgumentException.class,
        () ->
            Scenario.of("x", Kind.SIZE, "x", Workloads.logs())
                .sides(Side.stock("a"), Side.stock("a"))
                .build());
    assertThrows(
        IllegalArgumentException.class,
        () ->
            Scenario.of("x", Kind.SIZE, "x", Workloads.logs())
                .sides(Side.stock("a"), Side.stock("b"))
                .goals(Goal.atMost(1, Measure.CPU_PER_DOC, "a", "c", "no such side"))
                .build());
    assertThrows(
        IllegalArgumentException.class,
        () -> Scenario.of("x", Kind.SIZE, "x", Workloads.logs()).sides(Side.stock("a")).build());
  }

  @Test
  void anUnknownNameListsTheKnownOnes() {
    BenchFailure failure = assertThrows(BenchFailure.class, () -> Scenarios.named("nonsense"));
    assertTrue(failure.getMessage().contains("equal-settings"), failure.getMessage());
  }
}
