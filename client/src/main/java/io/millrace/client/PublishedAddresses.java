package io.millrace.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The addresses that a cluster's nodes publish, and which of them are worth asking from here.
 *
 * <p>A loopback address speaks of the machine that says it. So it counts only when we reach the
 * cluster through loopback, too; and when we do so on a port that no node publishes, a tunnel or a
 * port mapping is in between, and no published address counts. That is a first sieve, not the
 * proof: that is {@link ClusterIdentity}'s.
 */
final class PublishedAddresses {
  /** What to ask of the cluster for {@link #beyond}. */
  static final String REQUEST =
      "/_nodes/http?filter_path=nodes.*.name,nodes.*.http.publish_address";

  private PublishedAddresses() {}

  /**
   * The addresses of the other nodes.
   *
   * @param answer the answer to {@link #REQUEST}
   * @param asked name of the node that the given addresses lead to, or null if unknown
   * @param given {@code http://host:port} of each address that is used already
   */
  static List<String> beyond(JsonNode answer, @Nullable String asked, List<String> given) {
    List<URI> known = given.stream().map(URI::create).toList();
    List<String> published = new ArrayList<>();
    for (JsonNode node : answer.path("nodes")) {
      published.add(node.path("http").path("publish_address").asText(""));
    }
    List<URI> local = known.stream().filter(uri -> isLoopback(uri.getHost())).toList();
    if (!local.isEmpty()
        && local.stream()
            .noneMatch(uri -> published.stream().anyMatch(a -> port(a) == port(uri)))) {
      return List.of();
    }
    String scheme = known.get(0).getScheme();
    List<String> found = new ArrayList<>();
    for (JsonNode node : answer.path("nodes")) {
      String address = node.path("http").path("publish_address").asText("");
      boolean self = asked != null && node.path("name").asText("").equals(asked);
      if (port(address) < 0 || self) {
        continue;
      }
      boolean reachable =
          !isLoopback(host(address))
              || (!local.isEmpty() && local.stream().noneMatch(uri -> port(uri) == port(address)));
      String base = scheme + "://" + authority(address, scheme.equals("https"));
      if (reachable && !given.contains(base) && !found.contains(base)) {
        found.add(base);
      }
    }
    return found;
  }

  /** {@code name/ip:port} or {@code ip:port}; a certificate is made out to the name. */
  private static String authority(String address, boolean byName) {
    int slash = address.indexOf('/');
    return byName && slash > 0
        ? address.substring(0, slash) + ':' + port(address)
        : address.substring(slash + 1);
  }

  private static String host(String address) {
    return address.substring(address.indexOf('/') + 1, address.lastIndexOf(':'));
  }

  /** The port, or -1 when there is none. */
  private static int port(String address) {
    try {
      return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  private static int port(URI uri) {
    return uri.getPort() >= 0 ? uri.getPort() : "https".equals(uri.getScheme()) ? 443 : 80;
  }

  private static boolean isLoopback(String host) {
    return host.equals("localhost") || host.startsWith("127.") || host.equals("[::1]");
  }
}
