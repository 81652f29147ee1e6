package io.millrace.launcher.certificates;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.client.failure.ExpectedFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.Extensions;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.operator.jcajce.JcaContentVerifierProviderBuilder;
import org.bouncycastle.pkcs.PKCS10CertificationRequest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CertificateFolderTest {
  private static final Names NODE = Names.parse("node-1=search.example,10.1.2.3");

  @TempDir private Path dir;
  private CertificateFolder folder;

  @BeforeEach
  void aFolder() {
    folder = new CertificateFolder(dir.resolve("certificates"));
  }

  private X509Certificate read(String file) {
    return Pem.readCertificates(dir.resolve("certificates").resolve(file)).getFirst();
  }

  @Test
  void authoritiesSignTheirOwnNodesCertificatesOnly() throws Exception {
    folder.create(NODE, CertificateFolder.VALIDITY);
    for (String use : List.of("http", "transport")) {
      X509Certificate authority = read(use + "-ca.crt");
      assertEquals(0, authority.getBasicConstraints(), "an authority that signs no further ones");
      authority.verify(authority.getPublicKey());
      X509Certificate certificate = read("node-1/" + use + ".crt");
      assertEquals(-1, certificate.getBasicConstraints());
      certificate.checkValidity();
      certificate.verify(authority.getPublicKey());
    }
    assertThrows(
        GeneralSecurityException.class,
        () -> read("node-1/http.crt").verify(read("transport-ca.crt").getPublicKey()));
  }

  @Test
  void aCertificateNamesEveryHostAndItsUse() throws Exception {
    folder.create(NODE, CertificateFolder.VALIDITY);
    List<String> names =
        read("node-1/http.crt").getSubjectAlternativeNames().stream()
            .map(name -> name.getFirst() + " " + name.get(1))
            .toList();
    assertEquals(
        List.of(
            "2 search.example",
            "7 10.1.2.3",
            "2 node-1",
            "2 localhost",
            "7 127.0.0.1",
            "7 0:0:0:0:0:0:0:1"),
        names);
    String serverAuth = "1.3.6.1.5.5.7.3.1";
    String clientAuth = "1.3.6.1.5.5.7.3.2";
    assertEquals(List.of(serverAuth), read("node-1/http.crt").getExtendedKeyUsage());
    assertEquals(
        List.of(serverAuth, clientAuth), read("node-1/transport.crt").getExtendedKeyUsage());
  }

  @Test
  void everyFileIsItsOwnersOnly() throws IOException {
    folder.create(NODE, CertificateFolder.VALIDITY);
    try (Stream<Path> all = Files.walk(dir.resolve("certificates"))) {
      for (Path path : all.toList()) {
        assertEquals(
            Files.isDirectory(path) ? "rwx------" : "rw-------",
            PosixFilePermissions.toString(Files.getPosixFilePermissions(path)),
            path.toString());
      }
    }
  }

  @Test
  void aSecondCreateKeepsWhatIsThere() throws IOException {
    folder.create(NODE, CertificateFolder.VALIDITY);
    byte[] key = Files.readAllBytes(folder.ofNode("node-1").resolve("http.key"));
    assertEquals(List.of(), folder.create(NODE, CertificateFolder.VALIDITY));
    assertArrayEquals(key, Files.readAllBytes(folder.ofNode("node-1").resolve("http.key")));
    folder.create(Names.parse("node-2"), CertificateFolder.VALIDITY);
    assertEquals(List.of("node-1", "node-2"), folder.nodes());
    assertEquals(
        read("node-1/http.crt").getIssuerX500Principal(),
        read("node-2/http.crt").getIssuerX500Principal());
  }

  @Test
  void renewalKeepsNamesAndChangesKeys() throws Exception {
    folder.create(NODE, Duration.ofDays(1));
    X509Certificate before = read("node-1/transport.crt");
    folder.renew("node-1", Duration.ofDays(400));
    X509Certificate after = read("node-1/transport.crt");
    assertEquals(Names.of("node-1", before), Names.of("node-1", after));
    assertNotEquals(before.getPublicKey(), after.getPublicKey());
    assertNotEquals(before.getSerialNumber(), after.getSerialNumber());
    assertTrue(after.getNotAfter().after(before.getNotAfter()));
    after.verify(read("transport-ca.crt").getPublicKey());
  }

  @Test
  void aCertificateEndsWithItsAuthority() throws IOException {
    folder.create(NODE, Duration.ofDays(36500));
    assertEquals(read("http-ca.crt").getNotAfter(), read("node-1/http.crt").getNotAfter());
  }

  @Test
  void renewalWithoutTheAuthoritysKeyNamesIt() throws IOException {
    folder.create(NODE, CertificateFolder.VALIDITY);
    Files.delete(dir.resolve("certificates/http-ca.key"));
    ExpectedFailure failure =
        assertThrows(ExpectedFailure.class, () -> folder.renew("node-1", Duration.ofDays(1)));
    assertTrue(failure.getMessage().contains("http-ca.key"), failure.getMessage());
    assertTrue(String.valueOf(failure.remedy()).contains("certificates csr"), failure.remedy());
  }

  @Test
  void renewalOfAnUnknownNodeSaysHowToMakeOne() {
    ExpectedFailure failure =
        assertThrows(ExpectedFailure.class, () -> folder.renew("node-7", Duration.ofDays(1)));
    assertTrue(failure.getMessage().contains("node-7"), failure.getMessage());
  }

  @Test
  void aRequestNamesTheSameHosts() throws Exception {
    folder.request(NODE);
    Path own = folder.ofNode("node-1");
    for (String use : List.of("http", "transport")) {
      try (PEMParser parser = new PEMParser(Files.newBufferedReader(own.resolve(use + ".csr")))) {
        PKCS10CertificationRequest request = (PKCS10CertificationRequest) parser.readObject();
        assertTrue(
            request.isSignatureValid(
                new JcaContentVerifierProviderBuilder().build(request.getSubjectPublicKeyInfo())));
        Extensions asked = request.getRequestedExtensions();
        assertEquals(
            NODE.asn1(), GeneralNames.fromExtensions(asked, Extension.subjectAlternativeName));
      }
      assertTrue(Files.exists(own.resolve(use + ".key")));
    }
    ExpectedFailure again = assertThrows(ExpectedFailure.class, () -> folder.request(NODE));
    assertTrue(again.getMessage().contains("http.key"), again.getMessage());
  }

  @Test
  void aNodeGetsItsFilesAndNoKeyOfAnAuthority() throws IOException {
    folder.create(NODE, CertificateFolder.VALIDITY);
    Path config = dir.resolve("config/certificates");
    folder.handOver("node-1", config);
    try (Stream<Path> files = Files.list(config)) {
      assertEquals(
          List.of(
              "http-ca.crt",
              "http.crt",
              "http.key",
              "transport-ca.crt",
              "transport.crt",
              "transport.key"),
          files.map(file -> file.getFileName().toString()).sorted().toList());
    }
    assertFalse(PrivateFiles.open(config.resolve("http.key")));
    Files.delete(folder.ofNode("node-1").resolve("transport-ca.crt"));
    ExpectedFailure failure =
        assertThrows(ExpectedFailure.class, () -> folder.handOver("node-1", config));
    assertTrue(failure.getMessage().contains("transport-ca.crt"), failure.getMessage());
  }

  @Test
  void brokenFilesAreNamed() throws IOException {
    Path file = dir.resolve("broken.crt");
    for (String text :
        List.of(
            "",
            "no certificate",
            "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
            "-----BEGIN CERTIFICATE-----\n")) {
      Files.writeString(file, text);
      ExpectedFailure failure =
          assertThrows(ExpectedFailure.class, () -> Pem.readCertificates(file), text);
      assertTrue(failure.getMessage().contains("broken.crt"), failure.getMessage());
      ExpectedFailure noKey = assertThrows(ExpectedFailure.class, () -> Pem.readKey(file, "EC"));
      assertTrue(noKey.getMessage().contains("broken.crt"), noKey.getMessage());
    }
    assertThrows(ExpectedFailure.class, () -> Pem.readCertificates(dir.resolve("none.crt")));
  }

  @Test
  void namesThatAreNoneAreRefusedWithTheirValue() {
    for (String bad :
        List.of(
            "=host",
            "node/1",
            "../node",
            "n=a b",
            "n=host:9300",
            "n=",
            "n=300.1.2.3",
            "n=-a",
            "n=a,")) {
      ExpectedFailure failure = assertThrows(ExpectedFailure.class, () -> Names.parse(bad), bad);
      assertTrue(failure.getMessage().contains("\""), failure.getMessage());
    }
    assertEquals(
        List.of("fe80::1", "a.b-c.example", "n", "localhost", "127.0.0.1", "::1"),
        Names.parse("n=fe80::1,a.b-c.example").hosts());
  }
}
