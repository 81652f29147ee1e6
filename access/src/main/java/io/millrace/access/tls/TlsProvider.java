package io.millrace.access.tls;

import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.settings.Settings;
import org.opensearch.http.HttpServerTransport;
import org.opensearch.plugins.SecureAuxTransportSettingsProvider;
import org.opensearch.plugins.SecureHttpTransportSettingsProvider;
import org.opensearch.plugins.SecureSettingsFactory;
import org.opensearch.plugins.SecureTransportSettingsProvider;
import org.opensearch.plugins.TransportExceptionHandler;
import org.opensearch.transport.Transport;

/**
 * What OpenSearch asks a plugin for where it speaks TLS: an engine for each connection.
 *
 * <p>TLS 1.3 and 1.2, and of 1.2 only suites with forward secrecy and authenticated encryption:
 * those that HTTP/2 allows (RFC 9113, 9.2.2). The JDK's engine, so that a connection takes the
 * context of the moment in which it begins.
 */
final class TlsProvider implements SecureSettingsFactory {
  private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};

  private final LongAdder httpFailures = new LongAdder();
  private final LongAdder transportFailures = new LongAdder();
  private volatile @Nullable LiveTls http;
  private volatile @Nullable LiveTls transport;

  /** Hands over the files, once the node's folder is known; no connection comes before. */
  void begin(LiveTls ofHttp, LiveTls ofTransport) {
    http = ofHttp;
    transport = ofTransport;
  }

  /** HTTP connections that ended with an error of TLS. */
  long httpFailures() {
    return httpFailures.sum();
  }

  /** Connections between nodes that ended with an error of TLS. */
  long transportFailures() {
    return transportFailures.sum();
  }

  /** For a client's connection. */
  SSLEngine httpServer() throws SSLException {
    SSLEngine engine = begun(http).context().createSSLEngine();
    engine.setUseClientMode(false);
    SSLParameters parameters = strict(engine);
    parameters.setApplicationProtocols(new String[] {"h2", "http/1.1"});
    engine.setSSLParameters(parameters);
    return engine;
  }

  /** For a connection that another node opens: it shows a certificate, or it is none. */
  SSLEngine transportServer() throws SSLException {
    SSLEngine engine = begun(transport).context().createSSLEngine();
    engine.setUseClientMode(false);
    SSLParameters parameters = strict(engine);
    parameters.setNeedClientAuth(true);
    engine.setSSLParameters(parameters);
    return engine;
  }

  /**
   * For a connection to another node.
   *
   * @param host that its certificate must name; {@code null} where the node's settings switch that
   *     check off
   */
  SSLEngine transportClient(@Nullable String host, int port) throws SSLException {
    LiveTls live = begun(transport);
    SSLEngine engine =
        host == null
            ? live.context().createSSLEngine()
            : live.context().createSSLEngine(host, port);
    engine.setUseClientMode(true);
    SSLParameters parameters = strict(engine);
    if (host != null) {
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
    }
    engine.setSSLParameters(parameters);
    return engine;
  }

  private static LiveTls begun(@Nullable LiveTls live) throws SSLException {
    if (live == null) {
      throw new SSLException("the node has not read its certificates yet");
    }
    return live;
  }

  private static SSLParameters strict(SSLEngine engine) {
    SSLParameters parameters = engine.getSSLParameters();
    parameters.setProtocols(PROTOCOLS);
    parameters.setUseCipherSuitesOrder(true);
    parameters.setCipherSuites(
        Arrays.stream(parameters.getCipherSuites())
            .filter(suite -> suite.contains("_GCM_") || suite.contains("CHACHA20"))
            .filter(suite -> !suite.contains("_WITH_") || suite.startsWith("TLS_ECDHE_"))
            .toArray(String[]::new));
    return parameters;
  }

  @Override
  public Optional<SecureTransportSettingsProvider> getSecureTransportSettingsProvider(
      Settings node) {
    return Optional.of(new OfTransport());
  }

  @Override
  public Optional<SecureHttpTransportSettingsProvider> getSecureHttpTransportSettingsProvider(
      Settings node) {
    return Optional.of(new OfHttp());
  }

  @Override
  public Optional<SecureAuxTransportSettingsProvider> getSecureAuxTransportSettingsProvider(
      Settings node) {
    return Optional.empty();
  }

  private final class OfTransport implements SecureTransportSettingsProvider {
    @Override
    public Optional<TransportExceptionHandler> buildServerTransportExceptionHandler(
        Settings settings, Transport asking) {
      return Optional.of(counting(transportFailures));
    }

    @Override
    public Optional<SSLEngine> buildSecureServerTransportEngine(Settings settings, Transport asking)
        throws SSLException {
      return Optional.of(transportServer());
    }

    @Override
    public Optional<SSLEngine> buildSecureClientTransportEngine(
        Settings settings, @Nullable String hostname, int port) throws SSLException {
      return Optional.of(transportClient(hostname, port));
    }
  }

  private final class OfHttp implements SecureHttpTransportSettingsProvider {
    @Override
    public Optional<TransportExceptionHandler> buildHttpServerExceptionHandler(
        Settings settings, HttpServerTransport asking) {
      return Optional.of(counting(httpFailures));
    }

    @Override
    public Optional<SSLEngine> buildSecureHttpServerEngine(
        Settings settings, HttpServerTransport asking) throws SSLException {
      return Optional.of(httpServer());
    }
  }

  private static TransportExceptionHandler counting(LongAdder failures) {
    return failure -> {
      for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
        if (cause instanceof SSLException) {
          failures.increment();
          return;
        }
      }
    };
  }
}
