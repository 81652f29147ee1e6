package io.millrace.doctor.tune;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.snapshot.Json;
import io.millrace.doctor.snapshot.Snapshot;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class PlannerTest {
  private static String all(TunePlan plan) {
    return PlanText.of(plan, "http://here");
  }

  @Test
  void whatIsAsGoodStays() throws Exception {
    try (FakeCluster cluster =
        new FakeCluster()
            .index(
                "app-logs",
                "index.refresh_interval",
                "60s",
                "index.translog.flush_threshold_size",
                "1024mb",
                "index.translog.generation_threshold_size",
                "512mb",
                "index.codec",
                "zstd_no_dict",
                "index.use_compound_file",
                "true",
                "index.translog.durability",
                "async")
            .index("off-logs", "index.refresh_interval", "-1", "index.codec", "ZLIB")) {
      TunePlan plan = cluster.plan(Use.LOGS, "app-*");
      assertEquals(List.of(), plan.steps(), all(plan));
      assertFalse(all(cluster.plan(Use.LOGS)).contains("refresh_interval"));
    }
  }

  @Test
  void searchNeedsNamesAndNeverKeepsAsync() throws Exception {
    try (FakeCluster cluster =
        new FakeCluster()
            .index("products", "index.refresh_interval", "1s", "index.translog.durability", "async")
            .index("articles")) {
      ExpectedFailure nameless =
          assertThrows(ExpectedFailure.class, () -> cluster.plan(Use.SEARCH));
      assertEquals(ExitCode.USAGE, nameless.exitCode());
      TunePlan plan = cluster.plan(Use.SEARCH, "pro*", "articles");
      assertEquals(1, plan.steps().size(), all(plan));
      assertTrue(all(plan).contains("durability: async -> request"), all(plan));
      assertTrue(all(plan).contains("refresh_interval: 1s -> (1s while searched)"), all(plan));
      ExpectedFailure nothing =
          assertThrows(ExpectedFailure.class, () -> cluster.plan(Use.SEARCH, "prodcuts"));
      assertTrue(String.valueOf(nothing.remedy()).contains("articles, products"));
    }
  }

  @Test
  void durabilityAndCopiesAreNeverLowered() {
    for (Use use : Use.values()) {
      for (Tuning tuning : Tunings.of(use, Sick.cluster().snapshot())) {
        assertFalse(tuning.key().equals("index.number_of_replicas"), tuning::toString);
        assertFalse("async".equals(tuning.value()), tuning::toString);
        assertFalse(tuning.reason().isBlank());
        assertTrue(tuning.fits().test(tuning.value()), tuning::toString);
      }
    }
  }

  @Test
  void whatIsNotOursToChangeIsLeftAndSaid() throws Exception {
    try (FakeCluster cluster =
        new FakeCluster()
            .index("logs-2026.11.21")
            .index("all-2026.11.21")
            .index("all-products")
            .index("moving-logs")
            .index(".kibana-logs-2026.11.21")) {
      cluster.composable.put(
          "kept", tree("{\"index_patterns\":[\"logs-*\"],\"_meta\":{\"managed\":true}}"));
      cluster.composable.put("wide", tree("{\"index_patterns\":[\"all-*\"],\"priority\":1}"));
      TunePlan plan = cluster.plan(Use.LOGS);
      String text = all(plan);
      assertTrue(text.contains("template kept is left alone: the server or a plugin"), text);
      assertTrue(text.contains("template wide is left alone: it also makes all-products"), text);
      assertTrue(text.contains("moving-logs keeps index.codec"), text);
      assertFalse(text.contains("kibana"), text);
      assertTrue(plan.steps().stream().noneMatch(step -> step.kind().template()), text);
    }
  }

  /** One of several would be refused, and those before it in the plan be set already. */
  @Test
  void whatABlockForbidsIsLeftAndSaid() throws Exception {
    try (FakeCluster cluster =
        new FakeCluster()
            .index("app-logs-2026.11.20", "index.blocks.read_only", "true")
            .index("app-logs-2026.11.21")
            .index("web-logs", "index.blocks.read_only_allow_delete", "true")) {
      cluster.composable.put(
          "apps", tree("{\"index_patterns\":[\"app-*\"],\"template\":{\"settings\":{}}}"));
      TunePlan plan = cluster.plan(Use.LOGS);
      String text = all(plan);
      assertTrue(
          text.contains(
              "app-logs-2026.11.20 keep their settings: index.blocks.read_only forbids to change"),
          text);
      assertTrue(text.contains("web-logs keep their settings: index.blocks.read_only_allow"), text);
      assertEquals(List.of("apps"), plan.steps().getFirst().names(), text);
      assertEquals(List.of("app-logs-2026.11.21"), plan.steps().get(1).names(), text);
      assertEquals(2, plan.steps().size(), text);
    }
  }

  @Test
  void aliasesAndDataStreamsMayBeNamed() throws Exception {
    try (FakeCluster cluster =
        new FakeCluster()
            .index("shop-7", "index.refresh_interval", "1s")
            .index("shop-8", "index.refresh_interval", "1s")
            .index(".ds-orders-000001", "index.refresh_interval", "1s")) {
      cluster.aliases.put("shop", List.of("shop-7", "shop-8"));
      TunePlan plan = cluster.plan(Use.SEARCH, "shop", "orders");
      assertTrue(all(plan).contains("shop is an alias of shop-7, shop-8"), all(plan));
      assertEquals(
          List.of(".ds-orders-000001", "shop-7", "shop-8"),
          plan.steps().getLast().names(),
          all(plan));
      ExpectedFailure nothing =
          assertThrows(ExpectedFailure.class, () -> cluster.plan(Use.SEARCH, "shops"));
      assertEquals(ExitCode.USAGE, nothing.exitCode());
    }
  }

  @Test
  void closedIndicesAndNamesOfNothingAreNamed() throws Exception {
    try (FakeCluster cluster =
        new FakeCluster().index("shop-7", "index.refresh_interval", "1s").closed("shop-old")) {
      TunePlan plan = cluster.plan(Use.SEARCH, "shop-*", "articles");
      assertTrue(all(plan).contains("closed, so their settings stay: shop-old"), all(plan));
      assertTrue(all(plan).contains("nothing is called articles"), all(plan));
      assertFalse(all(plan).contains("nothing is called shop-*"), all(plan));
      ExpectedFailure closed =
          assertThrows(ExpectedFailure.class, () -> cluster.plan(Use.SEARCH, "shop-old"));
      assertTrue(String.valueOf(closed.remedy()).startsWith("Closed: shop-old, to be opened"));
      cluster.closed("web-logs");
      assertTrue(all(cluster.plan(Use.LOGS)).contains("settings stay: web-logs"));
    }
  }

  @Test
  void namesOfADataStreamAreThoseOfTheStream() throws Exception {
    try (FakeCluster cluster =
        new FakeCluster().index(".ds-web-logs-000002").index(".ds-web-logs-000001")) {
      cluster.composable.put(
          "streams",
          tree(
              "{\"index_patterns\":[\"web-logs\"],\"data_stream\":{},\"template\":{\"settings\":{}}}"));
      TunePlan plan = cluster.plan(Use.LOGS);
      assertEquals(List.of("streams"), plan.steps().getFirst().names(), all(plan));
      assertEquals(List.of(), plan.closings(), "an index behind a data stream is not closed");
    }
  }

  @Test
  void theFlushThresholdFitsTheIndexBuffer() {
    Snapshot eight = Sick.cluster().snapshot();
    assertEquals("1gb", flush(eight));
    Snapshot five = Sick.cluster().info("jvm/mem/heap_max_in_bytes", 5L << 30).snapshot();
    assertEquals("768mb", flush(five));
    Snapshot one = Sick.cluster().info("jvm/mem/heap_max_in_bytes", 1L << 30).snapshot();
    assertEquals("", flush(one));
  }

  private static String flush(Snapshot snapshot) {
    return Tunings.of(Use.LOGS, snapshot).stream()
        .filter(tuning -> tuning.key().equals("index.translog.flush_threshold_size"))
        .map(tuning -> String.valueOf(tuning.value()))
        .collect(Collectors.joining());
  }

  @Test
  void onMillraceATemplateNamesTheProfileAndNothingThatItBrings() throws Exception {
    Snapshot millrace =
        Sick.cluster().alone().info("plugins", tree("[{\"name\":\"millrace\"}]")).snapshot();
    List<String> keys = Tunings.of(Use.TRACES, millrace).stream().map(Tuning::key).toList();
    assertTrue(
        keys.contains("index.millrace.profile") && keys.contains("index.millrace.freshness"));
    assertFalse(keys.contains("index.codec"));
  }

  @Test
  void whatAProfileSaysIsNotProposed() {
    for (Tuning tuning : Tunings.of(Use.LOGS, Sick.cluster().snapshot())) {
      assertFalse(Tunings.saidByProfile(tuning, Use.LOGS, "logs"), "on stock none says anything");
    }
    Tuning freshness =
        new Tuning(
            "index.millrace.freshness", "5s", "", "", Tuning.When.OPEN, java.util.Objects::nonNull);
    assertTrue(Tunings.saidByProfile(freshness, Use.LOGS, "logs"));
    assertFalse(Tunings.saidByProfile(freshness, Use.LOGS, "traces"), "that one says another time");
    assertFalse(Tunings.saidByProfile(freshness, Use.LOGS, null));
  }

  private static JsonNode tree(String json) throws Exception {
    return Json.MAPPER.readTree(json);
  }
}
