package io.millrace.launcher.certificates;

import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.util.IPAddress;

/**
 * What a node is called: its own name, and the host names and addresses at which others dial it.
 *
 * <p>A client compares what it dialled with the certificate (RFC 9525), and nodes dial each other
 * by address. So an address that is missing here is a connection that fails.
 *
 * @param node {@code node.name}
 * @param hosts host names, IPv4 and IPv6 addresses, at least one
 */
public record Names(String node, List<String> hosts) {
  private static final Pattern NODE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,63}");
  private static final Pattern HOST =
      Pattern.compile(
          "(?i)(\\*\\.)?[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*");
  private static final Pattern NUMBERS = Pattern.compile("[0-9.]+");

  /** At which a node of this machine is reached from this machine. */
  public static final List<String> LOOPBACK = List.of("localhost", "127.0.0.1", "::1");

  public Names {
    if (!NODE.matcher(node).matches()) {
      throw new ExpectedFailure(
          ExitCode.USAGE,
          "\"" + node + "\" is not the name of a node",
          "Give letters, digits, '-', '_' and '.', at most 64.");
    }
    if (hosts.isEmpty()) {
      throw new ExpectedFailure(
          ExitCode.USAGE,
          "node " + node + " has no host name and no address",
          "Give those at which clients and other nodes reach it: " + node + "=HOST,ADDRESS");
    }
    hosts.forEach(host -> requireHost(node, host));
    hosts = List.copyOf(new LinkedHashSet<>(hosts));
  }

  /**
   * Reads {@code NAME} or {@code NAME=HOST,ADDRESS,...}; loopback is always added.
   *
   * @throws ExpectedFailure naming the part that is no name or address
   */
  public static Names parse(String text) {
    int equals = text.indexOf('=');
    String node = equals < 0 ? text : text.substring(0, equals);
    List<String> hosts = new ArrayList<>();
    if (equals >= 0) {
      for (String host : text.substring(equals + 1).split(",", -1)) {
        hosts.add(host.strip());
      }
    }
    if (HOST.matcher(node).matches()) {
      hosts.add(node);
    }
    hosts.addAll(LOOPBACK);
    return new Names(node, hosts);
  }

  /** The names that a certificate was made out to. */
  static Names of(String node, X509Certificate certificate) {
    List<String> hosts = new ArrayList<>();
    try {
      Collection<List<?>> all = certificate.getSubjectAlternativeNames();
      if (all != null) {
        for (List<?> one : all) {
          int kind = (Integer) one.getFirst();
          if (kind == GeneralName.dNSName || kind == GeneralName.iPAddress) {
            hosts.add(String.valueOf(one.get(1)));
          }
        }
      }
    } catch (CertificateParsingException e) {
      throw new ExpectedFailure(
          ExitCode.INPUT, "the names in the certificate of " + node + " cannot be read", null, e);
    }
    return new Names(node, hosts);
  }

  GeneralNames asn1() {
    return new GeneralNames(
        hosts.stream()
            .map(host ->
                new GeneralName(
                    IPAddress.isValid(host) ? GeneralName.iPAddress : GeneralName.dNSName, host))
            .toArray(GeneralName[]::new));
  }

  /** The same text for the same host name or address, however it is written. */
  static String canonical(String host) {
    if (!IPAddress.isValid(host)) {
      return host.toLowerCase(Locale.ROOT);
    }
    try {
      return InetAddress.getByName(host).getHostAddress(); // an address: nobody is asked
    } catch (UnknownHostException e) {
      return host;
    }
  }

  private static void requireHost(String node, String host) {
    boolean address = IPAddress.isValid(host);
    boolean name =
        HOST.matcher(host).matches() && host.length() < 254 && !NUMBERS.matcher(host).matches();
    if (!address && !name) {
      throw new ExpectedFailure(
          ExitCode.USAGE,
          "\"" + host + "\" of node " + node + " is neither a host name nor an IP address",
          "Give names as DNS has them, and addresses without a port.");
    }
  }
}
