package io.millrace.client;

import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import java.net.URI;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An address as a user writes it.
 *
 * @param base {@code http://host:port}, without a slash at the end
 * @param credentials from a {@code name:password@} in it, else {@code null}
 */
record NodeUrl(String base, @Nullable Credentials credentials) {
  private static final Pattern USER_INFO = Pattern.compile("^(https?://)([^/@]+)@(.*)$");

  /**
   * @throws ExpectedFailure with {@link ExitCode#USAGE} when this is no URL
   */
  static NodeUrl parse(String url) {
    String base = url.contains("://") ? url : "http://" + url;
    Credentials credentials = null;
    Matcher withUser = USER_INFO.matcher(base);
    if (withUser.matches()) {
      credentials = Credentials.basic(withUser.group(2));
      base = withUser.group(1) + withUser.group(3);
    }
    while (base.endsWith("/")) {
      base = base.substring(0, base.length() - 1);
    }
    URI uri;
    try {
      uri = URI.create(base);
    } catch (IllegalArgumentException e) {
      throw noUrl(url);
    }
    if (uri.getRawQuery() != null || uri.getRawFragment() != null) {
      throw new ExpectedFailure(
          ExitCode.USAGE,
          "[" + shown(url) + "] has a query or a fragment, which the address of a cluster has not",
          "Give it as http://HOST:PORT, with the path of a proxy where there is one.");
    }
    if (uri.getPort() > 65_535) {
      throw new ExpectedFailure(
          ExitCode.USAGE,
          "[" + shown(url) + "] has port " + uri.getPort() + "; 65535 is the last",
          null);
    }
    if (uri.getHost() == null && uri.getAuthority() != null && uri.getAuthority().contains("_")) {
      throw new ExpectedFailure(
          ExitCode.USAGE,
          "[" + shown(url) + "] has an underscore in its host, which no name of a host may have",
          "Give its address, or another name of it.");
    }
    if (uri.getHost() == null
        || !("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))) {
      throw noUrl(url);
    }
    return new NodeUrl(base, credentials);
  }

  /** Without the password that may stand in it. */
  private static String shown(String url) {
    return url.replaceFirst("^((?:\\w+://)?)[^/@]*@", "$1");
  }

  private static ExpectedFailure noUrl(String url) {
    return new ExpectedFailure(
        ExitCode.USAGE, "[" + shown(url) + "] is not a URL", "Give it as http://HOST:PORT.");
  }
}
