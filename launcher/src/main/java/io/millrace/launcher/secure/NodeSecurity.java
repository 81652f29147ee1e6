package io.millrace.launcher.secure;

import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import io.millrace.credential.Operators;
import io.millrace.launcher.certificates.CertificateFolder;
import io.millrace.launcher.certificates.PrivateFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What one secured node is configured with.
 *
 * @param node its name
 * @param certificates of the cluster
 * @param secrets with the operators that every node knows
 */
public record NodeSecurity(String node, CertificateFolder certificates, LocalSecrets secrets) {
  private static final String RESOLVE = "transport.ssl.resolve_hostname";

  /** Lines of {@code opensearch.yml}. */
  public Map<String, String> settings() {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("millrace.access.enabled", "true");
    settings.put("millrace.access.tls.enabled", "true");
    settings.put("http.type", "millrace-secure");
    settings.put("transport.type", "netty4-secure");
    // certificates name addresses; what a name server makes of an address is nobody's promise
    settings.put(RESOLVE, "false");
    return settings;
  }

  /**
   * Makes sure that own settings leave the node as secured as it is to be.
   *
   * @throws ExpectedFailure naming the first setting that does not
   */
  public void require(Map<String, String> own) {
    for (Map.Entry<String, String> needed : settings().entrySet()) {
      String given = own.get(needed.getKey());
      if (given != null && !given.equals(needed.getValue()) && !needed.getKey().equals(RESOLVE)) {
        throw new ExpectedFailure(
            ExitCode.USAGE,
            "-E " + needed.getKey() + "=" + given + " undoes a part of --secure",
            "Leave it out: --secure needs "
                + needed.getKey()
                + "="
                + needed.getValue()
                + ". Without --secure each part can be set by hand (access/docs/tls.md).");
      }
    }
  }

  /**
   * Puts certificates, keys and operators into the node's folder of the configuration.
   *
   * @param config {@code config/} of the node
   */
  public void handOver(Path config) throws IOException {
    certificates.handOver(node, config.resolve("certificates"));
    handOverOperators(config);
  }

  /** Puts the operators there; a running node reads them again. */
  void handOverOperators(Path config) throws IOException {
    Path operators = config.resolve(Operators.PATH);
    PrivateFiles.makeFolder(config.resolve("millrace"));
    PrivateFiles.write(operators, Files.readString(secrets.operators()));
  }
}
