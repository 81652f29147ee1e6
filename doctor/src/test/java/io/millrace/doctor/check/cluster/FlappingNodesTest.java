package io.millrace.doctor.check.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Finding;
import io.millrace.doctor.finding.Severity;
import java.util.List;
import org.junit.jupiter.api.Test;

class FlappingNodesTest extends CheckTestCase {
  FlappingNodesTest() {
    super(new FlappingNodes());
  }

  @Test
  void firesForARestart() {
    fires(Severity.WARN, Sick.cluster().stat("jvm/uptime_in_millis", 60_000));
  }

  @Test
  void isAnErrorWhenANodeWent() {
    Finding finding = fires(Severity.ERROR, Sick.cluster().gone("id2"));
    assertEquals(List.of("n2"), finding.subjects());
  }
}
