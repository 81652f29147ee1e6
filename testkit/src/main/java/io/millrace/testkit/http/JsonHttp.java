package io.millrace.testkit.http;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.client.Answer;
import io.millrace.client.ClientOptions;
import io.millrace.client.ClusterClient;
import io.millrace.client.NoAnswerException;
import io.millrace.client.Request;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Speaks JSON with one node, for tests: {@link ClusterClient} with the failures a test shows.
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
  private final ClusterClient client;

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
    this.client = new ClusterClient(ClientOptions.of(base).timeouts(Duration.ofMinutes(1), limit));
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

  /** {@code POST path} with NDJSON of any bytes, also such as are no UTF-8. */
  public JsonAnswer post(String path, byte[] ndjson) {
    return send(path, Request.of("POST", path, ndjson, Request.NDJSON));
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
    String whole = path.startsWith("/") ? path : "/" + path;
    return send(path, request(method, whole, body));
  }

  private JsonAnswer send(String path, Request request) {
    String named = request.method() + " " + path;
    try {
      Answer answer = client.send(request);
      return new JsonAnswer(named, answer.status(), answer.text());
    } catch (NoAnswerException e) {
      throw new UncheckedIOException(new IOException(named + ": " + e.getMessage(), e.getCause()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UncheckedIOException(new IOException("interrupted: " + named, e));
    }
  }

  private static Request request(String method, String path, @Nullable String body) {
    return body != null && body.endsWith("\n")
        ? Request.of(method, path, body.getBytes(StandardCharsets.UTF_8), Request.NDJSON)
        : Request.json(method, path, body);
  }

  @Override
  public void close() {
    client.close();
  }
}
