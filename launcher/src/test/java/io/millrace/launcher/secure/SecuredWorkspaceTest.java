package io.millrace.launcher.secure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.credential.Operators;
import io.millrace.launcher.workspace.Workspace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SecuredWorkspaceTest {
  private static final List<String> NODE = List.of("node-1");

  @TempDir private Path dir;
  private final List<String> notes = new ArrayList<>();
  private Workspace place;
  private SecuredWorkspace secured;

  @BeforeEach
  void aWorkspace() {
    place = new Workspace(dir.resolve("tree"), dir.resolve("tree"), dir.resolve("base"), null);
    secured = new SecuredWorkspace(place);
  }

  private Operators known() throws IOException {
    return Operators.parse(Files.readString(place.secrets().resolve("operators")));
  }

  @Test
  void theFirstPasswordIsToldOnceAndKeptAsAHash() throws IOException {
    assertFalse(secured.on());
    String password = secured.prepare(NODE, Map.of(), notes).orElseThrow();
    assertTrue(secured.on());
    assertTrue(known().hashes().get(SecuredWorkspace.FIRST).matches(password.toCharArray()));
    try (Stream<Path> all = Files.walk(place.run())) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        assertFalse(Files.readString(file).contains(password), file + " holds the password");
        assertEquals(
            "rw-------",
            PosixFilePermissions.toString(Files.getPosixFilePermissions(file)),
            file.toString());
      }
    }
    assertEquals(Optional.empty(), secured.prepare(NODE, Map.of(), notes));
    assertEquals(List.of(), notes);
    assertTrue(known().hashes().get(SecuredWorkspace.FIRST).matches(password.toCharArray()));
  }

  @Test
  void theLaunchersOwnCredentialIsOneThatTheNodesKnow() throws IOException {
    secured.prepare(NODE, Map.of(), notes);
    String[] own = Files.readString(place.secrets().resolve("credentials")).strip().split(":", 2);
    assertEquals(SecuredWorkspace.LAUNCHER, own[0]);
    Path config = dir.resolve("config");
    Files.createDirectories(config);
    secured.of("node-1").handOver(config);
    Operators handed = Operators.parse(Files.readString(config.resolve(Operators.PATH)));
    assertTrue(handed.hashes().get(own[0]).matches(own[1].toCharArray()));
    assertTrue(Files.exists(config.resolve("certificates/transport.key")));
    assertFalse(Files.exists(config.resolve("certificates/transport-ca.key")));
  }

  @Test
  void anAddressThatTheCertificatesLackRenewsThem() throws IOException {
    Map<String, String> bound = Map.of("network.host", "[127.0.0.1, \"10.9.8.7\"]");
    secured.prepare(NODE, Map.of(), notes);
    secured.prepare(NODE, bound, notes);
    assertEquals(1, notes.size(), notes.toString());
    assertTrue(notes.getFirst().contains("10.9.8.7"), notes.toString());
    secured.prepare(NODE, bound, notes);
    assertEquals(1, notes.size(), "named by now");
  }

  @Test
  void openAgainKeepsCertificatesAndPasswords() throws IOException {
    secured.prepare(NODE, Map.of(), notes);
    secured.off();
    assertFalse(secured.on());
    assertEquals(Optional.empty(), secured.prepare(NODE, Map.of(), notes));
    assertTrue(secured.on());
  }
}
