package io.millrace.doctor.check.layout;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Finding;
import io.millrace.doctor.finding.Severity;
import org.junit.jupiter.api.Test;

class ReadOnlyBlockTest extends CheckTestCase {
  ReadOnlyBlockTest() {
    super(new ReadOnlyBlock());
  }

  @Test
  void firesForTheBlock() {
    Finding finding =
        fires(Severity.ERROR, Sick.cluster().logs("index.blocks.read_only_allow_delete", "true"));
    assertEquals(
        "{\"index.blocks.read_only_allow_delete\":null}", finding.fix().calls().getFirst().body());
  }
}
