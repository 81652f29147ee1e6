package io.millrace.access.tls;

import io.millrace.kernel.PrivilegedAccess;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * A private key, the certificates that prove whose it is, and the authorities whose word counts.
 *
 * @param chain the node's own certificate first
 * @param authorities empty where nobody else's certificate is asked for
 */
record KeyMaterial(PrivateKey key, List<X509Certificate> chain, List<X509Certificate> authorities) {
  private static final Pattern KEY =
      Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");
  private static final char[] NO_PASSWORD = {};

  /** Longest file that is read: a chain of ten takes 20 KB. */
  private static final long LONGEST = 1 << 20;

  /** Where the material lies; {@code authorities} may be null. */
  record Paths(Path certificate, Path key, @Nullable Path authorities) {
    List<Path> all() {
      Path more = authorities;
      return more == null ? List.of(certificate, key) : List.of(certificate, key, more);
    }
  }

  /**
   * Reads and checks the files.
   *
   * @throws IOException naming the file that cannot be used, and why
   */
  static KeyMaterial read(Paths files) throws IOException {
    List<X509Certificate> chain = certificates(files.certificate());
    PublicKey own = chain.getFirst().getPublicKey();
    PrivateKey key = key(files.key(), own.getAlgorithm(), files.certificate());
    if (!belong(key, own)) {
      throw new IOException(
          "the key of ["
              + files.key()
              + "] is not the one that the certificate of ["
              + files.certificate()
              + "] was made for");
    }
    Path authorities = files.authorities();
    return new KeyMaterial(key, chain, authorities == null ? List.of() : certificates(authorities));
  }

  /** When the first of these certificates ends: the node's own, its chain's, an authority's. */
  Instant end() {
    Instant first = Instant.MAX;
    for (List<X509Certificate> some : List.of(chain, authorities)) {
      for (X509Certificate certificate : some) {
        Instant end = certificate.getNotAfter().toInstant();
        first = end.isBefore(first) ? end : first;
      }
    }
    return first;
  }

  /** For new connections. */
  SSLContext context() throws GeneralSecurityException, IOException {
    KeyStore keys = empty();
    keys.setKeyEntry("node", key, NO_PASSWORD, chain.toArray(X509Certificate[]::new));
    KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    own.init(keys, NO_PASSWORD);
    KeyStore trusted = empty();
    for (int i = 0; i < authorities.size(); i++) {
      trusted.setCertificateEntry("authority-" + i, authorities.get(i));
    }
    TrustManager[] trust = {};
    if (!authorities.isEmpty()) {
      TrustManagerFactory others =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      others.init(trusted);
      trust = others.getTrustManagers();
    }
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(own.getKeyManagers(), trust, null);
    return context;
  }

  private static KeyStore empty() throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    return store;
  }

  private static List<X509Certificate> certificates(Path file) throws IOException {
    try {
      List<X509Certificate> all =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(bytes(file)))
              .stream()
              .map(X509Certificate.class::cast)
              .toList();
      if (!all.isEmpty()) {
        return all;
      }
    } catch (GeneralSecurityException e) {
      throw new IOException("[" + file + "] holds no usable certificate: " + e.getMessage(), e);
    }
    throw new IOException("[" + file + "] holds no certificate; it must be PEM");
  }

  private static PrivateKey key(Path file, String algorithm, Path certificate) throws IOException {
    String text = new String(bytes(file), StandardCharsets.ISO_8859_1);
    Matcher key = KEY.matcher(text);
    if (!key.find()) {
      throw new IOException(
          "["
              + file
              + "] holds no key in PKCS#8 without a passphrase; make one: openssl pkcs8 -topk8"
              + " -nocrypt -in OLD -out NEW");
    }
    try {
      byte[] der = Base64.getMimeDecoder().decode(key.group(1));
      return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(der));
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      // not the cause: some providers repeat what they could not read
      throw new IOException(
          "["
              + file
              + "] holds no key of the kind ["
              + algorithm
              + "], which the certificate of ["
              + certificate
              + "] was made for");
    }
  }

  private static byte[] bytes(Path file) throws IOException {
    try {
      return PrivilegedAccess.call(() -> {
        if (Files.size(file) > LONGEST) {
          throw new IOException("[" + file + "] is longer than " + LONGEST + " bytes");
        }
        return Files.readAllBytes(file);
      });
    } catch (NoSuchFileException e) {
      throw new IOException("[" + file + "] is missing", e);
    }
  }

  /** Whether what the key signs is what the certificate's key verifies. */
  private static boolean belong(PrivateKey key, PublicKey certified) {
    String algorithm =
        switch (key.getAlgorithm()) {
          case "RSA", "RSASSA-PSS" -> "SHA256withRSA";
          case "EC" -> "SHA256withECDSA";
          default -> key.getAlgorithm();
        };
    byte[] sample = {1, 2, 3};
    try {
      Signature signature = Signature.getInstance(algorithm);
      signature.initSign(key);
      signature.update(sample);
      byte[] signed = signature.sign();
      signature.initVerify(certified);
      signature.update(sample);
      return signature.verify(signed);
    } catch (GeneralSecurityException e) {
      return false;
    }
  }
}
