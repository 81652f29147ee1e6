package io.millrace.cli;

import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import org.jspecify.annotations.Nullable;

/** What the machine's files refuse, as a sentence: whichever command ran into it. */
final class FileFailure {
  private static final String FULL = "No space left on device";

  private FileFailure() {}

  /** The failure with its remedy, or the exception itself where it does not tell of a file. */
  static Exception of(IOException e) {
    if (FULL.equals(e.getMessage())) {
      return failure("the disk is full", "Make room, or choose a folder on another disk.", e);
    }
    if (!(e instanceof FileSystemException on) || on.getFile() == null) {
      return e;
    }
    String file = on.getFile();
    if (e instanceof AccessDeniedException) {
      return failure(
          "no permission for " + file,
          "Run it as the user to whom it belongs, or choose a folder of your own.",
          e);
    }
    if (e instanceof NoSuchFileException) {
      return failure("no such file or folder: " + file, "Check the path; folders are not made.", e);
    }
    if (e instanceof NotDirectoryException) {
      return failure(file + " is no folder", "Check the path.", e);
    }
    if (e instanceof FileAlreadyExistsException) {
      return failure(file + " is there already", "Move it away, or choose another name.", e);
    }
    String reason = on.getReason();
    return reason == null
        ? e
        : failure(
            file + ": " + reason,
            reason.equals(FULL) ? "Make room, or choose a folder on another disk." : null,
            e);
  }

  private static ExpectedFailure failure(
      String message, @Nullable String remedy, IOException cause) {
    return new ExpectedFailure(ExitCode.ENVIRONMENT, message, remedy, cause);
  }
}
