package io.millrace.client;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One request.
 *
 * @param method {@code GET}, {@code HEAD}, {@code PUT}, {@code POST}, {@code DELETE}
 * @param path as it goes over the wire, with its query string; begins with a slash
 * @param body bytes of the body; only the first {@code length} are sent
 * @param length 0 for no body
 * @param contentType of the body
 * @param timeout until the whole answer is there; {@code null} for the client's own
 */
public record Request(
    String method,
    String path,
    byte[] body,
    int length,
    String contentType,
    @Nullable Duration timeout) {
  /** One JSON value. */
  public static final String JSON = "application/json";

  /** One JSON value per line, as {@code _bulk} and {@code _msearch} take them. */
  public static final String NDJSON = "application/x-ndjson";

  private static final byte[] NONE = {};

  /** A request without a body. */
  public static Request of(String method, String path) {
    return new Request(method, path, NONE, 0, JSON, null);
  }

  /** A request with this body. */
  public static Request of(String method, String path, byte[] body, String contentType) {
    return new Request(method, path, body, body.length, contentType, null);
  }

  /** A request with a JSON body, or none. */
  public static Request json(String method, String path, @Nullable String body) {
    return body == null
        ? of(method, path)
        : of(method, path, body.getBytes(StandardCharsets.UTF_8), JSON);
  }

  /** The same with a time limit of its own. */
  public Request within(Duration limit) {
    return new Request(method, path, body, length, contentType, limit);
  }

  @Override
  public String toString() {
    return method + " " + path;
  }
}
