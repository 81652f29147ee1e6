package io.millrace.it.yaml;

import io.millrace.client.TrustedCertificates;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import javax.net.ssl.SSLContext;
import org.apache.hc.client5.http.impl.nio.PoolingAsyncClientConnectionManagerBuilder;
import org.apache.hc.client5.http.ssl.ClientTlsStrategyBuilder;
import org.jspecify.annotations.Nullable;
import org.opensearch.client.RestClientBuilder;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.util.concurrent.ThreadContext;

/**
 * A node of {@code up --secure} that somebody started for the suite: its address is the property
 * {@code millrace.yaml.secured}; {@code MILLRACE_USER} ({@code name:password}) and {@code
 * MILLRACE_CA} (a PEM file) say who asks and whom to trust.
 */
record SecuredNode(String address, Settings client, SSLContext trusted) {
  /** The node that the property names; null for none. */
  static @Nullable SecuredNode named() throws IOException {
    String url = System.getProperty("millrace.yaml.secured");
    if (url == null || url.isEmpty()) {
      return null;
    }
    String user = needed("MILLRACE_USER");
    SSLContext trusted = TrustedCertificates.of(Path.of(needed("MILLRACE_CA")));
    String header =
        "Basic " + Base64.getEncoder().encodeToString(user.getBytes(StandardCharsets.UTF_8));
    return new SecuredNode(
        URI.create(url).getAuthority(),
        Settings.builder().put(ThreadContext.PREFIX + ".Authorization", header).build(),
        trusted);
  }

  /**
   * Makes a client trust the node. The framework's own setting of a trust store needs a provider
   * for FIPS.
   */
  void trust(RestClientBuilder client) {
    client.setHttpClientConfigCallback(http ->
        http.setConnectionManager(
            PoolingAsyncClientConnectionManagerBuilder.create()
                .setTlsStrategy(
                    ClientTlsStrategyBuilder.create().setSslContext(trusted).buildAsync())
                .build()));
  }

  private static String needed(String variable) {
    String value = System.getenv(variable);
    if (value == null) {
      throw new IllegalStateException(variable + " is missing beside millrace.yaml.secured");
    }
    return value;
  }
}
