package io.millrace.kernel.slot;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.network.NetworkService;
import org.opensearch.common.settings.ClusterSettings;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.util.BigArrays;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.http.HttpServerTransport;
import org.opensearch.plugins.SecureHttpTransportSettingsProvider;
import org.opensearch.telemetry.tracing.Tracer;
import org.opensearch.threadpool.ThreadPool;

/**
 * The HTTP servers that {@code http.type} may name: each one plain, and as {@code <name>-secure}
 * over TLS.
 *
 * <p>A node has one HTTP server. OpenSearch asks for all plain servers first, then for the secure
 * ones if some plugin of the node brings TLS settings, and builds the one that is named after both
 * ({@code NetworkModule}). So whether there is TLS is known to a server when it is built, and a
 * plain one can refuse to stand where TLS was meant.
 */
public final class HttpServerSlot {
  private boolean tlsProvided;
  private HttpDoor door = HttpDoor.OPEN;

  /** What OpenSearch hands to a plugin for a server, whether plain or secure. */
  public record Node(
      Settings settings,
      ThreadPool threadPool,
      BigArrays bigArrays,
      NamedXContentRegistry xContentRegistry,
      NetworkService networkService,
      HttpServerTransport.Dispatcher dispatcher,
      ClusterSettings clusterSettings,
      Tracer tracer) {}

  /** Sets who is asked about each request, before any server is built. */
  public void door(HttpDoor asked) {
    door = asked;
  }

  /** The plain servers by the name that {@code http.type} gives. */
  public Map<String, Supplier<HttpServerTransport>> plain(
      Map<String, HttpTransportFactory> factories, Node node) {
    return servers(factories, "", node, null);
  }

  /** The servers over TLS by the name that {@code http.type} gives. */
  public Map<String, Supplier<HttpServerTransport>> secure(
      Map<String, HttpTransportFactory> factories,
      Node node,
      SecureHttpTransportSettingsProvider tls) {
    tlsProvided = true;
    return servers(factories, "-secure", node, tls);
  }

  private Map<String, Supplier<HttpServerTransport>> servers(
      Map<String, HttpTransportFactory> factories,
      String suffix,
      Node node,
      @Nullable SecureHttpTransportSettingsProvider tls) {
    Node asking =
        new Node(
            node.settings(),
            node.threadPool(),
            node.bigArrays(),
            node.xContentRegistry(),
            node.networkService(),
            door.inside(node.dispatcher()),
            node.clusterSettings(),
            node.tracer());
    Map<String, Supplier<HttpServerTransport>> servers = new HashMap<>();
    factories.forEach((name, factory) ->
        servers.put(
            name + suffix,
            () ->
                factory.create(new HttpTransportFactory.Services(asking, tls, tlsProvided, door))));
    return servers;
  }
}
