package io.millrace.doctor.check.mapping;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Severity;
import org.junit.jupiter.api.Test;

class TextFielddataTest extends CheckTestCase {
  TextFielddataTest() {
    super(new TextFielddata());
  }

  @Test
  void firesForAField() {
    fires(
        Severity.WARN,
        Sick.cluster().mapping("{\"properties\":{\"m\":{\"type\":\"text\",\"fielddata\":true}}}"));
  }

  @Test
  void firesForTheHeap() {
    fires(Severity.WARN, Sick.cluster().stat("indices/fielddata/memory_size_in_bytes", 2L << 30));
  }
}
