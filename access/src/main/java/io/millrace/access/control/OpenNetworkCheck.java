package io.millrace.access.control;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.opensearch.bootstrap.BootstrapCheck;
import org.opensearch.bootstrap.BootstrapContext;
import org.opensearch.common.network.NetworkModule;
import org.opensearch.common.settings.Settings;

/**
 * Refuses a node that asks who somebody is but takes whoever reaches its transport port for a node.
 *
 * <p>Only the real start of a node runs it. It reads the settings instead of the bound addresses,
 * because OpenSearch leaves checks out for a node of {@code discovery.type: single-node}, which
 * serves HTTP all the same.
 */
final class OpenNetworkCheck implements BootstrapCheck {
  private static final List<String> HOSTS =
      List.of(
          "network.host",
          "network.bind_host",
          "http.host",
          "http.bind_host",
          "transport.host",
          "transport.bind_host");
  private static final Set<String> HERE =
      Set.of("_local_", "_local:ipv4_", "_local:ipv6_", "localhost", "::1", "[::1]");

  @Override
  public BootstrapCheckResult check(BootstrapContext context) {
    Settings settings = context.settings();
    String open = open(settings);
    if (open == null) {
      return BootstrapCheckResult.success();
    }
    if (AccessControlFeature.ENABLED.get(settings)) {
      String transport = NetworkModule.TRANSPORT_TYPE_SETTING.get(settings);
      return transport.endsWith("secure")
          ? BootstrapCheckResult.success()
          : BootstrapCheckResult.failure(
              "["
                  + open
                  + "] lets other machines reach the transport port, which takes every node on its"
                  + " word; with [millrace.access.enabled: true] it needs TLS between nodes: start"
                  + " with [./millrace up --secure], or bind [transport.host: _local_]");
    }
    return BootstrapCheckResult.success();
  }

  /** The setting and its value that opens the node; null for none. */
  static @Nullable String open(Settings settings) {
    for (String key : HOSTS) {
      for (String host : settings.getAsList(key)) {
        String address = host.strip();
        if (!address.isEmpty() && !HERE.contains(address) && !address.startsWith("127.")) {
          return key + ": " + address;
        }
      }
    }
    return null;
  }

  @Override
  public boolean alwaysEnforce() {
    return true;
  }
}
