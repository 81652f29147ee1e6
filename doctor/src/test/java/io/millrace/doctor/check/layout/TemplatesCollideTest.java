package io.millrace.doctor.check.layout;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Severity;
import io.millrace.doctor.snapshot.Probe;
import org.junit.jupiter.api.Test;

class TemplatesCollideTest extends CheckTestCase {
  TemplatesCollideTest() {
    super(new TemplatesCollide());
  }

  @Test
  void firesForTwoValues() {
    fires(
        Severity.WARN,
        Sick.cluster()
            .answer(
                Probe.TEMPLATES,
                "{\"a\":{\"order\":0,\"index_patterns\":[\"x-*\"],\"settings\":{\"index.codec\":\"default\"}},\"b\":{\"order\":0,\"index_patterns\":[\"x-*\"],\"settings\":{\"index.codec\":\"best_compression\"}}}"));
  }
}
