package io.millrace.access.tls;

import io.millrace.launcher.certificates.CertificateFolder;
import io.millrace.launcher.certificates.Names;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/** Files as {@code millrace certificates} makes them. */
final class TestCertificates {
  final CertificateFolder folder;

  TestCertificates(Path dir) {
    folder = new CertificateFolder(dir);
  }

  /** A node named in DNS and on loopback. */
  TestCertificates node(String name, String host) throws IOException {
    folder.create(Names.parse(name + "=" + host), CertificateFolder.VALIDITY);
    return this;
  }

  void renew(String name, int days) throws IOException {
    folder.renew(name, Duration.ofDays(days));
  }

  KeyMaterial.Paths http(String name) {
    Path own = folder.ofNode(name);
    return new KeyMaterial.Paths(own.resolve("http.crt"), own.resolve("http.key"), null);
  }

  KeyMaterial.Paths transport(String name) {
    Path own = folder.ofNode(name);
    return new KeyMaterial.Paths(
        own.resolve("transport.crt"),
        own.resolve("transport.key"),
        own.resolve("transport-ca.crt"));
  }

  TlsProvider provider(String name) throws IOException {
    TlsProvider provider = new TlsProvider();
    provider.begin(new LiveTls("HTTP", http(name)), new LiveTls("transport", transport(name)));
    return provider;
  }
}
