package io.millrace.guard.http;

import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.opensearch.common.network.NetworkModule;
import org.opensearch.common.settings.Settings;
import org.opensearch.http.HttpServerTransport;
import org.opensearch.plugins.Plugin;
import org.opensearch.plugins.SecureAuxTransportSettingsProvider;
import org.opensearch.plugins.SecureHttpTransportSettingsProvider;
import org.opensearch.plugins.SecureSettingsFactory;
import org.opensearch.plugins.SecureTransportSettingsProvider;
import org.opensearch.plugins.TransportExceptionHandler;

/**
 * The same over TLS: a plugin that brings keys and no handlers of its own, and {@code http.type:
 * millrace-secure}.
 */
public class TlsNodeTests extends ProtocolNodeTests {
  private static final String PASSWORD = "for-this-test";
  private static final SSLContext CONTEXT = context();

  /** Brings keys, as a security plugin does, and nothing else. */
  public static final class Keys extends Plugin {
    @Override
    public Optional<SecureSettingsFactory> getSecureSettingFactory(Settings settings) {
      return Optional.of(
          new SecureSettingsFactory() {
            @Override
            public Optional<SecureTransportSettingsProvider> getSecureTransportSettingsProvider(
                Settings node) {
              return Optional.empty();
            }

            @Override
            public Optional<SecureHttpTransportSettingsProvider>
                getSecureHttpTransportSettingsProvider(Settings node) {
              return Optional.of(new Provider());
            }

            @Override
            public Optional<SecureAuxTransportSettingsProvider>
                getSecureAuxTransportSettingsProvider(Settings node) {
              return Optional.empty();
            }
          });
    }
  }

  private static final class Provider implements SecureHttpTransportSettingsProvider {
    @Override
    public Optional<TransportExceptionHandler> buildHttpServerExceptionHandler(
        Settings settings, HttpServerTransport transport) {
      return Optional.empty();
    }

    @Override
    public Optional<SSLEngine> buildSecureHttpServerEngine(
        Settings settings, HttpServerTransport transport) throws SSLException {
      SSLEngine engine = CONTEXT.createSSLEngine();
      engine.setUseClientMode(false);
      SSLParameters parameters = engine.getSSLParameters();
      parameters.setApplicationProtocols(new String[] {"h2", "http/1.1"});
      engine.setSSLParameters(parameters);
      return Optional.of(engine);
    }
  }

  /** A key of its own, made by the JDK's keytool. */
  private static SSLContext context() {
    try {
      Path folder = Files.createTempDirectory("millrace-tls-");
      Path file = folder.resolve("keys.p12");
      Process keytool =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                  "-genkeypair",
                  "-keyalg",
                  "EC",
                  "-alias",
                  "node",
                  "-dname",
                  "CN=localhost",
                  "-storetype",
                  "PKCS12",
                  "-storepass",
                  PASSWORD,
                  "-keystore",
                  file.toString())
              .inheritIO()
              .start();
      assertEquals(0, keytool.waitFor());
      KeyStore keys = KeyStore.getInstance(file.toFile(), PASSWORD.toCharArray());
      Files.delete(file);
      Files.delete(folder);
      KeyManagerFactory factory =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      factory.init(keys, PASSWORD.toCharArray());
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(factory.getKeyManagers(), new TrustManager[] {new Trusting()}, null);
      return context;
    } catch (GeneralSecurityException | IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static final class Trusting implements X509TrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }

  @Override
  protected Collection<Class<? extends Plugin>> nodePlugins() {
    List<Class<? extends Plugin>> plugins = new ArrayList<>(super.nodePlugins());
    plugins.add(Keys.class);
    return plugins;
  }

  @Override
  protected Settings nodeSettings(int nodeOrdinal) {
    return Settings.builder()
        .put(super.nodeSettings(nodeOrdinal))
        .put(NetworkModule.HTTP_TYPE_KEY, HttpGuard.TYPE + "-secure")
        .build();
  }

  private static Socket over(Socket plain, String protocol) throws IOException {
    SSLSocket socket =
        (SSLSocket) CONTEXT.getSocketFactory().createSocket(plain, "localhost", 0, true);
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setApplicationProtocols(new String[] {protocol});
    socket.setSSLParameters(parameters);
    socket.startHandshake();
    assertEquals(protocol, socket.getApplicationProtocol());
    return socket;
  }

  @Override
  protected Socket http1() throws IOException {
    return over(super.http1(), "http/1.1");
  }

  @Override
  protected Socket http2() throws IOException {
    return over(super.http1(), "h2");
  }

  public void testPlainTextIsNotSpoken() throws Exception {
    try (Wire plain = wire()) {
      expectThrows(IOException.class, () -> plain.get("/").response());
    }
  }

  public void testANodeWithTlsDoesNotStartInPlainText() {
    Exception refused =
        expectThrows(
            Exception.class,
            () ->
                internalCluster()
                    .startNode(
                        Settings.builder().put(NetworkModule.HTTP_TYPE_KEY, HttpGuard.TYPE)));
    Throwable cause = refused;
    while (!(cause instanceof IllegalStateException
        && cause.getMessage().contains("http.type is [millrace], which speaks plain text"))) {
      cause = cause.getCause();
      assertNotNull(refused.toString(), cause);
    }
    assertTrue(cause.getMessage(), cause.getMessage().contains("millrace-secure"));
  }
}
