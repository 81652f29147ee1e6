package io.millrace.doctor.check.mapping;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Severity;
import org.junit.jupiter.api.Test;

class LossyDerivedSourceTest extends CheckTestCase {
  LossyDerivedSourceTest() {
    super(new LossyDerivedSource());
  }

  @Test
  void firesForMatchOnlyText() {
    fires(
        Severity.ERROR,
        Sick.cluster()
            .logs("index.derived_source.enabled", "true")
            .mapping("{\"properties\":{\"message\":{\"type\":\"match_only_text\"}}}"));
  }

  @Test
  void silentWithoutIt() {
    silent(Sick.cluster().mapping("{\"properties\":{\"message\":{\"type\":\"match_only_text\"}}}"));
  }
}
