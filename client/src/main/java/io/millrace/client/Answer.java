package io.millrace.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What came back, whatever its status.
 *
 * @param status HTTP status
 * @param body whole body
 * @param server the {@code Server} header, or an empty string
 * @param headers first value of each header, by its name in lower case
 */
public record Answer(int status, byte[] body, String server, Map<String, String> headers) {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** An answer of which nobody needs the headers. */
  public Answer(int status, byte[] body, String server) {
    this(status, body, server, Map.of());
  }

  /** The first value of a header, or null. */
  public @Nullable String header(String name) {
    return headers.get(name.toLowerCase(Locale.ROOT));
  }

  /** The body as JSON, or null when it is no object and no array. */
  public @Nullable JsonNode json() {
    try {
      JsonNode node = JSON.readTree(body);
      return node != null && node.isContainerNode() ? node : null;
    } catch (IOException e) {
      return null;
    }
  }

  /** The body as text. */
  public String text() {
    return new String(body, StandardCharsets.UTF_8);
  }

  /** The beginning of the body on one line, for messages. */
  public String excerpt() {
    String text = new String(body, 0, Math.min(body.length, 400), StandardCharsets.UTF_8);
    String line = text.strip().replaceAll("\\s+", " ");
    return line.length() > 160 ? line.substring(0, 160) + "..." : line;
  }

  /** The {@code error.reason} of a failed request, or the beginning of the body. */
  public String reason() {
    JsonNode json = json();
    JsonNode error = json == null ? null : json.get("error");
    if (error != null && error.isTextual()) {
      return error.asText();
    }
    return error != null && error.has("reason") ? error.path("reason").asText() : excerpt();
  }
}
