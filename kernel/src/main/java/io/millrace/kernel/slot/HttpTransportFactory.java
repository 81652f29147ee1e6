package io.millrace.kernel.slot;

import org.jspecify.annotations.Nullable;
import org.opensearch.http.HttpServerTransport;
import org.opensearch.plugins.SecureHttpTransportSettingsProvider;

/** Builds one HTTP server once the node knows that {@code http.type} names it. */
@FunctionalInterface
public interface HttpTransportFactory {

  /**
   * Builds the server; it is started by the node.
   *
   * @throws IllegalStateException when it cannot serve this node, with the remedy
   */
  HttpServerTransport create(Services services);

  /**
   * What a server is built from.
   *
   * @param node what OpenSearch hands to a plugin
   * @param tls the TLS settings when the secure server is asked for, else null
   * @param tlsProvided whether some plugin of this node brings TLS settings
   * @param door asked about each request before its body; the node's dispatcher asks it already
   */
  record Services(
      HttpServerSlot.Node node,
      @Nullable SecureHttpTransportSettingsProvider tls,
      boolean tlsProvided,
      HttpDoor door) {}
}
