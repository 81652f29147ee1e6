package io.millrace.launcher.secure;

import io.millrace.credential.Operators;
import io.millrace.credential.PasswordHash;
import io.millrace.launcher.certificates.CertificateFolder;
import io.millrace.launcher.certificates.Names;
import io.millrace.launcher.certificates.PrivateFiles;
import io.millrace.launcher.workspace.Workspace;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Whether the cluster of a workspace is a secured one, and what it is secured with: made at the
 * first {@code up --secure}, kept by every later one.
 *
 * <p>Two operators are made. {@link #FIRST} is a person's: its password is told once, and only its
 * hash is kept. {@link #LAUNCHER} is this program's own, for its health checks and for commands of
 * the same user without {@code --user}; its password is 139 random bits, so that few rounds of
 * hashing are enough and the node answers the first check quickly.
 */
public final class SecuredWorkspace {
  /** The operator whose password is told. */
  public static final String FIRST = "admin";

  /** The operator that commands of this machine ask as. */
  static final String LAUNCHER = "millrace-launcher";

  private static final int ROUNDS_OF_A_RANDOM_PASSWORD = 10_000;
  private static final Duration SOON = Duration.ofDays(30);

  /** Where a setting names addresses at which the node is reached. */
  private static final List<String> ADDRESSES =
      List.of(
          "network.host",
          "network.publish_host",
          "http.host",
          "http.publish_host",
          "transport.host",
          "transport.publish_host");

  private static final Set<String> EVERY_ADDRESS = Set.of("0.0.0.0", "::", "[::]");

  private final CertificateFolder certificates;
  private final LocalSecrets secrets;

  /** What is kept in this workspace. */
  public SecuredWorkspace(Workspace place) {
    this.certificates = new CertificateFolder(place.certificates());
    this.secrets = new LocalSecrets(place.secrets());
  }

  /** Whether nodes that start here are secured ones. */
  public boolean on() {
    return Files.exists(secrets.credentials());
  }

  /** Nodes that start from now on let everybody in; certificates and operators stay. */
  public void off() throws IOException {
    Files.deleteIfExists(secrets.credentials());
  }

  /** What a node is configured with. */
  public NodeSecurity of(String node) {
    return new NodeSecurity(node, certificates, secrets);
  }

  /**
   * Gives the operators of now to the nodes that were started here.
   *
   * @param nodes folder of the nodes' folders
   */
  public void handOverOperators(Path nodes) throws IOException {
    for (String node : certificates.nodes()) {
      Path config = nodes.resolve(node).resolve("config");
      if (Files.isDirectory(config)) {
        of(node).handOverOperators(config);
      }
    }
  }

  /** The certificate for clients that are no command of ours. */
  public Path authority() {
    return secrets.authority();
  }

  /**
   * Makes what is missing: authorities, certificates of these nodes, operators. Renews certificates
   * that end within 30 days or lack an address, where the authority's key is here.
   *
   * @param settings given by the user; they may name addresses
   * @param notes gets what was renewed
   * @return the password of {@link #FIRST} when it was made just now
   */
  public Optional<String> prepare(
      List<String> nodes, Map<String, String> settings, List<String> notes) throws IOException {
    List<String> hosts = hosts(settings);
    for (String node : nodes) {
      Names names = Names.parse(node + "=" + String.join(",", hosts));
      certificates.create(names, CertificateFolder.VALIDITY);
      renewIfNeeded(names, notes);
    }
    PrivateFiles.makeFolder(secrets.dir());
    Path authority = certificates.ofNode(nodes.getFirst()).resolve("http-ca.crt");
    PrivateFiles.write(secrets.authority(), Files.readString(authority));
    return operators();
  }

  private void renewIfNeeded(Names names, List<String> notes) throws IOException {
    String node = names.node();
    boolean ends = false;
    boolean nameless = false;
    for (CertificateFolder.Entry entry : certificates.all()) {
      if (node.equals(entry.node())) {
        X509Certificate certificate = entry.certificate();
        ends |= certificate.getNotAfter().toInstant().isBefore(Instant.now().plus(SOON));
        nameless |= !entry.names(names.hosts());
      }
    }
    if (!ends && !nameless) {
      return;
    }
    String why = ends ? "end soon" : "do not name " + String.join(", ", names.hosts());
    if (certificates.canSign()) {
      certificates.renew(names, CertificateFolder.VALIDITY);
      notes.add("new certificates for " + node + ": those from before " + why);
    } else {
      notes.add("the certificates of " + node + " " + why + ": renew them");
    }
  }

  private Optional<String> operators() throws IOException {
    String text = Files.exists(secrets.operators()) ? Files.readString(secrets.operators()) : "";
    Set<String> known = Operators.parse(text).hashes().keySet();
    Optional<String> told = Optional.empty();
    String now = text;
    if (!known.contains(FIRST)) {
      char[] password = PasswordHash.random();
      now = Operators.with(now, FIRST, PasswordHash.of(password));
      told = Optional.of(new String(password));
    }
    if (!known.contains(LAUNCHER) || !on()) {
      char[] password = PasswordHash.random();
      now = Operators.with(now, LAUNCHER, PasswordHash.of(password, ROUNDS_OF_A_RANDOM_PASSWORD));
      PrivateFiles.write(secrets.operators(), now);
      // last: it is what says that the workspace is secured
      PrivateFiles.write(secrets.credentials(), LAUNCHER + ":" + new String(password) + "\n");
    } else if (!now.equals(text)) {
      PrivateFiles.write(secrets.operators(), now);
    }
    return told;
  }

  /** At which addresses the settings let the node be reached, beside loopback. */
  private static List<String> hosts(Map<String, String> settings) {
    List<String> hosts = new ArrayList<>();
    try {
      String name = InetAddress.getLocalHost().getHostName();
      if (name.matches("[A-Za-z0-9][A-Za-z0-9.-]*")) {
        hosts.add(name);
      }
    } catch (UnknownHostException e) {
      // a machine without a name of its own: its addresses are enough
    }
    for (String key : ADDRESSES) {
      for (String host : settings.getOrDefault(key, "").split("[\\[\\],\"\\s]+")) {
        if (!host.isEmpty() && !host.startsWith("_") && !EVERY_ADDRESS.contains(host)) {
          hosts.add(host);
        }
      }
    }
    hosts.add("localhost");
    return hosts;
  }
}
