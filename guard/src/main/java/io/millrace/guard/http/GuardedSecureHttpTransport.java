package io.millrace.guard.http;

import io.millrace.kernel.HttpTransportFactory;
import io.netty.channel.ChannelInboundHandlerAdapter;
import org.opensearch.http.netty4.ssl.SecureNetty4HttpServerTransport;
import org.opensearch.plugins.SecureHttpTransportSettingsProvider;
import org.opensearch.transport.SharedGroupFactory;

/** Stock's server for HTTP/1.1 and HTTP/2 over TLS, with the gates in every pipeline. */
final class GuardedSecureHttpTransport extends SecureNetty4HttpServerTransport {
  private final HttpGuard guard;

  GuardedSecureHttpTransport(
      HttpTransportFactory.Services services,
      SecureHttpTransportSettingsProvider tls,
      SharedGroupFactory threads,
      HttpGuard guard) {
    super(
        services.settings(),
        services.networkService(),
        services.bigArrays(),
        services.threadPool(),
        services.xContentRegistry(),
        services.dispatcher(),
        services.clusterSettings(),
        threads,
        tls,
        services.tracer());
    this.guard = guard;
  }

  @Override
  protected ChannelInboundHandlerAdapter createHeaderVerifier() {
    return guard.gateBehind(super.createHeaderVerifier(), handlingSettings.getMaxContentLength());
  }
}
