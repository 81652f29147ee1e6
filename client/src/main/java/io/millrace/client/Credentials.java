package io.millrace.client;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * Who asks: the value of the {@code Authorization} header. A further kind (an API key, a token) is
 * one more factory here.
 */
public final class Credentials {
  private final String header;

  private Credentials(String header) {
    this.header = header;
  }

  /**
   * Basic authentication (RFC 7617).
   *
   * @param user {@code name:password}
   */
  public static Credentials basic(String user) {
    return new Credentials(
        "Basic " + Base64.getEncoder().encodeToString(user.getBytes(StandardCharsets.UTF_8)));
  }

  /**
   * An API key of Elasticsearch or of OpenSearch.
   *
   * @param key {@code id:key}, or the same in Base64 as the servers give it out
   */
  public static Credentials apiKey(String key) {
    String encoded =
        key.contains(":")
            ? Base64.getEncoder().encodeToString(key.getBytes(StandardCharsets.UTF_8))
            : key;
    return new Credentials("ApiKey " + encoded);
  }

  /** The header's value; a secret. */
  String header() {
    return header;
  }

  /** Without the secret, so that no log and no error holds it. */
  @Override
  public String toString() {
    return header.substring(0, header.indexOf(' ')) + " ...";
  }
}
