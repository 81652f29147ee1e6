package io.millrace.launcher.secure;

import io.millrace.client.ClientOptions;
import io.millrace.client.Credentials;
import io.millrace.client.TrustedCertificates;
import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/**
 * What a request to a secured node of this machine needs: {@code http-ca.crt}, the authority to
 * trust, and {@code credentials}, a line {@code name:password}. Beside them lies {@code operators},
 * the hashes that the nodes get. All have mode 0600.
 *
 * @param dir {@code run/secrets} of the workspace, mode 0700
 */
public record LocalSecrets(Path dir) {
  Path authority() {
    return dir.resolve("http-ca.crt");
  }

  Path credentials() {
    return dir.resolve("credentials");
  }

  Path operators() {
    return dir.resolve("operators");
  }

  /** Whether this process may use them. */
  public boolean readable() {
    return Files.isReadable(credentials()) && Files.isReadable(authority());
  }

  /**
   * Trusts the authority and asks as the launcher.
   *
   * @throws ExpectedFailure when a file cannot be read
   */
  public ClientOptions apply(ClientOptions options) {
    return trust(options).credentials(Credentials.basic(read(credentials())));
  }

  /** Trusts the authority. */
  public ClientOptions trust(ClientOptions options) {
    return options.tls(TrustedCertificates.of(authority()));
  }

  private static String read(Path file) {
    try {
      // the folder is the server's: a link there could lead root's command to another file
      if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) || Files.size(file) > 1024) {
        throw new IOException("it is not the file that millrace up --secure wrote");
      }
      return Files.readString(file).strip();
    } catch (IOException e) {
      throw new ExpectedFailure(
          ExitCode.ENVIRONMENT,
          "cannot read the launcher's credential " + file + ": " + e,
          "Run this as the user who ran millrace up, or give --user NAME:PASSWORD.",
          e);
    }
  }
}
