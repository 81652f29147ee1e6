package io.millrace.doctor.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.doctor.catalogue.Catalogue;
import io.millrace.doctor.catalogue.Examination;
import io.millrace.doctor.check.Recorded;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.snapshot.Json;
import io.millrace.doctor.snapshot.Snapshot;
import java.io.IOException;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ReportFormatTest {
  private final Snapshot sick =
      Sick.cluster()
          .logs("index.refresh_interval", "1s")
          .cms()
          .stat("thread_pool/write/rejected", 9)
          .snapshot();
  private final Examination examination = Examination.of(sick, Catalogue.all());

  @Test
  void textHasCureAndUndoToPaste() {
    String text = ReportFormat.TEXT.write(examination, "http://127.0.0.1:9200");
    assertTrue(text.contains("1. ERROR  Bulks are rejected  [write-rejections]"), text);
    assertTrue(
        text.contains(
            "curl -XPUT 'http://127.0.0.1:9200/app-logs-2026.11.20/_settings' -H 'Content-Type: application/json' -d '{\"index.refresh_interval\":\"30s\"}'"),
        text);
    assertTrue(text.contains("undo:   curl -XPUT"), text);
    assertFalse(text.contains("\u001b"), "no colours");
  }

  /** A name may hold what moves a cursor or a title; the report holds none of it. */
  @Test
  void namesAndLinesOfLogsCannotControlATerminal() {
    Snapshot evil =
        Sick.cluster()
            .info("name", "n\u001b[2J1\u009b")
            .info("jvm/mem/heap_init_in_bytes", 1)
            .snapshot();
    String text = ReportFormat.TEXT.write(Examination.of(evil, Catalogue.all()), "http://h:1");
    assertTrue(text.contains("n?[2J1?"), text);
    assertFalse(text.matches("(?s).*[\\p{Cntrl}\u0080-\u009f&&[^\n]].*"), text);
  }

  @Test
  void aHealthyClusterIsToldWhatWasLookedAt() {
    String text =
        ReportFormat.TEXT.write(Examination.of(Recorded.healthy(), Catalogue.all()), "http://h:1");
    assertTrue(text.contains("Nothing is wrong"), text);
    assertTrue(text.contains("checks looked at"), text);
  }

  @Test
  void jsonAndSarifAreWhole() throws IOException {
    JsonNode json = Json.MAPPER.readTree(ReportFormat.JSON.write(examination, "http://h:1"));
    assertEquals(examination.findings().size(), json.path("findings").size());
    assertEquals("write-rejections", json.path("findings").get(0).path("check").asText());
    JsonNode run =
        Json.MAPPER
            .readTree(ReportFormat.SARIF.write(examination, "http://h:1"))
            .path("runs")
            .get(0);
    for (JsonNode result : run.path("results")) {
      assertEquals(
          result.path("ruleId"),
          run.path("tool")
              .path("driver")
              .path("rules")
              .get(result.path("ruleIndex").asInt())
              .path("id"));
      assertTrue(Set.of("note", "warning", "error").contains(result.path("level").asText()));
      String uri =
          result
              .path("locations")
              .get(0)
              .path("physicalLocation")
              .path("artifactLocation")
              .path("uri")
              .asText();
      assertTrue(uri.matches("[\\w./,*-]+"), uri);
    }
  }

  @Test
  void htmlIsOneFileInWhichNamesAreNoMarkup() {
    Snapshot evil =
        Sick.cluster().info("name", "<script>n1").info("jvm/mem/heap_init_in_bytes", 1).snapshot();
    String html = ReportFormat.HTML.write(Examination.of(evil, Catalogue.all()), "http://h:1");
    assertTrue(html.contains("&lt;script&gt;n1"));
    assertFalse(html.contains("<script"));
    assertFalse(html.matches("(?s).*(src|href)=.*"), "nothing is fetched");
    assertTrue(html.contains("prefers-color-scheme:dark"));
  }
}
