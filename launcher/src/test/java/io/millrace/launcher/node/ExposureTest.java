package io.millrace.launcher.node;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.client.failure.ExpectedFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExposureTest {
  @TempDir private Path tree;

  private static YamlSettings settings(String key, String value) {
    YamlSettings settings = new YamlSettings();
    settings.set("network.host", "127.0.0.1");
    settings.set(key, value);
    return settings;
  }

  @Test
  void anAddressThatOthersReachIsRefusedWithTheRemedy() {
    for (String key : List.of("network.host", "http.host", "http.bind_host", "transport.host")) {
      for (String value :
          List.of(
              "0.0.0.0",
              "10.0.0.1",
              "[127.0.0.1, \"10.0.0.1\"]",
              "_site_",
              "\"::\"",
              "host.example")) {
        ExpectedFailure refused =
            assertThrows(
                ExpectedFailure.class,
                () -> Exposure.refuse(settings(key, value), tree),
                key + " " + value);
        assertTrue(refused.getMessage().startsWith(key + " is "), refused.getMessage());
        String remedy = String.valueOf(refused.remedy());
        assertTrue(remedy.contains("--secure") && remedy.contains("--without-security"), remedy);
      }
    }
  }

  @Test
  void loopbackIsNobodyElses() {
    for (String value :
        List.of("127.0.0.1", "127.0.0.2", "localhost", "_local_", "\"::1\"", "[_local_, ::1]")) {
      Exposure.refuse(settings("network.host", value), tree);
    }
  }

  @Test
  void anotherSecurityPluginMayLookAfterItself() throws IOException {
    Files.createDirectories(tree.resolve("plugins/opensearch-security"));
    Exposure.refuse(settings("network.host", "0.0.0.0"), tree);
  }
}
