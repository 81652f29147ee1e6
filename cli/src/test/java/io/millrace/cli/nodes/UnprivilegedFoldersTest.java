package io.millrace.cli.nodes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.cli.MillraceCommand;
import io.millrace.cli.terminal.Terminal;
import io.millrace.client.failure.ExpectedFailure;
import io.millrace.launcher.workspace.ServerUser;
import io.millrace.launcher.workspace.Workspace;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What root does to folders before it gives up its rights, and what it leaves alone. */
class UnprivilegedFoldersTest {
  private static final ServerUser SERVER = new ServerUser(59_203, 59_203, "a compromised server");
  @TempDir private Path dir;
  private final StringWriter said = new StringWriter();
  private Path source = Path.of("");

  @BeforeEach
  void aTreeInAClosedHome() throws Exception {
    assumeTrue(ServerUser.root(), "NOT TESTED: what root does needs root");
    mode(dir, 0755);
    for (Path needed : List.of(dir, Path.of(System.getProperty("java.home"), "bin"))) {
      try {
        SERVER.requireWay(needed, "");
      } catch (ExpectedFailure e) {
        assumeTrue(false, "NOT TESTED: " + e.getMessage());
      }
    }
    Path home = folder("home");
    mode(home, 0700);
    source = home.resolve("millrace");
    Files.writeString(
        Files.createDirectories(source.resolve("bin")).resolve("opensearch"), "#!/bin/sh\n");
  }

  private static void mode(Path path, int mode) throws IOException {
    Files.setAttribute(path, "unix:mode", mode);
  }

  private static int mode(Path path) throws IOException {
    return (Integer) Files.getAttribute(path, "unix:mode") & 07777;
  }

  private static int owner(Path path) throws IOException {
    return (Integer) Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS);
  }

  private Path folder(String name) throws IOException {
    Path folder = Files.createDirectory(dir.resolve(name));
    mode(folder, 0755);
    return folder;
  }

  private ServerUser prepare(Path base) throws Exception {
    return prepare(base, Map.of());
  }

  private ServerUser prepare(Path base, Map<String, Path> data) throws Exception {
    CommandLine line = MillraceCommand.commandLine();
    line.setErr(new PrintWriter(said, true));
    Workspace place = new Workspace(source, base.resolve("dist"), base, null);
    return new Unprivileged(place, new Terminal(line.getCommandSpec())).prepare(data.get("data"));
  }

  private String refused(Path base) {
    return String.valueOf(assertThrows(ExpectedFailure.class, () -> prepare(base)).getMessage());
  }

  @Test
  void makesAPlaceThatTheServersUserOwnsAndFindsItAgain() throws Exception {
    Path base = dir.resolve("lib/millrace-up/checkout");
    ServerUser user = prepare(base);
    assertEquals(0755, mode(base));
    assertEquals(0755, mode(base.getParent()));
    assertEquals(0, owner(base));
    assertEquals(user.uid(), owner(base.resolve("run")));
    assertEquals(0750, mode(base.resolve("dist")));
    Files.writeString(base.resolve("run/document"), "kept");

    assertEquals(user.uid(), prepare(base).uid());
    assertEquals("kept", Files.readString(base.resolve("run/document")));
    assertEquals("", said.toString());
  }

  @Test
  void aSharedFolderKeepsItsMode() throws Exception {
    Path shared = folder("tmp");
    mode(shared, 01777);
    assertTrue(refused(shared).contains("other users can write into it"));
    assertEquals(01777, mode(shared));
    assertFalse(Files.exists(shared.resolve("run")));
    prepare(shared.resolve("mine"));
    assertEquals(01777, mode(shared));
  }

  @Test
  void aClosedFolderStaysClosed() throws Exception {
    Path closed = folder("closed");
    mode(closed, 0700);
    assertTrue(refused(closed).contains("cannot pass through " + closed));
    assertEquals(0700, mode(closed));
    assertFalse(Files.exists(closed.resolve("dist")), "nothing copied in vain");
  }

  @Test
  void aForeignDistIsNotEmptied() throws Exception {
    Path base = folder("site");
    Path foreign =
        Files.writeString(Files.createDirectory(base.resolve("dist")).resolve("index.html"), "x");
    assertTrue(refused(base).contains(base.resolve("dist") + " holds files"));
    assertEquals("x", Files.readString(foreign));
  }

  @Test
  void aLinkThatTheServerPlantedIsNotFollowed() throws Exception {
    Path service = folder("service");
    SERVER.give(service);
    Path target = folder("target");
    mode(target, 0700);
    Path planted = Files.createSymbolicLink(service.resolve("checkout"), target);
    SERVER.give(planted);

    assertTrue(refused(planted).contains(service + " belongs to uid 59203"));
    assertEquals(0700, mode(target));
    assertFalse(Files.exists(target.resolve("run")));
    assertFalse(Files.exists(target.resolve("dist")));
  }

  @Test
  void aDistThatLeadsAwayIsNotWrittenThrough() throws Exception {
    Path base = folder("base");
    Path away = folder("away");
    SERVER.give(away);
    Files.createSymbolicLink(base.resolve("dist"), away);
    assertTrue(refused(base).contains(away + " belongs to uid 59203"));
    assertFalse(Files.exists(away.resolve("bin")));
  }

  @Test
  void theKeystoreIsNotCopiedAndTheUserIsToldSo() throws Exception {
    Path keystore =
        Files.writeString(
            Files.createDirectory(source.resolve("config")).resolve("opensearch.keystore"), "k");
    Path base = dir.resolve("base");
    prepare(base);
    assertFalse(Files.exists(base.resolve("dist/config/opensearch.keystore")));
    assertTrue(said.toString().contains(keystore + " is not copied"), said.toString());
  }

  @Test
  void aDataFolderInSomebodysHomeIsMadeWithHisRights() throws Exception {
    Path home = folder("somebody");
    SERVER.give(home);
    Path base = folder("base");
    SERVER.give(Files.createDirectory(base.resolve("run")));
    Path data = home.resolve("data");
    ServerUser user = prepare(base, Map.of("data", data));
    assertEquals(SERVER.uid(), user.uid());
    assertEquals(SERVER.uid(), owner(data));

    Path closed = folder("other");
    new ServerUser(59_204, 59_204, "another user").give(closed);
    ExpectedFailure failure =
        assertThrows(
            ExpectedFailure.class, () -> prepare(base, Map.of("data", closed.resolve("data"))));
    assertTrue(String.valueOf(failure.getMessage()).contains("cannot make " + closed), "not root");
    assertFalse(Files.exists(closed.resolve("data")));

    Path roots = dir.resolve("srv/data");
    prepare(base, Map.of("data", roots));
    assertEquals(SERVER.uid(), owner(roots));
    assertEquals(0, owner(roots.getParent()));
  }
}
