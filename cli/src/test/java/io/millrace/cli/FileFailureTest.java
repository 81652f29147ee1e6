package io.millrace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import org.junit.jupiter.api.Test;

class FileFailureTest {
  private static ExpectedFailure told(IOException e) {
    ExpectedFailure failure = (ExpectedFailure) FileFailure.of(e);
    assertEquals(ExitCode.ENVIRONMENT, failure.exitCode());
    return failure;
  }

  @Test
  void filesAreNamedAndNoClassIs() {
    assertEquals("no permission for /a/b", told(new AccessDeniedException("/a/b")).getMessage());
    assertEquals(
        "no such file or folder: /a/b", told(new NoSuchFileException("/a/b")).getMessage());
    assertEquals(
        "/a/b: Read-only file system",
        told(new FileSystemException("/a/b", null, "Read-only file system")).getMessage());
  }

  @Test
  void aFullDiskIsSaidWithWhatToDo() {
    for (IOException e :
        new IOException[] {
          new IOException("No space left on device"),
          new FileSystemException("/a", null, "No space left on device")
        }) {
      assertTrue(String.valueOf(told(e).remedy()).startsWith("Make room"), e.toString());
    }
  }

  @Test
  void whatTellsOfNoFileStaysAsItIs() {
    IOException e = new IOException("Connection reset");
    assertSame(e, FileFailure.of(e));
  }
}
