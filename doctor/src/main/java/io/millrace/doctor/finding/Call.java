package io.millrace.doctor.finding;

import org.jspecify.annotations.Nullable;

/**
 * One request that cures or undoes, ready to paste.
 *
 * @param method {@code PUT}, {@code POST} or {@code DELETE}
 * @param path begins with a slash
 * @param body JSON; null for none
 */
public record Call(String method, String path, @Nullable String body) {
  /** As a line for a shell. The body stands in single quotes, so a quote in it is escaped. */
  public String curl(String url) {
    String line = "curl -X" + method + " '" + url + path.replace("'", "%27") + "'";
    return body == null
        ? line
        : line + " -H 'Content-Type: application/json' -d '" + body.replace("'", "'\\''") + "'";
  }

  @Override
  public String toString() {
    return method + " " + path + (body == null ? "" : "\n" + body);
  }
}
