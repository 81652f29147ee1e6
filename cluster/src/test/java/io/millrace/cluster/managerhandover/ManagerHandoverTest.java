package io.millrace.cluster.managerhandover;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.opensearch.common.io.stream.BytesStreamOutput;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.unit.TimeValue;

class ManagerHandoverTest {
  @Test
  void aRequestSurvivesTheWireWithItsAttempt() throws Exception {
    HandoverRequest sent = new HandoverRequest("b", TimeValue.timeValueSeconds(7), 1).again();
    BytesStreamOutput out = new BytesStreamOutput();
    sent.writeTo(out);
    HandoverRequest got = new HandoverRequest(out.bytes().streamInput());
    assertEquals("b", got.to());
    assertEquals(2, got.attempt());
    assertEquals(TimeValue.timeValueSeconds(7), got.step());
    assertNull(got.validate());
  }

  @Test
  void badInputNamesTheField() {
    var noTarget = new HandoverRequest(" ").validate();
    assertNotNull(noTarget);
    assertTrue(noTarget.getMessage().contains("[to] is missing"), noTarget.getMessage());
    var noTime = new HandoverRequest("b", TimeValue.ZERO, 1).validate();
    assertNotNull(noTime);
    assertTrue(noTime.getMessage().contains("[timeout]"), noTime.getMessage());
  }

  @Test
  void badSettingsNameThemselves() {
    ManagerHandoverFeature feature = new ManagerHandoverFeature();
    String key = feature.prefix() + ".preferred_after";
    var knob = feature.knobs().stream().filter(k -> k.key().equals(key)).findFirst().orElseThrow();
    Settings soon = Settings.builder().put(key, "soon").build();
    RuntimeException e = assertThrows(RuntimeException.class, () -> knob.setting().get(soon));
    assertTrue(e.getMessage().contains(key), e.getMessage());
  }
}
