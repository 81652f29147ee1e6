package io.millrace.access.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.opensearch.common.xcontent.XContentHelper;
import org.opensearch.common.xcontent.json.JsonXContent;

class AuditLogTest {
  private long nanos;
  private boolean on = true;
  private final AuditLog log = new AuditLog(() -> on, () -> 3, () -> nanos);

  private void write(int lines) {
    for (int i = 0; i < lines; i++) {
      log.write("refused", "u:anna", "indices:data/read/search", "10.0.0.1", "may not");
    }
  }

  @Test
  void aSecondTakesSoManyLines() {
    write(10);
    assertEquals(3, log.written());
    assertEquals(7, log.dropped());
    nanos += 1_000_000_000L;
    write(1);
    assertEquals(4, log.written());
    on = false;
    write(1);
    assertEquals(4, log.written());
    assertEquals(7, log.dropped());
  }

  @Test
  void aLineIsOneJsonObjectWhateverIsInIt() {
    String nasty = "a\nb\"c\u0000\u001b[31m" + "x".repeat(10_000);
    String line = AuditLog.line("login_failed", nasty, nasty, "10.0.0.1", nasty, 7);
    assertFalse(line.contains("\n"));
    assertFalse(line.contains("\u001b"));
    assertTrue(line.length() < 4_000, "cut");
    Map<String, Object> map = XContentHelper.convertToMap(JsonXContent.jsonXContent, line, true);
    assertEquals("login_failed", map.get("event"));
    assertEquals(7, map.get("lines_dropped_before"));
    assertTrue(map.get("who").toString().startsWith("a\nb\"c"));
    assertTrue(map.containsKey("@timestamp"));
  }
}
