package io.millrace.observe.alarms;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which address a webhook may have. It stands in the node's file only: whoever may change cluster
 * settings could otherwise make nodes send requests into networks that only nodes reach.
 */
final class WebhookAddress {
  private WebhookAddress() {}

  /**
   * The address as a URI.
   *
   * @return null for an empty text: no webhook
   * @throws IllegalArgumentException for anything else than http or https and for credentials
   *     inside; never with the address in it, which may be a secret
   */
  static @Nullable URI parse(String setting, String text) {
    if (text.isEmpty()) {
      return null;
    }
    URI uri;
    try {
      uri = new URI(text);
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException(
          "[" + setting + "] is not an address: " + e.getReason() + " at place " + e.getIndex());
    }
    String scheme = Objects.requireNonNullElse(uri.getScheme(), "").toLowerCase(Locale.ROOT);
    if (!scheme.equals("http") && !scheme.equals("https")) {
      throw new IllegalArgumentException(
          "[" + setting + "] must start with http:// or https://, not with [" + scheme + "]");
    }
    if (uri.getHost() == null) {
      throw new IllegalArgumentException("[" + setting + "] names no host");
    }
    if (uri.getRawUserInfo() != null) {
      throw new IllegalArgumentException(
          "["
              + setting
              + "] must not hold a user or a password: put a token into the path, or use a "
              + "proxy on this machine that authenticates");
    }
    return uri;
  }
}
