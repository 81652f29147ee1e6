package io.millrace.cluster.flapdamping;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;

class JoinHistoryTest {
  private final AtomicLong minutes = new AtomicLong(-1000); // a clock may be below zero
  private final JoinHistory history =
      new JoinHistory(new FlapLimits(), () -> TimeUnit.MINUTES.toNanos(minutes.get()));

  private void join(String id, long pause) {
    minutes.addAndGet(pause);
    history.joined(id, "name-" + id);
  }

  @Test
  void theThirdJoinWithinTheWindowIsTooMuchUntilTheNodeHasStayed() {
    join("a", 0);
    join("a", 2);
    assertEquals(TimeValue.ZERO, history.left("a"));
    join("a", 2);
    assertEquals(5, history.left("a").minutes());
    assertEquals(List.of("name-a"), history.damped().stream().map(n -> n.name()).toList());
    minutes.addAndGet(4);
    assertEquals(1, history.left("a").minutes());
    minutes.addAndGet(1);
    assertEquals(TimeValue.ZERO, history.left("a"));
    assertTrue(history.damped().isEmpty());
  }

  @Test
  void nobodyIsLookedAtOnceAllHaveStayed() {
    assertTrue(history.settled());
    join("a", 0);
    assertFalse(history.settled());
    minutes.addAndGet(4);
    assertFalse(history.settled());
    minutes.addAndGet(1);
    assertTrue(history.settled());
  }

  @Test
  void rareJoinsAreNoFlapping() {
    for (int i = 0; i < 20; i++) {
      join("a", 6);
      assertEquals(TimeValue.ZERO, history.left("a"), "after " + i);
    }
  }

  @Test
  void theClockStartsAnewWithEachJoin() {
    join("a", 0);
    join("a", 1);
    join("a", 1);
    join("a", 4);
    assertEquals(5, history.left("a").minutes());
    assertEquals(4, history.count("a"));
  }

  @Test
  void nodesAreCountedApartAndForgotten() {
    for (String id : List.of("a", "b", "a", "b", "a")) {
      join(id, 1);
    }
    assertEquals(5, history.left("a").minutes());
    assertEquals(TimeValue.ZERO, history.left("b"));
    join("c", 16);
    assertEquals(0, history.count("a"));
    assertEquals(0, history.count("b"));
  }

  @Test
  void aNodeThatCameBackIsMovedNothingToUntilItHasStayed() {
    join("a", 0);
    assertEquals(TimeValue.ZERO, history.returned("a"), "it has never left");
    minutes.addAndGet(3);
    history.departed("a");
    assertEquals(TimeValue.ZERO, history.returned("a"), "it is away");
    join("a", 10);
    assertEquals(5, history.returned("a").minutes());
    assertEquals(TimeValue.ZERO, history.left("a"));
    assertEquals(TimeUnit.MINUTES.toNanos(5), history.next().orElseThrow());
    minutes.addAndGet(5);
    assertEquals(TimeValue.ZERO, history.returned("a"));
    assertTrue(history.next().isEmpty());
    history.departed("a");
    join("a", 11);
    assertEquals(TimeValue.ZERO, history.returned("a"), "it was away for longer than the window");
  }

  @Test
  void theReportNamesTheNode() {
    join("a", 0);
    join("a", 0);
    join("a", 0);
    Map<String, Object> report = history.report(true);
    assertEquals(Boolean.TRUE, report.get("enabled"));
    assertEquals(
        List.of(Map.of("id", "a", "name", "name-a", "joins", 3, "shards_in_ms", 300_000L)),
        report.get("damped"));
    assertEquals(List.of(), report.get("returned"));
    history.departed("b");
    join("b", 1);
    assertEquals(
        List.of(Map.of("id", "b", "name", "name-b", "moves_in_ms", 300_000L)),
        history.report(true).get("returned"));
  }

  @Test
  void badSettingsNameThemselves() {
    FlapDampingFeature feature = new FlapDampingFeature();
    Map<String, List<String>> bad =
        Map.of(
            "joins", List.of("1", "many", "101"),
            "window", List.of("soon", "1ms", "8d"),
            "settle", List.of("soon", "1ms", "8d"));
    for (var knob : feature.knobs()) {
      String name = knob.key().substring(knob.key().lastIndexOf('.') + 1);
      for (String value : bad.getOrDefault(name, List.of())) {
        Settings settings = Settings.builder().put(knob.key(), value).build();
        RuntimeException e =
            assertThrows(RuntimeException.class, () -> knob.setting().get(settings), value);
        assertTrue(e.getMessage().contains(knob.key()), e.getMessage());
      }
    }
  }
}
