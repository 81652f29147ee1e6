package io.millrace.it.yaml;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.Base64;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.test.rest.OpenSearchRestTestCase;

/**
 * A node of {@code up --secure} that somebody started for the suite: its address is the property
 * {@code millrace.yaml.secured}; {@code MILLRACE_USER} ({@code name:password}) and {@code
 * MILLRACE_CA} (a PEM file) say who asks and whom to trust.
 */
record SecuredNode(String address, Settings client) {
  private static final String PASSWORD = "changeit";

  /** The node that the property names; null for none. */
  static @Nullable SecuredNode named() throws IOException, GeneralSecurityException {
    String url = System.getProperty("millrace.yaml.secured");
    if (url == null || url.isEmpty()) {
      return null;
    }
    String user = needed("MILLRACE_USER");
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    try (InputStream in = Files.newInputStream(Path.of(needed("MILLRACE_CA")))) {
      trusted.setCertificateEntry(
          "ca", CertificateFactory.getInstance("X.509").generateCertificate(in));
    }
    Path file = Files.createTempFile("millrace-yaml-", ".p12");
    file.toFile().deleteOnExit();
    try (OutputStream out = Files.newOutputStream(file)) {
      trusted.store(out, PASSWORD.toCharArray());
    } catch (GeneralSecurityException e) {
      throw new IOException(e);
    }
    String header =
        "Basic " + Base64.getEncoder().encodeToString(user.getBytes(StandardCharsets.UTF_8));
    return new SecuredNode(
        URI.create(url).getAuthority(),
        Settings.builder()
            .put(ThreadContext.PREFIX + ".Authorization", header)
            .put(OpenSearchRestTestCase.TRUSTSTORE_PATH, file.toString())
            .put(OpenSearchRestTestCase.TRUSTSTORE_PASSWORD, PASSWORD)
            .build());
  }

  private static String needed(String variable) {
    String value = System.getenv(variable);
    if (value == null) {
      throw new IllegalStateException(variable + " is missing beside millrace.yaml.secured");
    }
    return value;
  }
}
