package io.millrace.doctor.check.mapping;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Finding;
import io.millrace.doctor.finding.Severity;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class LogsWithoutProfileTest extends CheckTestCase {
  private static final String LOGS =
      "{\"properties\":{\"@timestamp\":{\"type\":\"date\"},\"message\":{\"type\":\"text\"}}}";

  LogsWithoutProfileTest() {
    super(new LogsWithoutProfile());
  }

  private static Sick millrace() throws IOException {
    JsonNode plugins = new ObjectMapper().readTree("[{\"name\":\"millrace\"}]");
    return Sick.cluster()
        .alone()
        .info("plugins", plugins)
        .products("index.millrace.profile", "search")
        .mapping(LOGS);
  }

  @Test
  void namesLogsWithoutAProfileAndWhatToDo() throws IOException {
    Finding finding = fires(Severity.INFO, millrace());
    assertEquals(List.of("app-logs-2026.11.20"), finding.subjects());
    assertTrue(String.valueOf(finding.fix().advice()).contains("--index app-logs-*"));
  }

  @Test
  void aProfileOfAnyKindIsAChoice() throws IOException {
    silent(millrace().logs("index.millrace.profile", "none"));
  }

  @Test
  void documentsWithoutTimeOrMessageAreNoLogs() throws IOException {
    silent(millrace().mapping("{\"properties\":{\"message\":{\"type\":\"text\"}}}"));
    silent(millrace().mapping("{\"properties\":{\"@timestamp\":{\"type\":\"date\"}}}"));
  }

  @Test
  void stockHasNoProfiles() {
    silent(Sick.cluster().alone().mapping(LOGS));
  }
}
