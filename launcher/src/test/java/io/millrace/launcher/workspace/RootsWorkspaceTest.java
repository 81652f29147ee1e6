package io.millrace.launcher.workspace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where root's state is, with and without an earlier version's, before and after the service. */
class RootsWorkspaceTest {
  @TempDir private Path dir;

  @Test
  void rootsFolderOfAnEarlierVersionIsUsedWhileItIsRoots() throws IOException {
    assumeTrue(ServerUser.root(), "NOT TESTED: giving folders to another user needs root");
    Path lib = Files.createDirectory(dir.resolve("lib"));
    Path checkout = dir.resolve("checkout");
    Path now = at(lib, checkout).base();
    assertEquals(lib.resolve("millrace-up"), now.getParent());
    assertNull(at(lib, checkout).advice(lib));

    Path earlier = lib.resolve("millrace").resolve(now.getFileName());
    Files.createDirectories(earlier.resolve("run"));
    assertEquals(earlier, at(lib, checkout).base());
    String advice = String.valueOf(at(lib, checkout).advice(lib));
    assertTrue(advice.contains("mv " + earlier + " " + lib.resolve("millrace-up")), advice);

    // the service came: systemd gave it the folder and all in it
    ServerUser service = new ServerUser(59_203, 59_203, "the service");
    service.give(earlier.getParent());
    assertEquals(now, at(lib, checkout).base());
    advice = String.valueOf(at(lib, checkout).advice(lib));
    assertTrue(advice.contains(earlier + ", of an earlier version, is not used"), advice);

    // root's again, but moved
    new ServerUser(0, 0, "root").give(earlier.getParent());
    Files.createDirectories(now);
    assertEquals(now, at(lib, checkout).base());
  }

  private Workspace at(Path lib, Path checkout) throws IOException {
    return Workspace.locate(checkout.resolve("tree"), checkout, true, Map.of(), dir, lib);
  }
}
