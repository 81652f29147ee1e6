package io.millrace.client;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Which cluster a {@link ClusterClient} talks to, as whom, and within which limits.
 *
 * @param urls {@code http://host:port} or {@code https://host:port}, one per node; a {@code
 *     name:password@} is taken out and used
 * @param credentials of every request; {@code null} for none
 * @param tls for {@code https}; {@code null} for the JVM's own trust store
 * @param connectTimeout after this an address counts as one where nobody listens
 * @param requestTimeout of a request that names no time of its own
 * @param maxAnswerBytes a longer answer counts as none: the request fails instead of the heap
 */
public record ClientOptions(
    List<String> urls,
    @Nullable Credentials credentials,
    @Nullable SSLContext tls,
    Duration connectTimeout,
    Duration requestTimeout,
    long maxAnswerBytes) {

  /** What a client waits for a connection unless told otherwise. */
  public static final Duration CONNECT = Duration.ofSeconds(5);

  /** What a client waits for an answer unless told otherwise. */
  public static final Duration REQUEST = Duration.ofSeconds(60);

  /** 100 MiB, the length to which OpenSearch limits a request ({@code http.max_content_length}). */
  public static final long ANSWER_BYTES = 100L << 20;

  public ClientOptions {
    if (urls.isEmpty()) {
      throw new IllegalArgumentException("urls must name at least one node, was []");
    }
    urls = List.copyOf(urls);
  }

  /** The nodes of one cluster, with the limits above and no credentials. */
  public static ClientOptions of(List<String> urls) {
    return new ClientOptions(urls, null, null, CONNECT, REQUEST, ANSWER_BYTES);
  }

  /** One node. */
  public static ClientOptions of(URI node) {
    return of(List.of(node.toString()));
  }

  /** A node of this machine, on the loopback address. */
  public static ClientOptions local(int port) {
    return of(List.of("http://127.0.0.1:" + port));
  }

  public ClientOptions credentials(@Nullable Credentials value) {
    return new ClientOptions(urls, value, tls, connectTimeout, requestTimeout, maxAnswerBytes);
  }

  public ClientOptions tls(SSLContext value) {
    return new ClientOptions(
        urls, credentials, value, connectTimeout, requestTimeout, maxAnswerBytes);
  }

  public ClientOptions timeouts(Duration connect, Duration request) {
    return new ClientOptions(urls, credentials, tls, connect, request, maxAnswerBytes);
  }

  public ClientOptions maxAnswerBytes(long value) {
    return new ClientOptions(urls, credentials, tls, connectTimeout, requestTimeout, value);
  }
}
