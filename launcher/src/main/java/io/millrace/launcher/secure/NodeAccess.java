package io.millrace.launcher.secure;

import io.millrace.client.ClientOptions;
import io.millrace.client.ClusterClient;
import io.millrace.client.Health;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How a request from this machine reaches a node: always over the loopback address, and over TLS
 * with the launcher's own credential where the node is a secured one.
 *
 * @param port of HTTP
 * @param secrets {@code null} for a node that lets everybody in
 */
public record NodeAccess(int port, @Nullable LocalSecrets secrets) {
  /** {@code https://127.0.0.1:9200}, without secrets. */
  public String url() {
    return (secrets == null ? "http" : "https") + "://127.0.0.1:" + port;
  }

  /** For a client of this one node. */
  public ClientOptions options() {
    ClientOptions options = ClientOptions.of(List.of(url()));
    LocalSecrets own = secrets;
    return own == null ? options : own.apply(options);
  }

  /** What the node says of its cluster; empty when it gives no answer. */
  public Optional<Health> health(Duration timeout) throws InterruptedException {
    try (ClusterClient client = new ClusterClient(options().timeouts(timeout, timeout))) {
      return Health.of(client);
    }
  }
}
