package io.millrace.client;

import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * Trust in the certificates of one PEM file and in no others: a cluster's own authority, as its
 * nodes' configuration names it.
 */
public final class TrustedCertificates {
  private TrustedCertificates() {}

  /**
   * @param pem one certificate or several, each between its BEGIN and END line
   * @throws ExpectedFailure naming the file when it cannot be read or holds no certificate
   */
  public static SSLContext of(Path pem) {
    try (InputStream in = Files.newInputStream(pem)) {
      Collection<? extends Certificate> certificates =
          CertificateFactory.getInstance("X.509").generateCertificates(in);
      if (certificates.isEmpty()) {
        throw new GeneralSecurityException("it holds no certificate");
      }
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      int number = 0;
      for (Certificate certificate : certificates) {
        store.setCertificateEntry("trusted-" + number++, certificate);
      }
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(store);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, trust.getTrustManagers(), null);
      return context;
    } catch (IOException | GeneralSecurityException e) {
      throw new ExpectedFailure(
          ExitCode.INPUT,
          "cannot use the certificates of " + pem + ": " + e.getMessage(),
          "Give a PEM file with the certificate of the authority that signed the nodes'.",
          e);
    }
  }
}
