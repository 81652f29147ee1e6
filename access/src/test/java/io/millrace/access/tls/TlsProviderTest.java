package io.millrace.access.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.client.TrustedCertificates;
import io.millrace.kernel.FeaturePlugin;
import java.io.IOException;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.opensearch.common.settings.Settings;

class TlsProviderTest {
  @TempDir private Path dir;
  private TestCertificates cluster;
  private TestCertificates others;

  @BeforeEach
  void twoClusters() throws IOException {
    cluster = new TestCertificates(dir.resolve("a")).node("n1", "10.0.0.1").node("n2", "10.0.0.2");
    others = new TestCertificates(dir.resolve("b")).node("n1", "10.0.0.1");
  }

  @Test
  void nodesOfOneClusterKnowEachOther() throws Exception {
    TlsProvider one = cluster.provider("n1");
    TlsProvider two = cluster.provider("n2");
    SSLEngine server = two.transportServer();
    Handshake.between(one.transportClient("10.0.0.2", 9300), server);
    assertEquals("CN=n1", server.getSession().getPeerPrincipal().getName());
    assertEquals("TLSv1.3", server.getSession().getProtocol());
  }

  @Test
  void aNodeOfAnotherClusterIsNoNodeOfThisOne() throws Exception {
    TlsProvider own = cluster.provider("n2");
    TlsProvider stranger = others.provider("n1");
    assertThrows(
        SSLException.class,
        () -> Handshake.between(stranger.transportClient(null, 0), own.transportServer()));
    assertThrows(
        SSLException.class,
        () -> Handshake.between(own.transportClient(null, 0), stranger.transportServer()));
  }

  @Test
  void whoeverShowsNoCertificateIsNoNode() throws Exception {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry(
        "a", KeyMaterial.read(cluster.transport("n2")).authorities().getFirst());
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext bare = SSLContext.getInstance("TLS");
    bare.init(null, trust.getTrustManagers(), null);
    for (String protocol : List.of("TLSv1.3", "TLSv1.2")) {
      SSLEngine client = bare.createSSLEngine();
      client.setUseClientMode(true);
      client.setEnabledProtocols(new String[] {protocol});
      TlsProvider own = cluster.provider("n2");
      assertThrows(
          SSLException.class, () -> Handshake.between(client, own.transportServer()), protocol);
    }
  }

  @Test
  void aCertificateForHttpMakesNobodyANode() throws Exception {
    TlsProvider own = cluster.provider("n2");
    Path http = cluster.folder.ofNode("n1");
    KeyMaterial.Paths mixed =
        new KeyMaterial.Paths(
            http.resolve("http.crt"), http.resolve("http.key"), http.resolve("transport-ca.crt"));
    TlsProvider pretender = new TlsProvider();
    LiveTls material = new LiveTls("transport", mixed);
    pretender.begin(material, material);
    assertThrows(
        SSLException.class,
        () -> Handshake.between(pretender.transportClient(null, 0), own.transportServer()));
  }

  @Test
  void theDialledAddressMustBeInTheCertificate() throws Exception {
    TlsProvider one = cluster.provider("n1");
    TlsProvider two = cluster.provider("n2");
    assertThrows(
        SSLException.class,
        () -> Handshake.between(one.transportClient("10.0.0.3", 9300), two.transportServer()));
  }

  @Test
  void oldProtocolsAndSuitesAreNotSpoken() throws Exception {
    SSLEngine engine = cluster.provider("n1").httpServer();
    assertEquals(List.of("TLSv1.3", "TLSv1.2"), List.of(engine.getEnabledProtocols()));
    List<String> suites = List.of(engine.getEnabledCipherSuites());
    assertTrue(suites.contains("TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384"), suites.toString());
    for (String suite : suites) {
      assertTrue(
          suite.startsWith("TLS_ECDHE_") || !suite.contains("_WITH_"), "forward secrecy: " + suite);
      assertTrue(!suite.contains("_CBC_"), suite);
    }
  }

  @Test
  void aClientThatOffersHttp2GetsIt() throws Exception {
    for (String protocol : List.of("h2", "http/1.1")) {
      SSLEngine server = cluster.provider("n1").httpServer();
      SSLEngine client = trusting(cluster).createSSLEngine("127.0.0.1", 9200);
      client.setUseClientMode(true);
      SSLParameters parameters = client.getSSLParameters();
      parameters.setApplicationProtocols(new String[] {protocol});
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
      client.setSSLParameters(parameters);
      Handshake.between(client, server);
      assertEquals(protocol, server.getApplicationProtocol());
    }
  }

  private static SSLContext trusting(TestCertificates cluster) {
    return TrustedCertificates.of(cluster.folder.httpAuthority());
  }

  @Test
  void anEngineBeforeTheNodeHasReadItsFilesIsAnError() {
    assertThrows(SSLException.class, () -> new TlsProvider().httpServer());
  }

  @Test
  void offLeavesThePlaceToOthers() throws IOException {
    assertEquals(false, TlsFeature.ENABLED.get(Settings.EMPTY));
    try (FeaturePlugin plugin = new FeaturePlugin(List.of(new TlsFeature())) {}) {
      assertEquals(Optional.empty(), plugin.getSecureSettingFactory(Settings.EMPTY));
      Settings on = Settings.builder().put(TlsFeature.ENABLED.getKey(), true).build();
      assertTrue(plugin.getSecureSettingFactory(on).isPresent());
    }
    TlsProvider provider = new TlsProvider();
    assertTrue(provider.getSecureHttpTransportSettingsProvider(Settings.EMPTY).isPresent());
    assertEquals(Optional.empty(), provider.getSecureAuxTransportSettingsProvider(Settings.EMPTY));
  }

  @Test
  void plainTextAnywhereStopsTheStart() {
    Settings.Builder tls =
        Settings.builder()
            .put("http.type", "millrace-secure")
            .put("transport.type", "netty4-secure");
    TlsFeature.requireTlsOnly(tls.build());
    for (List<String> open :
        List.of(
            List.of("http.type", "millrace"),
            List.of("http.type", ""),
            List.of("transport.type", "netty4"),
            List.of("transport.ssl.dual_mode.enabled", "true"))) {
      Settings settings =
          Settings.builder().put(tls.build()).put(open.getFirst(), open.getLast()).build();
      IllegalArgumentException refused =
          assertThrows(IllegalArgumentException.class, () -> TlsFeature.requireTlsOnly(settings));
      assertTrue(refused.getMessage().contains(open.getFirst()), refused.getMessage());
    }
  }
}
