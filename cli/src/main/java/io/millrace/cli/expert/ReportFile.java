package io.millrace.cli.expert;

import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import io.millrace.doctor.logfile.TextFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A report that goes into a file. */
final class ReportFile {
  private ReportFile() {}

  /**
   * Makes sure that a file can be written before work is done for it; it is not changed.
   *
   * @throws ExpectedFailure naming the file, and what is in the way
   */
  static void check(@Nullable Path file) {
    if (file == null) {
      return;
    }
    Path folder = file.toAbsolutePath().getParent();
    String why =
        Files.isDirectory(file)
            ? "it is a folder"
            : folder == null || !Files.isDirectory(folder)
                ? "there is no folder " + folder
                : Files.exists(file) && !Files.isWritable(file)
                    ? "it may not be changed"
                    : !Files.exists(file) && !Files.isWritable(folder)
                        ? "nothing may be written to " + folder
                        : "";
    if (!why.isEmpty()) {
      throw new ExpectedFailure(
          ExitCode.ENVIRONMENT, "cannot write " + file + ": " + why, "Name another file.");
    }
  }

  /**
   * @throws ExpectedFailure naming the file that cannot be written
   */
  static void write(Path file, String report) {
    try {
      Files.writeString(file, report);
    } catch (IOException e) {
      throw new ExpectedFailure(
          ExitCode.ENVIRONMENT, "cannot write " + file + ": " + TextFile.why(e), null, e);
    }
  }
}
