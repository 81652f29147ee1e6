package io.millrace.kernel;

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
   * What OpenSearch hands to a plugin at NetworkModule:198 (3.8.0), passed on unchanged.
   *
   * @param tls the TLS settings when the secure server is asked for, else null
   * @param tlsProvided whether some plugin of this node brings TLS settings
   */
  record Services(
      Settings settings,
      ThreadPool threadPool,
      BigArrays bigArrays,
      NamedXContentRegistry xContentRegistry,
      NetworkService networkService,
      HttpServerTransport.Dispatcher dispatcher,
      ClusterSettings clusterSettings,
      Tracer tracer,
      @Nullable SecureHttpTransportSettingsProvider tls,
      boolean tlsProvided) {}
}
