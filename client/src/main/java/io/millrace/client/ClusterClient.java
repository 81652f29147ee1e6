package io.millrace.client;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.client.Endpoints.Endpoint;
import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * HTTP to one cluster: kept-alive HTTP/1.1 connections to its nodes, round robin over the addresses
 * that work ({@link Endpoints}). Every request has a time limit, every answer a length limit.
 *
 * <p>Three ways to ask: {@link #send} asks one address and leaves every outcome to the caller;
 * {@link #call} tries each address once and fails in words for a user; {@link #check} and {@link
 * #sniff} find out whom we talk to. A status is an {@link Answer}, never an exception.
 *
 * <p>Safe for several threads once {@link #check} and {@link #sniff} have returned.
 */
public final class ClusterClient implements AutoCloseable {
  /** The JDK's own limit comes first where no head of an answer came. */
  private static final Duration GRACE = Duration.ofMillis(100);

  private final ClientOptions options;
  private final HttpClient http;
  private final Endpoints endpoints = new Endpoints();
  private final String given;
  private @Nullable Credentials credentials;
  private @Nullable ClusterIdentity identity;
  private @Nullable String asked;

  /**
   * @throws ExpectedFailure with {@link ExitCode#USAGE} when a URL is none
   */
  public ClusterClient(ClientOptions options) {
    this.options = options;
    this.credentials = options.credentials();
    List<String> bases = new ArrayList<>();
    for (String url : options.urls()) {
      NodeUrl node = NodeUrl.parse(url.strip());
      endpoints.add(node.base(), true);
      bases.add(node.base());
      credentials = node.credentials() == null ? credentials : node.credentials();
    }
    given = String.join(", ", bases);
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(options.connectTimeout());
    if (options.tls() != null) {
      builder.sslContext(options.tls());
    }
    http = builder.build();
  }

  /** The addresses as they were given, for messages. */
  public String given() {
    return given;
  }

  /** The first address, for commands to paste. */
  public String first() {
    return endpoints.bases().getFirst();
  }

  /** How many addresses take turns. */
  public int size() {
    return endpoints.size();
  }

  /**
   * Sends one request to one address.
   *
   * @throws NoAnswerException when no whole answer came within the request's limits
   */
  public Answer send(Request request) throws NoAnswerException, InterruptedException {
    Endpoint endpoint = endpoints.pick();
    prove(endpoint);
    try {
      HttpResponse<byte[]> response = whole(onWire(endpoint.base(), request));
      endpoint.answered();
      String server = response.headers().firstValue("Server").orElse("");
      Map<String, String> headers = new HashMap<>();
      response
          .headers()
          .map()
          .forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), values.getFirst()));
      return new Answer(response.statusCode(), response.body(), server, headers);
    } catch (IOException e) {
      endpoint.failed();
      String what = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
      throw new NoAnswerException(NoAnswerException.connected(e), endpoint.base() + ": " + what, e);
    }
  }

  /**
   * The limit of a {@link HttpRequest} ends with the answer's head; ours is that of its last byte.
   */
  private HttpResponse<byte[]> whole(HttpRequest wire) throws IOException, InterruptedException {
    Duration limit = wire.timeout().orElse(options.requestTimeout());
    CompletableFuture<HttpResponse<byte[]>> exchange =
        http.sendAsync(wire, BoundedBody.upTo(options.maxAnswerBytes()));
    try {
      return exchange.get(limit.plus(GRACE).toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      exchange.cancel(true);
      throw new HttpTimeoutException("the answer did not end within " + limit.toMillis() + " ms");
    } catch (InterruptedException e) {
      exchange.cancel(true);
      throw e;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException io) {
        throw io;
      }
      throw new IOException(e.getCause());
    }
  }

  private HttpRequest onWire(String base, Request request) {
    Duration timeout = request.timeout() == null ? options.requestTimeout() : request.timeout();
    HttpRequest.Builder wire =
        HttpRequest.newBuilder(URI.create(base + request.path()))
            .timeout(timeout)
            .method(
                request.method(),
                request.length() == 0
                    ? BodyPublishers.noBody()
                    : BodyPublishers.ofByteArray(request.body(), 0, request.length()));
    if (request.length() > 0) {
      wire.header("Content-Type", request.contentType());
    }
    if (credentials != null) {
      wire.header("Authorization", credentials.header());
    }
    return wire.build();
  }

  /** Lets an address that nobody named prove anew that it is of this cluster, if it is time. */
  private void prove(Endpoint endpoint) throws NoAnswerException, InterruptedException {
    ClusterIdentity cluster = identity;
    if (endpoint.trusted() || cluster == null) {
      return;
    }
    ClusterIdentity.Finding finding;
    try {
      finding = cluster.ask(endpoint.base()).get();
    } catch (ExecutionException e) {
      finding = ClusterIdentity.Finding.SILENT;
    }
    switch (finding) {
      case SAME -> endpoint.trust();
      case OTHER, LOCKED -> endpoints.remove(endpoint);
      default -> endpoint.failed();
    }
    if (finding != ClusterIdentity.Finding.SAME) {
      String what = endpoint.base() + ": " + finding.text;
      throw new NoAnswerException(false, what, new IOException(what));
    }
  }

  /**
   * A small JSON request: tried once at every address.
   *
   * @throws ExpectedFailure when no address answers
   */
  public Answer call(String method, String path, @Nullable String body) {
    Request request = Request.json(method, path, body);
    NoAnswerException last = null;
    for (int i = 0; i < endpoints.size(); i++) {
      try {
        return send(request);
      } catch (NoAnswerException e) {
        last = e;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new ExpectedFailure(ExitCode.INTERRUPTED, "interrupted", null);
      }
    }
    if (last == null) {
      String what = given + ": no address is left";
      last = new NoAnswerException(false, what, new IOException(what));
    }
    throw last.asFailure(given);
  }

  /**
   * {@code GET path} of one address for who needs to know only what is there.
   *
   * @return empty when there is no answer of status 200 in JSON
   */
  public Optional<JsonNode> find(String path) throws InterruptedException {
    try {
      Answer answer = send(Request.of("GET", path));
      return answer.status() == 200 ? Optional.ofNullable(answer.json()) : Optional.empty();
    } catch (NoAnswerException e) {
      return Optional.empty();
    }
  }

  /**
   * Makes sure that an OpenSearch node answers and lets us in.
   *
   * @throws ExpectedFailure saying what was found instead
   */
  public void check() {
    Answer answer = call("GET", "/", null);
    if (answer.status() == 401 || answer.status() == 403) {
      throw new ExpectedFailure(
          ExitCode.CLUSTER,
          given + " refuses us: HTTP " + answer.status() + " " + answer.reason(),
          "Give --user NAME:PASSWORD, or set MILLRACE_USER to that.");
    }
    JsonNode json = answer.json();
    String uuid = ClusterIdentity.uuid(json);
    if (json != null && uuid != null) {
      identity = new ClusterIdentity(http, credentials, uuid);
      asked = json.path("name").asText(null);
    }
    if (answer.status() == 503 && json != null && json.has("version")) {
      return; // no cluster manager yet: the bulks will wait for it
    }
    String elsewhere = answer.header("Location");
    if (answer.status() / 100 == 3 && elsewhere != null) {
      throw new ExpectedFailure(
          ExitCode.CLUSTER,
          given + " sends us elsewhere: HTTP " + answer.status() + " to " + elsewhere,
          "Give the address that it names, if that is the cluster's.");
    }
    if (json == null || answer.status() != 200 || !json.path("version").has("number")) {
      throw new ExpectedFailure(
          ExitCode.CLUSTER,
          "at "
              + given
              + " is another service, not OpenSearch: HTTP "
              + answer.status()
              + (answer.server().isEmpty() ? "" : ", Server: " + answer.server())
              + ", it says \""
              + answer.excerpt()
              + "\"",
          "Check host, port and path of its URL.");
    }
  }

  /**
   * Asks the cluster for its other nodes' addresses and adds those that prove to be of this
   * cluster, best effort; {@link #check} comes first. Without a cluster UUID nothing is added.
   *
   * @param note is told which addresses are left out, and why
   */
  public void sniff(Consumer<String> note) {
    ClusterIdentity cluster = identity;
    if (cluster == null) {
      return;
    }
    JsonNode json;
    try {
      Answer answer = call("GET", PublishedAddresses.REQUEST, null);
      json = answer.status() == 200 ? answer.json() : null;
    } catch (ExpectedFailure e) {
      return; // the given addresses stand; the load will tell when they fail
    }
    if (json == null) {
      return;
    }
    Map<String, CompletableFuture<ClusterIdentity.Finding>> asking = new LinkedHashMap<>();
    for (String base : PublishedAddresses.beyond(json, asked, endpoints.bases())) {
      asking.put(base, cluster.ask(base));
    }
    List<String> left = new ArrayList<>();
    asking.forEach((base, answer) -> {
      ClusterIdentity.Finding finding = answer.join();
      if (finding == ClusterIdentity.Finding.SAME) {
        endpoints.add(base, false);
      } else {
        left.add(base + " (" + finding.text + ")");
      }
    });
    if (!left.isEmpty()) {
      note.accept(
          "nodes of the cluster publish addresses that are not used: "
              + String.join(", ", left)
              + "; --url names the addresses to use");
    }
  }

  @Override
  public void close() {
    http.shutdownNow();
    http.close();
  }
}
