package io.millrace.cli.ingest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.cli.term.CommandFailure;
import io.millrace.cli.term.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP addresses of one cluster. Requests go round the addresses that work; one that refuses a
 * connection is left alone for a while, so that a load goes on when the node it talked to dies.
 *
 * <p>An address that the user named is taken at his word. One that the cluster told us ({@link
 * #sniff}) has to prove that it is of the same cluster, and again after a failure or {@value
 * #TRUST_SECONDS} seconds without an answer: by then another node may have the address.
 */
public final class Cluster {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Pattern USER_INFO = Pattern.compile("^(https?://)([^/@]+)@(.*)$");
  private static final long MAX_REST_NANOS = Duration.ofSeconds(10).toNanos();
  private static final int TRUST_SECONDS = 10;

  private static final class Endpoint {
    final String base;
    final boolean named;
    volatile int failures;
    volatile long restUntil;
    volatile long trustUntil;

    Endpoint(String base, boolean named) {
      this.base = base;
      this.named = named;
      this.restUntil = System.nanoTime();
      trust();
    }

    void trust() {
      trustUntil = System.nanoTime() + Duration.ofSeconds(TRUST_SECONDS).toNanos();
    }

    boolean trusted() {
      return named || trustUntil - System.nanoTime() > 0;
    }

    void failed() {
      trustUntil = System.nanoTime();
      failures = Math.min(16, failures + 1);
      restUntil =
          System.nanoTime()
              + Math.min(MAX_REST_NANOS, Duration.ofMillis(100).toNanos() << failures);
    }
  }

  /**
   * An answer.
   *
   * @param status HTTP status
   * @param body whole body
   * @param server the {@code Server} header, or an empty string
   */
  public record Answer(int status, byte[] body, String server) {
    /** The body as JSON, or null when it is none. */
    public @Nullable JsonNode json() {
      try {
        JsonNode node = JSON.readTree(body);
        return node != null && node.isContainerNode() ? node : null;
      } catch (IOException e) {
        return null;
      }
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

  /** No answer came. */
  static final class NoAnswer extends Exception {
    private static final long serialVersionUID = 1L;

    /** Whether the request may have been carried out all the same. */
    final boolean ambiguous;

    NoAnswer(boolean ambiguous, String message, Throwable cause) {
      super(message, cause);
      this.ambiguous = ambiguous;
    }
  }

  private final HttpClient client;
  private final List<Endpoint> endpoints = new CopyOnWriteArrayList<>();
  private final AtomicInteger turn = new AtomicInteger();
  private final String given;
  private @Nullable String authorization;
  private @Nullable ClusterIdentity identity;
  private @Nullable String asked;

  /**
   * @param urls {@code http://host:port}, one per node; {@code user:password@} is taken out
   * @param user {@code name:password}, or null
   * @throws CommandFailure with {@link ExitCode#USAGE} when a URL is none
   */
  public Cluster(List<String> urls, @Nullable String user) {
    client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5))
            .build();
    authorization = user == null ? null : basic(user);
    List<String> bases = new ArrayList<>();
    for (String url : urls) {
      bases.add(add(url.strip()));
    }
    given = String.join(", ", bases);
  }

  private static String basic(String user) {
    return "Basic " + Base64.getEncoder().encodeToString(user.getBytes(StandardCharsets.UTF_8));
  }

  private String add(String url) {
    String base = url.contains("://") ? url : "http://" + url;
    Matcher withUser = USER_INFO.matcher(base);
    if (withUser.matches()) {
      authorization = basic(withUser.group(2));
      base = withUser.group(1) + withUser.group(3);
    }
    while (base.endsWith("/")) {
      base = base.substring(0, base.length() - 1);
    }
    URI uri;
    try {
      uri = URI.create(base);
    } catch (IllegalArgumentException e) {
      throw badUrl(url);
    }
    if (uri.getHost() == null
        || !("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))) {
      throw badUrl(url);
    }
    String known = base;
    if (endpoints.stream().noneMatch(e -> e.base.equals(known))) {
      endpoints.add(new Endpoint(base, true));
    }
    return base;
  }

  private static CommandFailure badUrl(String url) {
    return new CommandFailure(
        ExitCode.USAGE, "--url " + url + " is no URL", "Give it as http://HOST:PORT.");
  }

  /** The addresses as they were given, for messages. */
  public String given() {
    return given;
  }

  /** The first address, for commands to paste. */
  public String first() {
    return endpoints.get(0).base;
  }

  /** The address in turn that is not resting; when all rest, the one that wakes first. */
  private Endpoint pick() {
    List<Endpoint> all = List.copyOf(endpoints);
    int count = all.size();
    long now = System.nanoTime();
    int from = turn.getAndIncrement();
    Endpoint best = all.get(Math.floorMod(from, count));
    for (int i = 0; i < count; i++) {
      Endpoint candidate = all.get(Math.floorMod(from + i, count));
      if (candidate.restUntil - now <= 0) {
        return candidate;
      }
      if (candidate.restUntil - best.restUntil < 0) {
        best = candidate;
      }
    }
    return best;
  }

  int size() {
    return endpoints.size();
  }

  /** Sends one request to one address. */
  Answer send(
      String method, String path, byte[] body, int length, String contentType, Duration timeout)
      throws NoAnswer, InterruptedException {
    Endpoint endpoint = pick();
    prove(endpoint);
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(endpoint.base + path))
            .timeout(timeout)
            .header("Content-Type", contentType)
            .method(
                method,
                length == 0
                    ? BodyPublishers.noBody()
                    : BodyPublishers.ofByteArray(body, 0, length));
    if (authorization != null) {
      request.header("Authorization", authorization);
    }
    try {
      HttpResponse<byte[]> response = client.send(request.build(), BodyHandlers.ofByteArray());
      endpoint.failures = 0;
      endpoint.trust();
      String server = response.headers().firstValue("Server").orElse("");
      return new Answer(response.statusCode(), response.body(), server);
    } catch (IOException e) {
      boolean ambiguous =
          !(e instanceof ConnectException || e instanceof HttpConnectTimeoutException);
      endpoint.failed();
      String what = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
      throw new NoAnswer(ambiguous, endpoint.base + ": " + what, e);
    }
  }

  /** Lets an address that nobody named prove anew that it is of this cluster, if it is time. */
  private void prove(Endpoint endpoint) throws NoAnswer, InterruptedException {
    ClusterIdentity cluster = identity;
    if (endpoint.trusted() || cluster == null) {
      return;
    }
    ClusterIdentity.Finding finding;
    try {
      finding = cluster.ask(endpoint.base).get();
    } catch (ExecutionException e) {
      finding = ClusterIdentity.Finding.SILENT;
    }
    switch (finding) {
      case SAME -> endpoint.trust();
      case OTHER, LOCKED -> endpoints.remove(endpoint);
      default -> endpoint.failed();
    }
    if (finding != ClusterIdentity.Finding.SAME) {
      String what = endpoint.base + ": " + finding.text;
      throw new NoAnswer(false, what, new IOException(what));
    }
  }

  /**
   * A small JSON request: tried once at every address.
   *
   * @throws CommandFailure when no address answers
   */
  public Answer call(String method, String path, @Nullable String body) {
    byte[] bytes = body == null ? new byte[0] : body.getBytes(StandardCharsets.UTF_8);
    NoAnswer last = null;
    for (int i = 0; i < endpoints.size(); i++) {
      try {
        return send(method, path, bytes, bytes.length, "application/json", Duration.ofSeconds(60));
      } catch (NoAnswer e) {
        last = e;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new CommandFailure(ExitCode.INTERRUPTED, "interrupted", null);
      }
    }
    throw unreachable(last);
  }

  private CommandFailure unreachable(@Nullable NoAnswer last) {
    Throwable cause = last == null ? null : last.getCause();
    String detail = last == null ? given : String.valueOf(last.getMessage());
    if (cause instanceof ConnectException || cause instanceof HttpConnectTimeoutException) {
      return new CommandFailure(
          ExitCode.NOT_RUNNING,
          "nothing listens at " + given,
          "Start a node with './millrace up', or name a running one with --url.",
          cause);
    }
    if (cause instanceof SSLException) {
      return new CommandFailure(
          IngestExit.CLUSTER,
          "no TLS connection: " + detail,
          "A certificate of your own: -Djavax.net.ssl.trustStore=FILE in JAVA_TOOL_OPTIONS; a node"
              + " without TLS: http:// in --url.",
          cause);
    }
    return new CommandFailure(
        IngestExit.CLUSTER,
        "what listens there does not answer as OpenSearch does: " + detail,
        "Check host and port; a node with TLS needs https:// in --url.",
        cause);
  }

  /**
   * Makes sure that an OpenSearch node answers and lets us in.
   *
   * @throws CommandFailure saying what was found instead
   */
  public void check() {
    Answer answer = call("GET", "/", null);
    if (answer.status() == 401 || answer.status() == 403) {
      throw new CommandFailure(
          IngestExit.CLUSTER,
          given + " refuses us: HTTP " + answer.status() + " " + answer.reason(),
          "Give --user NAME:PASSWORD, or set MILLRACE_USER to that.");
    }
    JsonNode json = answer.json();
    String uuid = ClusterIdentity.uuid(json);
    if (json != null && uuid != null) {
      identity = new ClusterIdentity(client, authorization, uuid);
      asked = json.path("name").asText(null);
    }
    if (answer.status() == 503 && json != null && json.has("version")) {
      return; // no cluster manager yet: the bulks will wait for it
    }
    if (json == null || answer.status() != 200 || !json.path("version").has("number")) {
      throw new CommandFailure(
          IngestExit.CLUSTER,
          "at "
              + given
              + " is another service, not OpenSearch: HTTP "
              + answer.status()
              + (answer.server().isEmpty() ? "" : ", Server: " + answer.server())
              + ", it says \""
              + answer.excerpt()
              + "\"",
          "Check host and port of --url.");
    }
  }

  /**
   * Asks the cluster for its other nodes' addresses and adds those that prove to be of this
   * cluster, best effort; {@link #check} comes first. Without a cluster UUID nothing is added.
   *
   * @param err is told which addresses are left out, and why
   */
  public void sniff(PrintWriter err) {
    ClusterIdentity cluster = identity;
    if (cluster == null) {
      return;
    }
    JsonNode json;
    try {
      Answer answer = call("GET", PublishedAddresses.REQUEST, null);
      json = answer.status() == 200 ? answer.json() : null;
    } catch (CommandFailure e) {
      return; // the given addresses stand; the load will tell when they fail
    }
    if (json == null) {
      return;
    }
    List<String> bases = endpoints.stream().map(endpoint -> endpoint.base).toList();
    Map<String, CompletableFuture<ClusterIdentity.Finding>> asking = new LinkedHashMap<>();
    for (String base : PublishedAddresses.beyond(json, asked, bases)) {
      asking.put(base, cluster.ask(base));
    }
    List<String> left = new ArrayList<>();
    asking.forEach((base, answer) -> {
      ClusterIdentity.Finding finding = answer.join();
      if (finding == ClusterIdentity.Finding.SAME) {
        endpoints.add(new Endpoint(base, false));
      } else {
        left.add(base + " (" + finding.text + ")");
      }
    });
    if (!left.isEmpty()) {
      err.println(
          "note: nodes of the cluster publish addresses that are not used: "
              + String.join(", ", left)
              + "; --url names the addresses to use");
      err.flush();
    }
  }

  /** Parses JSON that the cluster sent. */
  static JsonNode parse(byte[] body) throws JsonProcessingException, IOException {
    return JSON.readTree(body);
  }
}
