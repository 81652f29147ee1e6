package io.millrace.bench.load;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.bench.json.BenchJson;
import io.millrace.bench.term.BenchFailure;
import io.millrace.client.ClientOptions;
import io.millrace.client.ClusterClient;
import io.millrace.client.NoAnswerException;
import io.millrace.client.Request;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * HTTP to one node, for measuring: {@link ClusterClient} with a long time limit and an error that
 * names the request and the server's reason.
 */
public final class NodeClient implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofMinutes(10);

  private final ClusterClient client;

  public NodeClient(URI base) {
    client = new ClusterClient(ClientOptions.of(base).timeouts(Duration.ofSeconds(10), LIMIT));
  }

  /** An answer as it came. */
  public record Answer(int status, byte[] body) {
    public JsonNode json() {
      return BenchJson.parse(body);
    }
  }

  /** Sends a request and returns whatever came back. */
  public Answer send(String method, String path, byte @Nullable [] body, String contentType) {
    Request request =
        body == null ? Request.of(method, path) : Request.of(method, path, body, contentType);
    try {
      io.millrace.client.Answer answer = client.send(request);
      return new Answer(answer.status(), answer.body());
    } catch (NoAnswerException e) {
      throw new BenchFailure(method + " " + path + " got no answer: " + e.getMessage(), e);
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
    return checked("POST", path, BenchJson.bytes(body));
  }

  public JsonNode put(String path, Object body) {
    return checked("PUT", path, BenchJson.bytes(body));
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
    client.close();
  }
}
