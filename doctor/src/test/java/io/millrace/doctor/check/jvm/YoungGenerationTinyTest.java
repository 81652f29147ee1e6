package io.millrace.doctor.check.jvm;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Finding;
import io.millrace.doctor.finding.Severity;
import org.junit.jupiter.api.Test;

class YoungGenerationTinyTest extends CheckTestCase {
  YoungGenerationTinyTest() {
    super(new YoungGenerationTiny());
  }

  @Test
  void firesAtOneToNineteen() {
    Finding finding = fires(Severity.WARN, Sick.cluster().cms());
    assertTrue(
        finding.evidence().get(2).value().startsWith("1 : 1"), () -> finding.evidence().toString());
    assertTrue(finding.fix().config().contains("-XX:NewSize=10g"));
  }

  @Test
  void silentAtOneToOne() {
    silent(Sick.cluster().cms().stats("jvm/mem/pools/young/max_in_bytes", 8L << 30));
  }
}
