package io.millrace.launcher.certificates;

import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import io.millrace.launcher.certificates.Authority.Use;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The certificates of one cluster as files.
 *
 * <pre>
 * DIR/http-ca.crt       DIR/http-ca.key         signs what nodes show to clients
 * DIR/transport-ca.crt  DIR/transport-ca.key    signs what nodes show to each other
 * DIR/NODE/http.crt     DIR/NODE/http.key       DIR/NODE/http-ca.crt
 * DIR/NODE/transport.crt  ...transport.key      ...transport-ca.crt
 * </pre>
 *
 * <p>Two authorities, because a certificate of the second makes its holder a member of the cluster,
 * which may do anything: whoever is to verify the first gets nothing of the second. {@code
 * DIR/NODE} is all that one node needs; the keys of the authorities go to no node. Every file has
 * mode 0600, every folder 0700.
 */
public final class CertificateFolder {
  /** How long a certificate of a node is valid unless told otherwise. */
  public static final Duration VALIDITY = Duration.ofDays(730);

  private static final Duration AUTHORITY_VALIDITY = Duration.ofDays(3650);

  /** The files of one node. */
  private static final List<String> OF_A_NODE =
      List.of(
          "http.crt",
          "http.key",
          "http-ca.crt",
          "transport.crt",
          "transport.key",
          "transport-ca.crt");

  private final Path dir;

  /**
   * @param dir made when something is written into it
   */
  public CertificateFolder(Path dir) {
    this.dir = dir;
  }

  /**
   * A certificate in this folder.
   *
   * @param node {@code null} for that of an authority
   */
  public record Entry(Path file, @Nullable String node, X509Certificate certificate) {
    /** Host names and addresses that it is made out to; none for an authority. */
    public List<String> hosts() {
      return node == null ? List.of() : Names.of(node, certificate).hosts();
    }

    /** Whether it is made out to all of these. */
    public boolean names(List<String> wanted) {
      return new HashSet<>(hosts().stream().map(Names::canonical).toList())
          .containsAll(wanted.stream().map(Names::canonical).toList());
    }
  }

  /** The folder of one node. */
  public Path ofNode(String node) {
    return dir.resolve(node);
  }

  /** The certificate that clients trust. */
  public Path httpAuthority() {
    return dir.resolve("http-ca.crt");
  }

  /** Whether a node has all it needs. */
  public boolean complete(String node) {
    return OF_A_NODE.stream().allMatch(file -> Files.exists(ofNode(node).resolve(file)));
  }

  /**
   * Makes the authorities unless they are there, and what the node lacks; keeps what it has.
   *
   * @return the files that were written
   * @throws ExpectedFailure when the authority's certificate is there without its key
   */
  public List<Path> create(Names names, Duration validity) throws IOException {
    PrivateFiles.makeFolder(dir);
    Path own = ofNode(names.node());
    List<Path> written = new ArrayList<>();
    for (Use use : Use.values()) {
      Path certificate = own.resolve(use.word() + ".crt");
      if (Files.exists(certificate) && Files.exists(own.resolve(use.word() + ".key"))) {
        handAuthority(use, own, written);
        continue;
      }
      if (!Files.exists(authority(use, ".crt"))) {
        makeAuthority(use, written);
      }
      PrivateFiles.makeFolder(own);
      issue(names, use, validity, own, written);
    }
    return written;
  }

  /**
   * Gives a node new keys and certificates, made out to the names that it has.
   *
   * @return the files that were written
   * @throws ExpectedFailure when the node has none, or the authority's key is elsewhere
   */
  public List<Path> renew(String node, Duration validity) throws IOException {
    Path own = ofNode(node);
    for (Use use : Use.values()) {
      Path file = own.resolve(use.word() + ".crt");
      if (!Files.exists(file)) {
        throw new ExpectedFailure(
            ExitCode.USAGE,
            "no certificate " + file,
            "Make it first: millrace certificates create " + node + "=HOST,ADDRESS");
      }
    }
    List<Path> written = new ArrayList<>();
    for (Use use : Use.values()) {
      Path file = own.resolve(use.word() + ".crt");
      issue(Names.of(node, Pem.readCertificates(file).getFirst()), use, validity, own, written);
    }
    return written;
  }

  /** Gives a node new keys and certificates, made out to these names. */
  public void renew(Names names, Duration validity) throws IOException {
    Path own = ofNode(names.node());
    for (Use use : Use.values()) {
      issue(names, use, validity, own, new ArrayList<>());
    }
  }

  /** Whether the keys of both authorities are here. */
  public boolean canSign() {
    return Stream.of(Use.values()).allMatch(use -> Files.exists(authority(use, ".key")));
  }

  /**
   * Makes keys and requests that an authority of the caller's own can sign: {@code http.csr} and
   * {@code transport.csr}. The signed certificates go beside them as {@code http.crt} and {@code
   * transport.crt}, the authorities' as {@code http-ca.crt} and {@code transport-ca.crt}.
   *
   * @return the files that were written
   * @throws ExpectedFailure when the node has a key already: its certificate would be useless
   */
  public List<Path> request(Names names) throws IOException {
    Path own = ofNode(names.node());
    for (Use use : Use.values()) {
      Path key = own.resolve(use.word() + ".key");
      if (Files.exists(key)) {
        throw new ExpectedFailure(
            ExitCode.USAGE,
            key + " is there already, and a certificate may belong to it",
            "Remove it, or give another folder: --dir");
      }
    }
    PrivateFiles.makeFolder(dir);
    PrivateFiles.makeFolder(own);
    List<Path> written = new ArrayList<>();
    for (Use use : Use.values()) {
      try {
        Authority.Request request = Authority.Request.of(names, use);
        write(own.resolve(use.word() + ".key"), Pem.key(request.key()), written);
        write(
            own.resolve(use.word() + ".csr"),
            Pem.of("CERTIFICATE REQUEST", request.der()),
            written);
      } catch (GeneralSecurityException e) {
        throw impossible(own, e);
      }
    }
    return written;
  }

  /** Every certificate here: the authorities', then the nodes' by name. */
  public List<Entry> all() throws IOException {
    List<Entry> all = new ArrayList<>();
    for (Use use : Use.values()) {
      add(all, authority(use, ".crt"), null);
    }
    for (String node : nodes()) {
      for (Use use : Use.values()) {
        add(all, ofNode(node).resolve(use.word() + ".crt"), node);
      }
    }
    return all;
  }

  /** The nodes that have a certificate here, by name. */
  public List<String> nodes() throws IOException {
    if (!Files.isDirectory(dir)) {
      return List.of();
    }
    try (Stream<Path> folders = Files.list(dir)) {
      return folders
          .filter(folder ->
              Files.exists(folder.resolve("http.crt"))
                  || Files.exists(folder.resolve("transport.crt")))
          .map(folder -> folder.getFileName().toString())
          .sorted()
          .toList();
    }
  }

  /**
   * Copies a node's files to where it reads them; those that are equal stay as they are.
   *
   * @throws ExpectedFailure when the node lacks some
   */
  public void handOver(String node, Path to) throws IOException {
    for (String file : OF_A_NODE) {
      if (!Files.exists(ofNode(node).resolve(file))) {
        throw new ExpectedFailure(
            ExitCode.INPUT,
            "node " + node + " has no " + ofNode(node).resolve(file),
            "Make what is missing: millrace certificates create "
                + node
                + "; or put the signed"
                + " certificate and its authority's there.");
      }
    }
    PrivateFiles.makeFolder(to);
    for (String file : OF_A_NODE) {
      Path from = ofNode(node).resolve(file);
      Path target = to.resolve(file);
      if (!Files.exists(target) || Files.mismatch(from, target) >= 0) {
        PrivateFiles.copy(from, target);
      }
    }
  }

  private void issue(Names names, Use use, Duration validity, Path own, List<Path> written)
      throws IOException {
    try {
      Authority.Issued issued = readAuthority(use).issue(names, use, validity);
      // a reader that meets a new key with an old certificate looks again
      write(own.resolve(use.word() + ".key"), Pem.key(issued.key()), written);
      write(
          own.resolve(use.word() + ".crt"),
          Pem.certificates(List.of(issued.certificate())),
          written);
    } catch (GeneralSecurityException e) {
      throw impossible(own, e);
    }
    handAuthority(use, own, written);
  }

  private void makeAuthority(Use use, List<Path> written) throws IOException {
    try {
      Authority authority =
          Authority.create("Millrace " + use.word() + " authority", AUTHORITY_VALIDITY);
      write(authority(use, ".key"), Pem.key(authority.key()), written);
      write(authority(use, ".crt"), Pem.certificates(List.of(authority.certificate())), written);
    } catch (GeneralSecurityException e) {
      throw impossible(dir, e);
    }
  }

  private Authority readAuthority(Use use) {
    Path key = authority(use, ".key");
    if (!Files.exists(key)) {
      throw new ExpectedFailure(
          ExitCode.USAGE,
          "the authority's key is not here: " + key,
          "Run this where the authority was made; one of your own signs requests:"
              + " millrace certificates csr");
    }
    X509Certificate certificate = Pem.readCertificates(authority(use, ".crt")).getFirst();
    return new Authority(certificate, Pem.readKey(key, certificate.getPublicKey().getAlgorithm()));
  }

  /** Once there, a node's stays: one that was put there by hand may list several. */
  private void handAuthority(Use use, Path own, List<Path> written) throws IOException {
    Path to = own.resolve(use.word() + "-ca.crt");
    Path from = authority(use, ".crt");
    if (!Files.exists(to) && Files.exists(from)) {
      PrivateFiles.copy(from, to);
      written.add(to);
    }
  }

  private static void write(Path file, String text, List<Path> written) throws IOException {
    PrivateFiles.write(file, text);
    written.add(file);
  }

  private static void add(List<Entry> all, Path file, @Nullable String node) {
    if (Files.exists(file)) {
      all.add(new Entry(file, node, Pem.readCertificates(file).getFirst()));
    }
  }

  private Path authority(Use use, String suffix) {
    return dir.resolve(use.word() + "-ca" + suffix);
  }

  private static ExpectedFailure impossible(Path where, GeneralSecurityException e) {
    return new ExpectedFailure(
        ExitCode.FAILED,
        "cannot make the certificates of " + where + ": " + e.getMessage(),
        null,
        e);
  }
}
