package io.millrace.cli.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TreeCopyTest {
  @Test
  void copiesOnlyWhatChangedAndRemovesWhatIsGone(@TempDir Path dir) throws IOException {
    Path from = Files.createDirectories(dir.resolve("from/bin")).getParent();
    Path to = dir.resolve("to");
    Path script = Files.writeString(from.resolve("bin/run"), "#!/bin/sh\n");
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
    Files.writeString(from.resolve("a.jar"), "1");
    Files.createDirectory(from.resolve("plugins"));

    assertEquals(2, TreeCopy.sync(from, to));
    assertEquals(
        "rwxr-xr-x",
        PosixFilePermissions.toString(Files.getPosixFilePermissions(to.resolve("bin/run"))));
    assertTrue(Files.isDirectory(to.resolve("plugins")), "an empty folder counts");
    assertEquals(0, TreeCopy.sync(from, to));

    Files.writeString(from.resolve("a.jar"), "22");
    Files.delete(script);
    Files.delete(from.resolve("bin"));
    assertEquals(2, TreeCopy.sync(from, to));
    assertEquals("22", Files.readString(to.resolve("a.jar")));
    assertFalse(Files.exists(to.resolve("bin")));
  }

  @Test
  void whoHasTheOldFileOpenKeepsIt(@TempDir Path dir) throws IOException {
    Path from = Files.createDirectories(dir.resolve("from"));
    Path to = dir.resolve("to");
    Files.writeString(from.resolve("a.jar"), "old");
    TreeCopy.sync(from, to);
    try (InputStream open = Files.newInputStream(to.resolve("a.jar"))) {
      Files.writeString(from.resolve("a.jar"), "newer");
      TreeCopy.sync(from, to);
      assertEquals("old", new String(open.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8));
    }
    assertEquals("newer", Files.readString(to.resolve("a.jar")));
  }
}
