package io.millrace.testkit.http;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Speaks JSON with one node.
 *
 * <p>Paths are given as they go over the wire, query string included. A request never throws for a
 * status code: {@link JsonAnswer#ok()} does, with the request and the body, so that a failed test
 * shows what the node said. Every request has a limit, two minutes unless told.
 */
public final class JsonHttp implements AutoCloseable {
  /** The mapper that reads every answer. */
  public static final ObjectMapper MAPPER = new ObjectMapper();

  private static final Duration LIMIT = Duration.ofMinutes(2);

  private final URI base;
  private final Duration limit;
  private final HttpClient client;

  /**
   * @param base scheme, host and port of the node, for example {@code http://127.0.0.1:9200}
   */
  public JsonHttp(URI base) {
    this(base, LIMIT);
  }

  /**
   * @param limit how long a request may take until its answer is there
   */
  public JsonHttp(URI base, Duration limit) {
    this.base = base;
    this.limit = limit;
    this.client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofMinutes(1))
            .build();
  }

  /** Scheme, host and port that every path is appended to. */
  public URI base() {
    return base;
  }

  /** {@code GET path}. */
  public JsonAnswer get(String path) {
    return send("GET", path, null);
  }

  /** {@code GET path} with a JSON body, as searches take one. */
  public JsonAnswer get(String path, String body) {
    return send("GET", path, body);
  }

  /** {@code HEAD path}; the answer has no body. */
  public JsonAnswer head(String path) {
    return send("HEAD", path, null);
  }

  /** {@code PUT path} with a JSON body. */
  public JsonAnswer put(String path, String body) {
    return send("PUT", path, body);
  }

  /** {@code POST path} without a body. */
  public JsonAnswer post(String path) {
    return send("POST", path, null);
  }

  /** {@code POST path} with a JSON or NDJSON body. */
  public JsonAnswer post(String path, String body) {
    return send("POST", path, body);
  }

  /** {@code DELETE path}. */
  public JsonAnswer delete(String path) {
    return send("DELETE", path, null);
  }

  /**
   * Sends one request.
   *
   * @param body JSON; a body that ends with a newline goes out as NDJSON
   * @throws UncheckedIOException when no answer came: refused, cut or later than the limit
   */
  public JsonAnswer send(String method, String path, @Nullable String body) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(base + (path.startsWith("/") ? path : "/" + path)))
            .timeout(limit);
    if (body == null) {
      request.method(method, BodyPublishers.noBody());
    } else {
      request.method(method, BodyPublishers.ofString(body, StandardCharsets.UTF_8));
      request.header(
          "Content-Type", body.endsWith("\n") ? "application/x-ndjson" : "application/json");
    }
    try {
      var response = client.send(request.build(), BodyHandlers.ofString(StandardCharsets.UTF_8));
      return new JsonAnswer(method + " " + path, response.statusCode(), response.body());
    } catch (IOException e) {
      throw new UncheckedIOException(method + " " + base + path + ": " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UncheckedIOException(new IOException("interrupted: " + method + " " + path, e));
    }
  }

  @Override
  public void close() {
    client.shutdownNow();
  }
}
