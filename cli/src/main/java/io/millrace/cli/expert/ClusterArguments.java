package io.millrace.cli.expert;

import io.millrace.cli.terminal.ClusterOptions;
import io.millrace.client.ClientOptions;
import io.millrace.client.Credentials;
import io.millrace.client.TrustedCertificates;
import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import io.millrace.launcher.cluster.ClusterUrls;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which cluster, as whom, over which TLS: the same for every command that takes a URL. */
final class ClusterArguments {
  private static final Pattern KEY = Pattern.compile("[!-~]+:[!-~]+|[A-Za-z0-9+/_-]+={0,2}");

  @Parameters(
      arity = "0..1",
      paramLabel = "URL",
      description =
          "a node, such as https://host:9200 (default: $$MILLRACE_URL, else the cluster that runs here)")
  private @Nullable String url;

  @Option(
      names = "--user",
      paramLabel = "NAME:PASSWORD",
      description = "basic authentication (default: $$MILLRACE_USER)")
  private @Nullable String user;

  @Option(
      names = "--api-key",
      paramLabel = "KEY",
      description = "an API key, id:key or in Base64 (default: $$MILLRACE_API_KEY)")
  private @Nullable String apiKey;

  @Option(
      names = "--ca",
      paramLabel = "FILE",
      description = "trust the certificates of this PEM file (default: those of the JVM)")
  private @Nullable Path ca;

  /** Whether a URL stands on the command line. */
  boolean given() {
    return url != null;
  }

  /** The URL, or that of the environment or of the cluster that runs here. */
  String url() {
    return url != null ? url : ClusterUrls.choose(List.of()).getFirst();
  }

  ClientOptions options() {
    if (user != null && user.indexOf(':') < 1) {
      throw new ExpectedFailure(
          ExitCode.USAGE, "--user is NAME:PASSWORD; there is no colon behind a name", null);
    }
    ClientOptions options = ClusterOptions.of(List.of(url()), user);
    String key = apiKey == null ? System.getenv("MILLRACE_API_KEY") : apiKey;
    if (key != null && !KEY.matcher(key).matches()) {
      throw new ExpectedFailure(
          ExitCode.USAGE,
          "--api-key is ID:KEY, or the same in Base64, without spaces and line ends",
          "Elasticsearch gives the second form out as 'encoded'.");
    }
    if (key != null && user == null) {
      options = options.credentials(Credentials.apiKey(key));
    }
    return ca == null ? options : options.tls(TrustedCertificates.of(ca));
  }
}
