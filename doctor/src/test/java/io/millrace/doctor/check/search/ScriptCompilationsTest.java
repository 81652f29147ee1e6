package io.millrace.doctor.check.search;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Severity;
import org.junit.jupiter.api.Test;

class ScriptCompilationsTest extends CheckTestCase {
  ScriptCompilationsTest() {
    super(new ScriptCompilations());
  }

  @Test
  void firesAtTheLimit() {
    fires(Severity.WARN, Sick.cluster().stat("script/compilation_limit_triggered", 3));
  }
}
