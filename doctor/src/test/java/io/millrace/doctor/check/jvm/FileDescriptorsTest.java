package io.millrace.doctor.check.jvm;

import io.millrace.doctor.check.CheckTestCase;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.Severity;
import org.junit.jupiter.api.Test;

class FileDescriptorsTest extends CheckTestCase {
  FileDescriptorsTest() {
    super(new FileDescriptors());
  }

  @Test
  void firesBelowTheLimit() {
    fires(Severity.WARN, Sick.cluster().stat("process/max_file_descriptors", 4_096));
  }

  @Test
  void isAnErrorWhenMostAreOpen() {
    fires(
        Severity.ERROR,
        Sick.cluster()
            .stat("process/max_file_descriptors", 65_535)
            .stat("process/open_file_descriptors", 60_000));
  }
}
