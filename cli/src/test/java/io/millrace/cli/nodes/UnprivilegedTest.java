package io.millrace.cli.nodes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Paths count from where the user called, not from the folder root starts the second process in.
 */
class UnprivilegedTest {
  @AfterEach
  void asBefore() {
    System.clearProperty(Unprivileged.FROM);
  }

  @Test
  void ofTheFirstProcess() {
    assertEquals(Path.of("docs").toAbsolutePath(), Unprivileged.asCalled(Path.of("./docs")));
    assertEquals(Path.of("/srv/docs"), Unprivileged.asCalled(Path.of("/srv/docs")));
  }

  @Test
  void ofTheSecondProcess() {
    System.setProperty(Unprivileged.FROM, "/users/me");
    assertEquals(Path.of("/users/me/docs"), Unprivileged.asCalled(Path.of("./docs")));
    assertEquals(Path.of("/srv/docs"), Unprivileged.asCalled(Path.of("/srv/docs")));
    assertEquals(Path.of("/users/me/link/../docs"), Unprivileged.asCalled(Path.of("link/../docs")));
  }

  @Test
  void filesForTheKeystore() {
    System.setProperty(Unprivileged.FROM, "/users/me");
    assertEquals(
        List.of("add-file", "a.b", "/users/me/key", "-f", "c.d", "/etc/key"),
        KeystoreCommand.withWholePaths(
            List.of("add-file", "a.b", "./key", "-f", "c.d", "/etc/key")));
    assertEquals(
        List.of("add", "a", "b"), KeystoreCommand.withWholePaths(List.of("add", "a", "b")));
  }
}
