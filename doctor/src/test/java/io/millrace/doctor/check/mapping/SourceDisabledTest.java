package io.millrace.doctor.check.mapping;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Severity;
import org.junit.jupiter.api.Test;

class SourceDisabledTest extends CheckTestCase {
  SourceDisabledTest() {
    super(new SourceDisabled());
  }

  @Test
  void firesAlsoBelowAType() {
    fires(
        Severity.WARN,
        Sick.cluster().mapping("{\"doc\":{\"_source\":{\"enabled\":false},\"properties\":{}}}"));
  }
}
