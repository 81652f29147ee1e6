package io.millrace.launcher.workspace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.client.failure.ExpectedFailure;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
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

    assertEquals(2, TreeCopy.sync(from, to).changed());
    assertEquals(
        "rwxr-xr-x",
        PosixFilePermissions.toString(Files.getPosixFilePermissions(to.resolve("bin/run"))));
    assertTrue(Files.isDirectory(to.resolve("plugins")), "an empty folder counts");
    assertEquals(0, TreeCopy.sync(from, to).changed());

    Files.writeString(from.resolve("a.jar"), "22");
    Files.delete(script);
    Files.delete(from.resolve("bin"));
    assertEquals(2, TreeCopy.sync(from, to).changed());
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

  private static String mode(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  @Test
  void aFolderThatIsNoCopyStaysAsItIs(@TempDir Path dir) throws IOException {
    Path from = Files.createDirectories(dir.resolve("from"));
    Files.writeString(from.resolve("a.jar"), "1");
    Path to = Files.createDirectories(dir.resolve("site/dist"));
    Path foreign = Files.writeString(to.resolve("index.html"), "hello");
    Files.createDirectory(to.resolveSibling("run"));
    String before = mode(to);

    ExpectedFailure failure = assertThrows(ExpectedFailure.class, () -> TreeCopy.sync(from, to));
    assertTrue(failure.getMessage().startsWith(to.toString()), failure.getMessage());
    assertEquals("hello", Files.readString(foreign));
    assertEquals(before, mode(to));
    assertFalse(Files.exists(to.resolve("a.jar")));

    Files.delete(foreign);
    assertEquals(1, TreeCopy.sync(from, to).changed(), "an empty folder is free");
  }

  @Test
  void theCopyOfAnEarlierVersionIsTakenOver(@TempDir Path dir) throws IOException {
    Path from = Files.createDirectories(dir.resolve("from/bin")).getParent();
    Files.writeString(from.resolve("bin/millrace"), "#!/bin/sh\n");
    Path to = dir.resolve("base/dist");
    Files.createDirectories(to.resolve("lib/tools/cli"));
    Files.createDirectories(to.resolve("bin"));
    Files.writeString(to.resolve("bin/millrace"), "old");
    Path keystore =
        Files.writeString(
            Files.createDirectories(to.resolve("config")).resolve("opensearch.keystore"), "k");

    assertThrows(ExpectedFailure.class, () -> TreeCopy.sync(from, to), "a tree, but of whom?");
    Files.createDirectory(to.resolveSibling("run"));
    assertEquals(2, TreeCopy.sync(from, to).changed());
    assertEquals("#!/bin/sh\n", Files.readString(to.resolve("bin/millrace")));
    assertFalse(Files.exists(keystore), "it should not have been copied");
    assertFalse(Files.exists(to.resolve("lib")));
  }

  @Test
  void nobodyElseReadsTheCopyAndSomeThingsAreNotCopied(@TempDir Path dir) throws IOException {
    Path from = dir.resolve("from");
    Path config = Files.createDirectories(from.resolve("config"));
    Path keystore = Files.writeString(config.resolve("opensearch.keystore"), "secret");
    Files.writeString(config.resolve("opensearch.yml"), "a.secret: 1\n");
    for (String name : List.of("data", "logs", "modules/data")) {
      Files.writeString(
          Files.createDirectories(from.resolve(name)).resolve("document"), "a document");
    }
    Path to = dir.resolve("to");

    TreeCopy.Outcome outcome = TreeCopy.sync(from, to);
    assertEquals(List.of(keystore), outcome.left());
    assertEquals("rwx------", mode(to));
    assertFalse(Files.exists(to.resolve("config/opensearch.keystore")));
    assertTrue(Files.exists(to.resolve("config/opensearch.yml")));
    assertFalse(Files.exists(to.resolve("data")), "documents of a node started in the tree");
    assertFalse(Files.exists(to.resolve("logs")));
    assertTrue(Files.exists(to.resolve("modules/data/document")), "only at the top");
    assertEquals("secret", Files.readString(keystore));
  }

  @Test
  void rootsCopyIsRootsAndOpenToTheServersGroup(@TempDir Path dir) throws Exception {
    assumeTrue(ServerUser.root(), "NOT TESTED: giving files to another user needs root");
    Files.setPosixFilePermissions(dir, PosixFilePermissions.fromString("rwx--x--x"));
    ServerUser server = new ServerUser(59_203, 59_203, "the server");
    ServerUser other = new ServerUser(59_204, 59_204, "another user");
    try {
      server.requireWay(dir, "");
    } catch (ExpectedFailure e) {
      assumeTrue(false, "NOT TESTED: " + e.getMessage());
    }
    Path from = Files.createDirectories(dir.resolve("from"));
    Files.setPosixFilePermissions(from, PosixFilePermissions.fromString("rwx------"));
    Path yml = Files.writeString(from.resolve("opensearch.yml"), "a.secret: 1\n");
    Files.setPosixFilePermissions(yml, PosixFilePermissions.fromString("rw-------"));
    other.give(yml);
    Path to = dir.resolve("to");

    TreeCopy.sync(from, to, server.gid(), Set.of());
    Path copy = to.resolve("opensearch.yml");
    assertEquals("rwxr-x---", mode(to));
    assertEquals(0, ServerUser.owner(copy), "not the owner of the source");
    server.requireAccess(copy, "");
    assertThrows(ExpectedFailure.class, () -> other.requireAccess(copy, ""));

    other.give(copy); // as earlier versions left it
    assertEquals(1, TreeCopy.sync(from, to, server.gid(), Set.of()).changed());
    assertEquals(0, ServerUser.owner(copy));
  }

  @Test
  void linksDoNotLeadOutOfTheCopy(@TempDir Path dir) throws IOException {
    Path from = Files.createDirectories(dir.resolve("from/lib")).getParent();
    Files.writeString(from.resolve("lib/a.jar"), "1");
    Files.writeString(from.resolve("b"), "1");
    Path to = dir.resolve("to");
    TreeCopy.sync(from, to);
    Path outside = Files.createDirectory(dir.resolve("outside"));
    Files.setPosixFilePermissions(outside, PosixFilePermissions.fromString("rwx------"));
    Path victim = Files.writeString(outside.resolve("victim"), "2");
    Files.delete(to.resolve("lib/a.jar"));
    Files.delete(to.resolve("lib"));
    Files.createSymbolicLink(to.resolve("lib"), outside);
    Files.delete(to.resolve("b"));
    Files.createDirectories(to.resolve("b/c"));
    Files.createSymbolicLink(to.resolve("d"), outside);

    TreeCopy.sync(from, to);
    assertEquals("1", Files.readString(to.resolve("lib/a.jar")));
    assertEquals("1", Files.readString(to.resolve("b")), "a file where a folder was");
    assertFalse(Files.exists(to.resolve("d")));
    assertEquals("2", Files.readString(victim));
    assertEquals("rwx------", mode(outside));
    try (Stream<Path> there = Files.list(outside)) {
      assertEquals(List.of(victim), there.toList());
    }
  }
}
