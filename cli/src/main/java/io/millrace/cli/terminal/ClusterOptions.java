package io.millrace.cli.terminal;

import io.millrace.client.ClientOptions;
import io.millrace.client.Credentials;
import io.millrace.client.TrustedCertificates;
import io.millrace.launcher.cluster.ClusterUrls;
import io.millrace.launcher.secure.LocalSecrets;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What {@code --url} and {@code --user}, or the environment, say about the cluster to talk to. */
public final class ClusterOptions {
  private ClusterOptions() {}

  /**
   * To secured nodes that {@code up} runs here, a command asks as the launcher and trusts its
   * authority; {@code MILLRACE_CA} names another one.
   *
   * @param user {@code name:password}; {@code null} for that of {@code MILLRACE_USER}, if any
   */
  public static ClientOptions of(List<String> urls, @Nullable String user) {
    String named = user == null ? System.getenv("MILLRACE_USER") : user;
    String authority = System.getenv("MILLRACE_CA");
    ClientOptions options = ClientOptions.of(urls);
    Optional<LocalSecrets> local = ClusterUrls.secretsOf(urls);
    if (authority != null) {
      options = options.tls(TrustedCertificates.of(Path.of(authority)));
    } else if (local.isPresent()) {
      options = local.get().trust(options);
    }
    if (named != null) {
      return options.credentials(Credentials.basic(named));
    }
    return local.isPresent() && authority == null ? local.get().apply(options) : options;
  }

  /** Prints what the client found worth a note. */
  public static Consumer<String> notes(PrintWriter err) {
    return text -> {
      err.println("note: " + text);
      err.flush();
    };
  }
}
