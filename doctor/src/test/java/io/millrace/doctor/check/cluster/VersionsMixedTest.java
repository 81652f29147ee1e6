package io.millrace.doctor.check.cluster;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Severity;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class VersionsMixedTest extends CheckTestCase {
  VersionsMixedTest() {
    super(new VersionsMixed());
  }

  @Test
  void firesForAnOlderNode() {
    fires(Severity.WARN, Sick.cluster().info("version", "3.7.0"));
  }

  @Test
  void firesForAMissingPlugin() {
    fires(
        Severity.WARN,
        Sick.cluster().info("plugins", List.of(Map.of("name", "p", "version", "1"))));
  }
}
