package io.millrace.it.otlp;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;

/**
 * Sends batches as the protocol tells exporters to: what was answered by 429, 502, 503 or 504, or
 * not at all, is sent again with the same bytes, after the time that the node asks for. Everything
 * else that is no success is given up.
 */
final class Exporters implements AutoCloseable {
  private static final Set<Integer> AGAIN = Set.of(429, 502, 503, 504);

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final URI uri;

  /** Answers by status; 0 for none. */
  final Map<Integer, LongAdder> answers = new ConcurrentSkipListMap<>();

  final LongAdder acknowledged = new LongAdder();
  final LongAdder partial = new LongAdder();
  final LongAdder givenUp = new LongAdder();
  final LongAdder withoutPause = new LongAdder();

  /** What the first answer without a pause said; null as long as there is none. */
  final AtomicReference<String> firstWithoutPause = new AtomicReference<>();

  Exporters(int port) {
    uri = URI.create("http://127.0.0.1:" + port + "/v1/logs");
  }

  /** Sends a batch until it is acknowledged or given up. */
  void export(LogBatch batch) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(uri)
            .timeout(Duration.ofSeconds(60))
            .header("Content-Type", "application/x-protobuf")
            .POST(BodyPublishers.ofByteArray(batch.otlp()))
            .build();
    long pause = 1_000;
    while (true) {
      Optional<HttpResponse<byte[]>> answer = send(request);
      int status = answer.map(HttpResponse::statusCode).orElse(0);
      answers.computeIfAbsent(status, ignored -> new LongAdder()).increment();
      if (status == 200) {
        acknowledged.add(batch.size());
        partial.add(answer.get().body().length == 0 ? 0 : 1);
        return;
      }
      if (status != 0 && !AGAIN.contains(status)) {
        givenUp.add(batch.size());
        return;
      }
      Optional<String> told = answer.flatMap(each -> each.headers().firstValue("Retry-After"));
      if (status == 429 || status == 503) {
        if (told.isEmpty()) {
          withoutPause.increment();
          firstWithoutPause.compareAndSet(
              null, status + " " + new String(answer.get().body(), StandardCharsets.UTF_8));
        }
      }
      Thread.sleep(told.map(seconds -> Long.parseLong(seconds) * 1_000).orElse(pause));
      pause = Math.min(2 * pause, 30_000);
    }
  }

  private Optional<HttpResponse<byte[]>> send(HttpRequest request) throws InterruptedException {
    try {
      return Optional.of(http.send(request, BodyHandlers.ofByteArray()));
    } catch (java.io.IOException e) {
      return Optional.empty();
    }
  }

  @Override
  public void close() {
    http.close();
  }
}
