package io.millrace.launcher.workspace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.client.failure.ExpectedFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkspaceTest {
  @TempDir private Path dir;

  @Test
  void aCheckoutKeepsItsStateInsideItself() throws IOException {
    Path tree = Files.createDirectories(dir.resolve("checkout/distribution/target/millrace"));
    Workspace place = Workspace.locate(tree, dir.resolve("checkout"), false, Map.of(), dir);
    assertEquals(dir.resolve("checkout/.millrace"), place.base());
    assertEquals(place.base().resolve("dist"), place.tree(), "nodes run from a copy");
  }

  @Test
  void rootKeepsItWhereTheServersUserCanReach() throws IOException {
    Path tree = Files.createDirectories(dir.resolve("a/checkout/target"));
    Path other = Files.createDirectories(dir.resolve("b/checkout/target"));
    Workspace one = Workspace.locate(tree, tree.getParent(), true, Map.of(), dir);
    Workspace two = Workspace.locate(other, other.getParent(), true, Map.of(), dir);
    assertTrue(one.base().startsWith("/var/lib/millrace-up"), one.base().toString());
    assertFalse(one.base().equals(two.base()), "two checkouts of the same name");
  }

  @Test
  void anInstalledTreeIsUsedInPlaceUnlessRootAloneCanReadIt() throws IOException {
    Path tree = Files.createDirectories(dir.resolve("private/millrace"));
    Files.setPosixFilePermissions(tree.getParent(), PosixFilePermissions.fromString("rwx------"));
    Workspace user = Workspace.locate(tree, null, false, Map.of(), Path.of("/u"));
    assertEquals(tree, user.tree());
    assertEquals(Path.of("/u/.local/state/millrace"), user.base());
    Workspace root = Workspace.locate(tree, null, true, Map.of(), dir);
    assertEquals(root.base().resolve("dist"), root.tree());
  }

  @Test
  void theEnvironmentDecides() throws IOException {
    Map<String, String> env = Map.of("MILLRACE_STATE", "/srv/m", "XDG_STATE_HOME", "/x");
    assertEquals(Path.of("/srv/m"), Workspace.locate(dir, dir, true, env, dir).base());
    assertEquals(
        Path.of("/x/millrace"),
        Workspace.locate(dir, null, false, Map.of("XDG_STATE_HOME", "/x"), dir).base());
  }

  @Test
  void aPathThatJvmFlagsCannotHoldIsRefused() throws IOException {
    Path tree = Files.createDirectories(dir.resolve("My Projects/target"));
    Workspace mine = Workspace.locate(tree, tree.getParent(), false, Map.of(), dir);
    ExpectedFailure failure = assertThrows(ExpectedFailure.class, mine::requirePlain);
    assertTrue(failure.getMessage().contains(mine.base().toString()), failure.getMessage());
    assertTrue(String.valueOf(failure.remedy()).contains("MILLRACE_STATE"));
    Workspace.locate(tree, tree.getParent(), true, Map.of(), dir).requirePlain();
    Map<String, String> colon = Map.of("MILLRACE_STATE", "/srv/a:b");
    assertThrows(ExpectedFailure.class, Workspace.locate(dir, dir, true, colon, dir)::requirePlain);
  }

  @Test
  void theServersUserIsNeverRoot() throws IOException {
    assertEquals(
        4711, ServerUser.choose(List.of(), Map.of("SUDO_UID", "4711", "SUDO_GID", "12")).uid());
    for (String bad : List.of("0", "x", "", "-1")) {
      assertFalse(ServerUser.choose(List.of(), Map.of("SUDO_UID", bad)).uid() == 0, bad);
    }
    List<String> passwd =
        List.of("root:x:0:0::/root:/bin/sh", "opensearch:x:103:104::/:/bin/false", "");
    assertEquals(103, ServerUser.named("opensearch", passwd).orElseThrow().uid());
    assertEquals(Optional.empty(), ServerUser.named("millrace", passwd));
    assertEquals(Optional.empty(), ServerUser.named("root", passwd));
  }
}
