package io.millrace.bench.load;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.bench.json.Json;
import io.millrace.bench.term.BenchFailure;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * HTTP to one node: kept-alive HTTP/1.1 connections, a time limit on every request, an error that
 * names the request and the server's reason.
 */
public final class NodeClient implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofMinutes(10);

  private final URI base;
  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(10))
          .build();

  public NodeClient(URI base) {
    this.base = base;
  }

  /** An answer as it came. */
  public record Answer(int status, byte[] body) {
    public JsonNode json() {
      return Json.parse(body);
    }
  }

  /** Sends a request and returns whatever came back. */
  public Answer send(String method, String path, byte @Nullable [] body, String contentType) {
    BodyPublisher publisher =
        body == null ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body);
    HttpRequest request =
        HttpRequest.newBuilder(base.resolve(path))
            .timeout(LIMIT)
            .header("Content-Type", contentType)
            .method(method, publisher)
            .build();
    try {
      HttpResponse<byte[]> response = http.send(request, BodyHandlers.ofByteArray());
      return new Answer(response.statusCode(), response.body());
    } catch (IOException e) {
      throw new BenchFailure(method + " " + path + " got no answer: " + e, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BenchFailure("interrupted", e);
    }
  }

  public JsonNode get(String path) {
    return checked("GET", path, null);
  }

  public JsonNode post(String path) {
    return checked("POST", path, null);
  }

  public JsonNode post(String path, Object body) {
    return checked("POST", path, Json.bytes(body));
  }

  public JsonNode put(String path, Object body) {
    return checked("PUT", path, Json.bytes(body));
  }

  public JsonNode delete(String path) {
    return checked("DELETE", path, null);
  }

  /** Sets dynamic cluster settings; refused settings give a {@link Refused}. */
  public void clusterSettings(Map<String, String> settings) {
    if (!settings.isEmpty()) {
      put("/_cluster/settings", Map.of("transient", settings));
    }
  }

  private JsonNode checked(String method, String path, byte @Nullable [] body) {
    Answer answer = send(method, path, body, "application/json");
    JsonNode json = answer.json();
    if (answer.status() >= 300) {
      throw new Refused(method + " " + path, answer.status(), reason(json));
    }
    return json;
  }

  /** The innermost reason of an error answer. */
  static String reason(JsonNode json) {
    JsonNode error = json.path("error");
    JsonNode cause = error.path("root_cause").path(0);
    String reason = cause.path("reason").asText(error.path("reason").asText(""));
    return reason.isEmpty() ? json.toString() : reason;
  }

  /** The server answered a request with an error. */
  public static final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final int status;

    Refused(String request, int status, String reason) {
      super(request + " answered " + status + ": " + reason);
      this.status = status;
    }

    public int status() {
      return status;
    }
  }

  @Override
  public void close() {
    http.shutdownNow();
    http.close();
  }
}
