package io.millrace.doctor.tune;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import io.millrace.doctor.snapshot.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TunerTest {
  @TempDir Path folder;

  /** An application of a day each, one of a template of each kind, and one that is not dated. */
  private static FakeCluster planted() throws IOException {
    FakeCluster cluster = new FakeCluster();
    cluster
        .index("shop-2026.11.20", "index.refresh_interval", "1s")
        .index("shop-2026.11.21", "index.refresh_interval", "1s", "index.codec", "default")
        .index("pay-2026.11.21", "index.translog.flush_threshold_size", "64mb")
        .index("bill-2026.11.21")
        .index("audit")
        .index("products", "index.refresh_interval", "1s");
    cluster.composable.put(
        "pay",
        Json.MAPPER.readTree(
            """
            {"index_patterns":["pay-*"],"priority":7,"composed_of":[],"version":3,
             "template":{"settings":{"index":{"refresh_interval":"1s","number_of_replicas":"1"}},
                         "mappings":{"properties":{"n":{"type":"long"}}}}}\
            """));
    cluster.legacy.put(
        "bill",
        Json.MAPPER.readTree(
            """
            {"index_patterns":["bill-*"],"order":5,
             "settings":{"index":{"refresh_interval":"1s"}},"mappings":{},"aliases":{}}\
            """));
    return cluster;
  }

  private TuneJournal journal(TunePlan plan, String name) {
    return TuneJournal.create(folder.resolve(name), plan);
  }

  private static Tuner tuner(FakeCluster cluster, TuneJournal journal) {
    return new Tuner(cluster.client(), journal, text -> {});
  }

  @Test
  void whatIsAppliedIsWhatIsShownAndUndoRestoresEveryByte() throws Exception {
    try (FakeCluster cluster = planted()) {
      String before = cluster.state();
      TunePlan plan = cluster.plan(Use.LOGS);
      assertEquals(before, cluster.state(), "a plan changes nothing");
      assertEquals(List.of(), cluster.asked);
      String text = PlanText.of(plan, "http://here");
      assertTrue(text.contains("index.refresh_interval: 1s -> 30s"), text);
      assertTrue(text.contains("index.translog.flush_threshold_size: 64mb -> 1gb"), text);
      assertTrue(text.contains("index audit: closed, set, opened again"), text);
      assertEquals(List.of("audit"), plan.closings());
      try (TuneJournal journal = journal(plan, "j")) {
        tuner(cluster, journal).apply();
      }
      assertEquals("30s", cluster.settings("shop-2026.11.20").get("index.refresh_interval"));
      assertEquals("best_compression", cluster.settings("audit").get("index.codec"));
      assertEquals("default", cluster.settings("shop-2026.11.21").get("index.codec"));
      assertEquals("1s", cluster.settings("products").get("index.refresh_interval"));
      assertTrue(cluster.closed.isEmpty());
      String pay = String.valueOf(cluster.composable.get("pay"));
      assertTrue(pay.contains("\"index.refresh_interval\":\"30s\""), pay);
      assertFalse(pay.contains("\"1s\""), pay);
      assertTrue(pay.contains("\"number_of_replicas\":\"1\"") && pay.contains("long"), pay);
      String bill = String.valueOf(cluster.legacy.get("bill"));
      assertTrue(bill.contains("30s") && !bill.contains("codec"), bill);
      JsonNode own = Objects.requireNonNull(cluster.legacy.get("millrace-tune-logs"));
      assertTrue(own.path("order").asInt() < 5, "below the user's: " + own);
      assertEquals(
          "[\"shop-*\"]",
          Objects.requireNonNull(cluster.composable.get("millrace-tune-logs"))
              .path("index_patterns")
              .toString());
      assertEquals(List.of(), cluster.plan(Use.LOGS).steps(), "a second run finds nothing");
      try (TuneJournal journal = TuneJournal.open(folder.resolve("j"))) {
        assertEquals(List.of(), tuner(cluster, journal).undo());
        assertFalse(journal.open());
      }
      assertEquals(before, cluster.state());
    }
  }

  /** At every request that changes something, in each of three ways. */
  @Test
  void whereverItBreaksItGoesOnOrIsUndone() throws Exception {
    String applied;
    int requests;
    try (FakeCluster cluster = planted()) {
      try (TuneJournal journal = journal(cluster.plan(Use.LOGS), "whole")) {
        tuner(cluster, journal).apply();
      }
      applied = cluster.state();
      requests = cluster.asked.size();
    }
    assertTrue(requests > 8, "requests " + requests);
    for (FakeCluster.Fault fault : FakeCluster.Fault.values()) {
      for (int at = 0; at < requests; at++) {
        for (boolean on : new boolean[] {true, false}) {
          if (fault == (on ? FakeCluster.Fault.REFUSED : FakeCluster.Fault.BEFORE)) {
            continue; // both leave the same behind: one goes on, the other is undone
          }
          try (FakeCluster cluster = planted()) {
            String before = cluster.state();
            String name = fault + "-" + at + "-" + on;
            cluster.failing = at;
            cluster.fault = fault;
            try (TuneJournal journal = journal(cluster.plan(Use.LOGS), name)) {
              ExpectedFailure failure =
                  assertThrows(ExpectedFailure.class, () -> tuner(cluster, journal).apply(), name);
              assertTrue(String.valueOf(failure.remedy()).contains("--resume"), name);
            }
            cluster.failing = -1;
            try (TuneJournal journal = TuneJournal.open(folder.resolve(name))) {
              if (on) {
                tuner(cluster, journal).apply();
              } else {
                assertEquals(List.of(), tuner(cluster, journal).undo(), name);
              }
            }
            assertEquals(on ? applied : before, cluster.state(), name);
          }
        }
      }
    }
  }

  @Test
  void whatSomebodyElseChangedSinceStays() throws Exception {
    try (FakeCluster cluster = planted()) {
      try (TuneJournal journal = journal(cluster.plan(Use.LOGS), "j")) {
        tuner(cluster, journal).apply();
        cluster.settings("shop-2026.11.20").put("index.refresh_interval", "7s");
        cluster.indices.remove("bill-2026.11.21");
        cluster.composable.put(
            "pay",
            Json.MAPPER.readTree(
                "{\"index_patterns\":[\"pay-*\"],\"template\":{\"settings\":{\"index.refresh_interval\":\"9s\"}}}"));
        List<String> notes = tuner(cluster, journal).undo();
        assertEquals(3, notes.size(), notes::toString);
        assertTrue(notes.toString().contains("index bill-2026.11.21 is gone"), notes::toString);
        assertTrue(notes.toString().contains("template pay was changed since"), notes::toString);
      }
      assertEquals("7s", cluster.settings("shop-2026.11.20").get("index.refresh_interval"));
      assertEquals("1s", cluster.settings("shop-2026.11.21").get("index.refresh_interval"));
      assertEquals(
          "9s",
          FlatSettings.of(
                  Objects.requireNonNull(cluster.composable.get("pay"))
                      .path("template")
                      .path("settings"))
              .get("index.refresh_interval"));
    }
  }

  /** One would take back what the other sets. */
  @Test
  void twoWithOneJournalAreRefused() throws Exception {
    try (FakeCluster cluster = planted()) {
      Path file = folder.resolve("j");
      try (TuneJournal journal = journal(cluster.plan(Use.LOGS), "j")) {
        assertEquals(journal.steps(), journal.left());
        ExpectedFailure failure = assertThrows(ExpectedFailure.class, () -> TuneJournal.open(file));
        assertEquals(ExitCode.USAGE, failure.exitCode());
        assertTrue(failure.getMessage().contains("another millrace tune"), failure.getMessage());
        tuner(cluster, journal).apply();
        assertEquals(List.of(), journal.left());
      }
      try (TuneJournal journal = TuneJournal.open(file)) {
        assertEquals(List.of(), journal.left());
        tuner(cluster, journal).undo();
        assertEquals(journal.steps(), journal.left());
      }
    }
  }

  @Test
  void anotherClusterIsRefused() throws Exception {
    try (FakeCluster cluster = planted()) {
      try (TuneJournal journal = journal(cluster.plan(Use.LOGS), "j")) {
        cluster.uuid = "other";
        ExpectedFailure failure =
            assertThrows(ExpectedFailure.class, () -> tuner(cluster, journal).apply());
        assertTrue(failure.getMessage().contains("about the cluster u"), failure.getMessage());
        assertEquals(List.of(), cluster.asked);
      }
    }
  }

  @Test
  void journalsThatAreCutOrNoneAreTold() throws Exception {
    try (FakeCluster cluster = planted()) {
      String before = cluster.state();
      Path file = folder.resolve("j");
      try (TuneJournal journal = journal(cluster.plan(Use.LOGS), "j")) {
        tuner(cluster, journal).apply();
      }
      String text = Files.readString(file);
      // the machine died while the last line was written
      Files.writeString(file, text.substring(0, text.length() - 9));
      try (TuneJournal journal = TuneJournal.open(file)) {
        assertEquals(TuneJournal.State.BEGUN, journal.state(journal.steps().size() - 1));
        assertEquals(List.of(), tuner(cluster, journal).undo());
      }
      assertEquals(before, cluster.state());
      assertThrows(ExpectedFailure.class, () -> journal(cluster.plan(Use.LOGS), "j"));
      for (String broken :
          List.of("", "<html>", "{}\n", text.substring(0, text.indexOf('\n') + 1))) {
        Files.writeString(file, broken);
        ExpectedFailure failure =
            assertThrows(ExpectedFailure.class, () -> TuneJournal.open(file), broken);
        assertEquals(ExitCode.INPUT, failure.exitCode());
        assertTrue(failure.getMessage().contains(file.toString()), failure.getMessage());
      }
    }
  }

  @Test
  void aServerThatRefusesLeavesNoIndexClosed() throws Exception {
    try (FakeCluster cluster = new FakeCluster().index("audit")) {
      TunePlan plan = cluster.plan(Use.LOGS);
      int close = plan.steps().size() - 1;
      assertEquals(Step.Kind.CLOSED_INDEX, plan.steps().get(close).kind());
      cluster.failing = close + 1; // its PUT: the steps before it are one request each
      try (TuneJournal journal = journal(plan, "j")) {
        assertThrows(ExpectedFailure.class, () -> tuner(cluster, journal).apply());
      }
      assertTrue(cluster.closed.isEmpty(), cluster.asked::toString);
      assertTrue(cluster.asked.getLast().endsWith("/_open"), cluster.asked::toString);
    }
  }
}
