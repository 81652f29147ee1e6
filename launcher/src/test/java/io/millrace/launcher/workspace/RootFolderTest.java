package io.millrace.launcher.workspace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.client.failure.ExpectedFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The temporary folder is root's and closed; what others can change is made in it. */
class RootFolderTest {
  private static final ServerUser OTHER = new ServerUser(59_203, 59_203, "a test's other user");
  @TempDir private Path dir;

  @BeforeEach
  void asRoot() {
    assumeTrue(ServerUser.root(), "NOT TESTED: giving folders to another user needs root");
  }

  private static void mode(Path path, int mode) throws IOException {
    Files.setAttribute(path, "unix:mode", mode);
  }

  private static int mode(Path path) throws IOException {
    return (Integer) Files.getAttribute(path, "unix:mode") & 07777;
  }

  private static String refused(Path path) {
    ExpectedFailure failure = assertThrows(ExpectedFailure.class, () -> RootFolder.make(path));
    assertTrue(String.valueOf(failure.remedy()).contains("MILLRACE_STATE"));
    return String.valueOf(failure.getMessage());
  }

  @Test
  void onlyWhatItMakesGetsAMode() throws IOException {
    mode(dir, 0711);
    RootFolder.make(dir.resolve("a/b"));
    assertEquals(0755, mode(dir.resolve("a")));
    assertEquals(0755, mode(dir.resolve("a/b")));
    assertEquals(0711, mode(dir));
    mode(dir.resolve("a/b"), 0700);
    RootFolder.make(dir.resolve("a/b"));
    assertEquals(0700, mode(dir.resolve("a/b")));
    assertTrue(RootFolder.is(dir.resolve("a/b")));
    assertFalse(RootFolder.is(dir.resolve("a/c")), "not there");
    assertFalse(Files.exists(dir.resolve("a/c")));
  }

  @Test
  void aSharedFolderIsOnTheWayAtMost() throws IOException {
    Path shared = Files.createDirectory(dir.resolve("tmp"));
    mode(shared, 01777);
    assertTrue(refused(shared).contains("write into it"));
    assertEquals(01777, mode(shared));
    assertTrue(RootFolder.makeWay(shared));
    RootFolder.make(shared.resolve("mine"));
    assertTrue(RootFolder.is(shared.resolve("mine")));

    mode(shared, 0777);
    assertTrue(refused(shared.resolve("mine")).contains("write into " + shared));
    assertFalse(RootFolder.makeWay(shared.resolve("new")));
    assertFalse(Files.exists(shared.resolve("new")));
    mode(shared, 0775);
    assertTrue(RootFolder.is(shared), "root's group");
    Files.setAttribute(shared, "unix:gid", 50);
    assertFalse(RootFolder.is(shared), "another group");
  }

  @Test
  void nothingOfAnotherUserIsOnTheWay() throws IOException {
    Path home = Files.createDirectory(dir.resolve("home"));
    RootFolder.make(home.resolve("deep/er"));
    OTHER.give(home);
    assertTrue(refused(home).contains(home + " belongs to uid 59203"));
    assertTrue(refused(home.resolve("deep/er")).contains(home + " belongs to uid 59203"));
    assertFalse(RootFolder.is(home.resolve("deep")));
    assertFalse(RootFolder.makeWay(home.resolve("new")));
    assertFalse(Files.exists(home.resolve("new")), "made nothing there");
  }

  @Test
  void rootsLinksAreFollowedAndOthersAreNot() throws IOException {
    Path real = Files.createDirectory(dir.resolve("real"));
    Path link = Files.createSymbolicLink(dir.resolve("link"), Path.of("../" + dir.getFileName()));
    RootFolder.make(link.resolve("real/./new/../other"));
    assertTrue(Files.isDirectory(real.resolve("other")));

    OTHER.give(link);
    assertEquals(0, ServerUser.owner(dir), "the link itself was given away");
    assertTrue(refused(link.resolve("real")).contains(link + " belongs to uid 59203"));

    Path shared = Files.createDirectory(dir.resolve("tmp"));
    mode(shared, 01777);
    Path planted = Files.createSymbolicLink(shared.resolve("planted"), real);
    assertTrue(refused(planted).contains(planted + " is a link"));

    Path theirs = Files.createDirectory(dir.resolve("theirs"));
    OTHER.give(theirs);
    Path there = Files.createSymbolicLink(dir.resolve("there"), theirs);
    assertTrue(refused(there).contains(theirs + " belongs to uid 59203"), "the target counts");

    Path loop = Files.createSymbolicLink(dir.resolve("loop"), Path.of("loop"));
    assertTrue(refused(loop).contains("from link to link"));
    Path file = Files.writeString(dir.resolve("file"), "");
    assertTrue(refused(file.resolve("below")).contains(file + " is not a folder"));
  }
}
