package io.millrace.launcher.node;

import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Refuses nodes that other machines could reach and that let everybody in: each index of such a
 * node is anybody's to read and to delete.
 */
final class Exposure {
  private static final List<String> KEYS =
      List.of(
          "network.host",
          "network.bind_host",
          "http.host",
          "http.bind_host",
          "transport.host",
          "transport.bind_host");
  private static final Set<String> LOOPBACK =
      Set.of("localhost", "::1", "[::1]", "_local_", "_local:ipv4_", "_local:ipv6_");

  private Exposure() {}

  /**
   * @param settings of the node, all of them
   * @param tree another plugin there may bring security
   * @throws ExpectedFailure naming the setting, its value and what to do
   */
  static void refuse(YamlSettings settings, Path tree) {
    if (Files.isDirectory(tree.resolve("plugins/opensearch-security"))) {
      return;
    }
    String reachable = reachable(settings);
    if (reachable != null) {
      throw new ExpectedFailure(
          ExitCode.USAGE,
          reachable + ", which other machines can reach, and the node would let everybody in",
          "Add --secure (TLS and passwords). To have it open on purpose: --without-security.");
    }
  }

  /** The first setting that names an address beyond loopback, with it; {@code null} for none. */
  static @Nullable String reachable(YamlSettings settings) {
    for (String key : KEYS) {
      for (String address : settings.get(key).split("[\\[\\],\"\\s]+")) {
        if (!address.isEmpty() && !loopback(address)) {
          return key + " is " + address;
        }
      }
    }
    return null;
  }

  private static boolean loopback(String address) {
    return LOOPBACK.contains(address) || address.matches("127(\\.\\d{1,3}){3}");
  }
}
