package io.millrace.launcher.certificates;

import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Certificates and keys as text between BEGIN and END lines (RFC 7468); keys as PKCS#8. */
public final class Pem {
  private static final Base64.Encoder LINES = Base64.getMimeEncoder(64, new byte[] {'\n'});
  private static final Pattern KEY =
      Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");

  private Pem() {}

  static String of(String label, byte[] der) {
    return "-----BEGIN "
        + label
        + "-----\n"
        + LINES.encodeToString(der)
        + "\n-----END "
        + label
        + "-----\n";
  }

  static String certificates(List<X509Certificate> chain) throws GeneralSecurityException {
    StringBuilder text = new StringBuilder();
    for (X509Certificate certificate : chain) {
      text.append(of("CERTIFICATE", certificate.getEncoded()));
    }
    return text.toString();
  }

  static String key(PrivateKey key) {
    return of("PRIVATE KEY", key.getEncoded());
  }

  /**
   * The certificates of a file, in its order.
   *
   * @throws ExpectedFailure naming the file when it cannot be read or holds none
   */
  public static List<X509Certificate> readCertificates(Path file) {
    try {
      byte[] text = Files.readAllBytes(file);
      List<X509Certificate> all =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(text))
              .stream()
              .map(X509Certificate.class::cast)
              .toList();
      if (all.isEmpty()) {
        throw new GeneralSecurityException("it holds no certificate");
      }
      return all;
    } catch (IOException | GeneralSecurityException e) {
      throw unusable("certificate", file, "Give a PEM file: lines from BEGIN CERTIFICATE on.", e);
    }
  }

  /**
   * The private key of a file.
   *
   * @param algorithm as the certificate's public key names it: {@code EC}, {@code RSA}
   * @throws ExpectedFailure naming the file when it cannot be read or holds none
   */
  static PrivateKey readKey(Path file, String algorithm) {
    try {
      Matcher key = KEY.matcher(Files.readString(file, StandardCharsets.US_ASCII));
      if (!key.find()) {
        throw new GeneralSecurityException("it holds no PKCS#8 key");
      }
      byte[] der = Base64.getMimeDecoder().decode(key.group(1));
      return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(der));
    } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
      throw unusable(
          "key", file, "Give it as PKCS#8: openssl pkcs8 -topk8 -nocrypt -in OLD -out " + file, e);
    }
  }

  private static ExpectedFailure unusable(String what, Path file, String remedy, Exception e) {
    String why = e instanceof IOException ? e.toString() : String.valueOf(e.getMessage());
    return new ExpectedFailure(
        ExitCode.INPUT, "cannot use the " + what + " of " + file + ": " + why, remedy, e);
  }
}
