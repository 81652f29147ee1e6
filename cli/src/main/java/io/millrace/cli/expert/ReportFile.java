package io.millrace.cli.expert;

import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A report that goes into a file. */
final class ReportFile {
  private ReportFile() {}

  /**
   * @throws ExpectedFailure naming the file that cannot be written
   */
  static void write(Path file, String report) {
    try {
      Files.writeString(file, report);
    } catch (IOException e) {
      throw new ExpectedFailure(
          ExitCode.ENVIRONMENT, "cannot write " + file + ": " + e.getMessage(), null, e);
    }
  }
}
