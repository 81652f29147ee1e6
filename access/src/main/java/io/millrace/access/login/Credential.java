package io.millrace.access.login;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * What an {@code Authorization} header says: {@code Basic base64(name:password)} or {@code ApiKey
 * base64(id:secret)}.
 */
record Credential(boolean apiKey, String name, String secret) {
  private static final int LONGEST = 4_096;
  private static final String BASIC = "Basic ";
  private static final String KEY = "ApiKey ";

  /** From a header; null when it is none of the two. */
  static @Nullable Credential parse(String header) {
    if (header.length() > LONGEST) {
      return null;
    }
    boolean apiKey = header.regionMatches(true, 0, KEY, 0, KEY.length());
    if (!apiKey && !header.regionMatches(true, 0, BASIC, 0, BASIC.length())) {
      return null;
    }
    try {
      String encoded = header.substring(apiKey ? KEY.length() : BASIC.length()).strip();
      String plain = new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8);
      int colon = plain.indexOf(':');
      return colon < 1
          ? null
          : new Credential(apiKey, plain.substring(0, colon), plain.substring(colon + 1));
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /** Not the secret. */
  @Override
  public String toString() {
    return (apiKey ? "ApiKey " : "Basic ") + name;
  }
}
