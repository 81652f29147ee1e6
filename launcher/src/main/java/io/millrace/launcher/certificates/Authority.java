package io.millrace.launcher.certificates;

import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.ExtensionsGenerator;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.ContentSigner;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequestBuilder;

/**
 * A certificate authority of one cluster: a key pair that signs the certificates of its nodes.
 *
 * <p>Keys are EC P-256, signatures SHA256withECDSA: what every TLS stack of today accepts, and
 * hundreds of times cheaper to make than RSA. Authorities may sign no further authorities
 * (pathLenConstraint 0). The JDK makes keys and signatures; Bouncy Castle writes the ASN.1 around
 * them.
 *
 * @param certificate self-signed
 */
record Authority(X509Certificate certificate, PrivateKey key) {
  private static final SecureRandom RANDOM = new SecureRandom();

  /** Clocks of two machines may differ by this much. */
  private static final Duration SKEW = Duration.ofHours(1);

  /** What a certificate is for. */
  enum Use {
    /** Shown by a node to HTTP clients. */
    HTTP(KeyPurposeId.id_kp_serverAuth),
    /** Shown by a node to its peers, whichever of them dials. */
    TRANSPORT(KeyPurposeId.id_kp_serverAuth, KeyPurposeId.id_kp_clientAuth);

    private final List<KeyPurposeId> purposes;

    Use(KeyPurposeId... purposes) {
      this.purposes = List.of(purposes);
    }

    /** As file names begin: {@code http}, {@code transport}. */
    String word() {
      return this == HTTP ? "http" : "transport";
    }
  }

  /** A private key and the certificate of its public key. */
  record Issued(PrivateKey key, X509Certificate certificate) {}

  /**
   * Makes a new one.
   *
   * @param name for people, such as {@code Millrace HTTP authority}
   */
  static Authority create(String name, Duration validity) throws GeneralSecurityException {
    KeyPair pair = keyPair();
    X500Principal subject =
        new X500Principal("CN=" + name + " " + Integer.toHexString(RANDOM.nextInt()));
    try {
      JcaX509ExtensionUtils utils = new JcaX509ExtensionUtils();
      X509v3CertificateBuilder builder =
          builder(subject, subject, pair.getPublic(), Instant.now().plus(validity))
              .addExtension(Extension.basicConstraints, true, new BasicConstraints(0))
              .addExtension(
                  Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign))
              .addExtension(
                  Extension.subjectKeyIdentifier,
                  false,
                  utils.createSubjectKeyIdentifier(pair.getPublic()));
      return new Authority(signed(builder, pair.getPrivate()), pair.getPrivate());
    } catch (IOException e) {
      throw new GeneralSecurityException(e);
    }
  }

  /**
   * Makes a key pair and signs its certificate.
   *
   * @param validity cut to the authority's own end
   */
  Issued issue(Names names, Use use, Duration validity) throws GeneralSecurityException {
    KeyPair pair = keyPair();
    Instant end = Instant.now().plus(validity);
    Instant last = certificate.getNotAfter().toInstant();
    try {
      JcaX509ExtensionUtils utils = new JcaX509ExtensionUtils();
      X509v3CertificateBuilder builder =
          builder(
                  certificate.getSubjectX500Principal(),
                  subject(names),
                  pair.getPublic(),
                  end.isAfter(last) ? last : end)
              .addExtension(Extension.basicConstraints, true, new BasicConstraints(false))
              .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature))
              .addExtension(Extension.extendedKeyUsage, false, purposes(use))
              .addExtension(Extension.subjectAlternativeName, false, names.asn1())
              .addExtension(
                  Extension.authorityKeyIdentifier,
                  false,
                  utils.createAuthorityKeyIdentifier(certificate))
              .addExtension(
                  Extension.subjectKeyIdentifier,
                  false,
                  utils.createSubjectKeyIdentifier(pair.getPublic()));
      return new Issued(pair.getPrivate(), signed(builder, key));
    } catch (IOException e) {
      throw new GeneralSecurityException(e);
    }
  }

  /** A key and what an authority elsewhere needs to sign its certificate (PKCS#10). */
  record Request(PrivateKey key, byte[] der) {
    static Request of(Names names, Use use) throws GeneralSecurityException {
      KeyPair pair = keyPair();
      try {
        ExtensionsGenerator asked = new ExtensionsGenerator();
        asked.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature));
        asked.addExtension(Extension.extendedKeyUsage, false, purposes(use));
        asked.addExtension(Extension.subjectAlternativeName, false, names.asn1());
        byte[] der =
            new JcaPKCS10CertificationRequestBuilder(subject(names), pair.getPublic())
                .addAttribute(PKCSObjectIdentifiers.pkcs_9_at_extensionRequest, asked.generate())
                .build(signer(pair.getPrivate()))
                .getEncoded();
        return new Request(pair.getPrivate(), der);
      } catch (IOException e) {
        throw new GeneralSecurityException(e);
      }
    }
  }

  private static X500Principal subject(Names names) {
    return new X500Principal("CN=" + names.node());
  }

  private static ExtendedKeyUsage purposes(Use use) {
    return new ExtendedKeyUsage(use.purposes.toArray(KeyPurposeId[]::new));
  }

  private static KeyPair keyPair() throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec("secp256r1"), RANDOM);
    return generator.generateKeyPair();
  }

  private static X509v3CertificateBuilder builder(
      X500Principal issuer, X500Principal subject, PublicKey key, Instant end) {
    return new JcaX509v3CertificateBuilder(
        issuer,
        new BigInteger(127, RANDOM).add(BigInteger.ONE),
        Date.from(Instant.now().minus(SKEW)),
        Date.from(end),
        subject,
        key);
  }

  private static X509Certificate signed(X509v3CertificateBuilder builder, PrivateKey key)
      throws GeneralSecurityException {
    return new JcaX509CertificateConverter().getCertificate(builder.build(signer(key)));
  }

  private static ContentSigner signer(PrivateKey key) throws GeneralSecurityException {
    try {
      String algorithm = key.getAlgorithm().equals("RSA") ? "SHA256withRSA" : "SHA256withECDSA";
      return new JcaContentSignerBuilder(algorithm).build(key);
    } catch (OperatorCreationException e) {
      throw new GeneralSecurityException(e);
    }
  }
}
