package io.millrace.doctor.check.mapping;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Severity;
import org.junit.jupiter.api.Test;

class FieldsManyTest extends CheckTestCase {
  FieldsManyTest() {
    super(new FieldsMany());
  }

  @Test
  void firesNearTheLimit() {
    fires(Severity.WARN, Sick.cluster().logs("index.mapping.total_fields.limit", 4));
  }
}
