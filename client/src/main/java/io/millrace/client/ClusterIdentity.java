package io.millrace.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Finds out whether an address that nobody named belongs to the cluster we talk to.
 *
 * <p>Why: a node publishes an address of its own network. From here the same address may lead to
 * another cluster: a node bound to loopback publishes {@code 127.0.0.1:9200}, and behind a tunnel
 * that is a node of this machine; container and pod addresses collide in the same way. Documents
 * and the password of one cluster must not reach another one, so an address first has to name this
 * cluster's UUID in its answer to {@code GET /} (OpenSearch 3.8.0, {@code
 * MainResponse#toXContent}).
 *
 * <p>It is asked without the password. One that wants the password before it answers gets it over
 * TLS only, where its certificate has been verified; over plain HTTP it stays unknown.
 */
final class ClusterIdentity {
  private static final Duration PATIENCE = Duration.ofSeconds(3);

  /** {@code GET /} answers a few hundred bytes. */
  private static final long LONGEST = 1 << 16;

  /** What an address turned out to be. */
  enum Finding {
    SAME("this cluster"),
    OTHER("another cluster or service answers there"),
    LOCKED("it wants a password before it says which cluster it is"),
    /** No answer, or that of a node which has not found its cluster yet: it may come later. */
    SILENT("no answer"),
    UNVERIFIED("no TLS connection with a trusted certificate for this name");

    final String text;

    Finding(String text) {
      this.text = text;
    }
  }

  private final HttpClient client;
  private final @Nullable Credentials credentials;
  private final String uuid;

  /**
   * @param credentials ours, or null
   * @param uuid the cluster's, see {@link #uuid(JsonNode)}
   */
  ClusterIdentity(HttpClient client, @Nullable Credentials credentials, String uuid) {
    this.client = client;
    this.credentials = credentials;
    this.uuid = uuid;
  }

  /** The UUID in the answer to {@code GET /}, or null: a node without a cluster says "_na_". */
  static @Nullable String uuid(@Nullable JsonNode answer) {
    String uuid = answer == null ? "" : answer.path("cluster_uuid").asText("");
    return uuid.isEmpty() || uuid.equals("_na_") ? null : uuid;
  }

  /**
   * Asks an address, in at most 3 seconds per request.
   *
   * @param base {@code http://host:port}
   */
  CompletableFuture<Finding> ask(String base) {
    URI root;
    try {
      root = URI.create(base + "/");
    } catch (IllegalArgumentException e) {
      return CompletableFuture.completedFuture(Finding.SILENT);
    }
    return get(root, null)
        .thenCompose(open ->
            open == Finding.LOCKED && "https".equals(root.getScheme()) && credentials != null
                ? get(root, credentials)
                : CompletableFuture.completedFuture(open))
        .exceptionally(e ->
            e instanceof SSLException || e.getCause() instanceof SSLException
                ? Finding.UNVERIFIED
                : Finding.SILENT);
  }

  private CompletableFuture<Finding> get(URI root, @Nullable Credentials password) {
    HttpRequest.Builder request = HttpRequest.newBuilder(root).timeout(PATIENCE).GET();
    if (password != null) {
      request.header("Authorization", password.header());
    }
    return client.sendAsync(request.build(), BoundedBody.upTo(LONGEST)).thenApply(this::judge);
  }

  private Finding judge(HttpResponse<byte[]> response) {
    int status = response.statusCode();
    JsonNode json = new Answer(status, response.body(), "").json();
    String found = uuid(json);
    if (found != null) {
      return found.equals(uuid) ? Finding.SAME : Finding.OTHER;
    }
    if (status == 401 || status == 403) {
      return Finding.LOCKED;
    }
    boolean starting = json != null && json.has("cluster_uuid");
    return starting || status == 429 || status >= 500 ? Finding.SILENT : Finding.OTHER;
  }
}
