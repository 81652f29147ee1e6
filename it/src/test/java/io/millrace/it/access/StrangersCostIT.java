package io.millrace.it.access;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.client.ClusterClient;
import io.millrace.client.Credentials;
import io.millrace.client.Request;
import io.millrace.client.TrustedCertificates;
import io.millrace.it.support.Turns;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * What strangers cost a node of {@code up --secure}: long uploads without credentials, and wrong
 * passwords beside a client that the node knows. It asserts no figure and prints them.
 *
 * <p>Run with {@code -Dmillrace.access.strangers=SECONDS}, the length of a part with wrong
 * passwords. The machine must be at rest.
 */
@EnabledIfSystemProperty(named = "millrace.access.strangers", matches = "\\d+")
class StrangersCostIT {
  private static final int SECONDS = Integer.getInteger("millrace.access.strangers", 60);
  private static final int UPLOADS = 200;
  private static final int IN_TURN = 20;
  private static final int BYTES = 100_000_000;
  private static final int REFUSED_PER_SECOND = 1_000;
  private static final int STRANGERS = 32;

  private final LaunchedNode node;

  StrangersCostIT() throws IOException {
    node = LaunchedNode.measured();
  }

  @AfterEach
  void stopAndRemove() throws IOException {
    node.close();
  }

  @Test
  void uploadsAndGuesses() throws Exception {
    var up = node.up("--secure", "--heap", "1g", "--supervise", "0");
    String user = LaunchedNode.told("user", up) + ":" + LaunchedNode.told("password", up);
    try (ClusterClient known = node.secured(0, Credentials.basic(user))) {
      uploads(known);
      guesses(known);
    }
  }

  private void uploads(ClusterClient known) throws Exception {
    for (int i = 0; i < 3; i++) {
      upload(); // loads what the first one needs
    }
    long before = heap(known);
    long peak = before;
    double most = 0;
    List<Double> millis = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(UPLOADS)) {
      List<Future<double[]>> all = new ArrayList<>();
      for (int i = 0; i < UPLOADS; i++) {
        all.add(threads.submit(this::upload));
      }
      for (Future<double[]> each : all) {
        double[] figures = each.get();
        millis.add(figures[0]);
        most = Math.max(most, figures[1]);
        peak = Math.max(peak, heap(known));
      }
    }
    millis.sort(null);
    Turns.print(
        "%d uploads of %d bytes at once: 401 after %.1f ms in the median, %.1f ms at most; at most"
            + " %.0f bytes left a client, the buffers of both kernels among them",
        UPLOADS, BYTES, millis.get(UPLOADS / 2), millis.getLast(), most);
    Turns.print("heap: %d KB before, %d KB at most after", before >> 10, peak >> 10);
    millis.clear();
    // each is over when the node closes its connection, 2 s after the answer
    for (int i = 0; i < IN_TURN; i++) {
      millis.add(upload()[0]);
    }
    millis.sort(null);
    Turns.print(
        "%d uploads one after the other: 401 after %.1f ms in the median, %.1f ms at most",
        IN_TURN, millis.get(IN_TURN / 2), millis.getLast());
  }

  private static long heap(ClusterClient known) throws Exception {
    JsonNode node = NodeCost.json(known, "/_nodes/stats/jvm").path("nodes").elements().next();
    return node.at("/jvm/mem/heap_used_in_bytes").asLong();
  }

  /** Milliseconds from the head of a request to the answer, and bytes that could be sent. */
  private double[] upload() throws Exception {
    SSLSocketFactory tls = TrustedCertificates.of(node.authority()).getSocketFactory();
    try (SSLSocket socket = (SSLSocket) tls.createSocket("127.0.0.1", node.port())) {
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setApplicationProtocols(new String[] {"http/1.1"});
      socket.setSSLParameters(parameters);
      socket.setSoTimeout(60_000);
      socket.startHandshake();
      OutputStream out = socket.getOutputStream();
      InputStream in = new BufferedInputStream(socket.getInputStream());
      long began = System.nanoTime();
      out.write(
          ("POST /logs-x/_bulk HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                  + "Content-Length: "
                  + BYTES
                  + "\r\n\r\n")
              .getBytes(StandardCharsets.US_ASCII));
      AtomicInteger sent = new AtomicInteger();
      Thread sender = Thread.ofVirtual().start(() -> send(out, sent));
      byte[] status = in.readNBytes(12);
      double millis = (System.nanoTime() - began) / 1e6;
      if (!new String(status, StandardCharsets.US_ASCII).endsWith("401")) {
        throw new AssertionError(new String(status, StandardCharsets.US_ASCII));
      }
      sender.join(Duration.ofSeconds(5));
      return new double[] {millis, sent.get()};
    }
  }

  private static void send(OutputStream out, AtomicInteger sent) {
    byte[] part = new byte[16 << 10];
    Arrays.fill(part, (byte) ' ');
    try {
      while (sent.get() < BYTES) {
        out.write(part);
        sent.addAndGet(part.length);
      }
    } catch (IOException e) {
      // the node closed, as it said that it would
    }
  }

  private void guesses(ClusterClient known) throws Exception {
    double warm = requestsPerSecond(known);
    double before = requestsPerSecond(known);
    double nobody = beside(known, "requests without a password", (guesser, number) -> null);
    double wrong =
        beside(
            known,
            "wrong passwords",
            (guesser, number) -> "user" + number % 1_000 + ":guess" + guesser + "-" + number);
    double after = requestsPerSecond(known);
    double alone = (before + after) / 2;
    Turns.print(
        "a known client: %.0f requests/s while compilers work, %.0f alone, then %.1f %% of that"
            + " beside requests without a password, %.1f %% beside wrong passwords",
        warm, alone, 100 * nobody / alone, 100 * wrong / alone);
  }

  /** Whom a stranger says that it is, {@code name:password}; null for nobody. */
  private interface Stranger {
    @Nullable String says(int stranger, int number);
  }

  /** Requests a second of the known client beside those of strangers, on connections that stay. */
  private double beside(ClusterClient known, String what, Stranger stranger) throws Exception {
    LongAdder refused = new LongAdder();
    AtomicBoolean goOn = new AtomicBoolean(true);
    try (ExecutorService threads = Executors.newFixedThreadPool(STRANGERS);
        HttpClient http =
            HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .sslContext(TrustedCertificates.of(node.authority()))
                .build()) {
      for (int i = 0; i < STRANGERS; i++) {
        int number = i;
        threads.execute(() -> ask(http, number, stranger, goOn, refused));
      }
      double rate = requestsPerSecond(known);
      goOn.set(false);
      Turns.print(
          "beside %.0f %s/s: %.0f requests/s of a known client",
          refused.sum() / (double) SECONDS, what, rate);
      return rate;
    }
  }

  private void ask(
      HttpClient http, int number, Stranger stranger, AtomicBoolean goOn, LongAdder refused) {
    long began = System.nanoTime();
    for (int i = 1; goOn.get(); i++) {
      HttpRequest.Builder request =
          HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + node.port() + "/"))
              .timeout(Duration.ofMinutes(1));
      String user = stranger.says(number, i);
      if (user != null) {
        request.header(
            "Authorization",
            "Basic " + Base64.getEncoder().encodeToString(user.getBytes(StandardCharsets.UTF_8)));
      }
      try {
        int status =
            http.send(request.build(), HttpResponse.BodyHandlers.discarding()).statusCode();
        if (status == 401 || status == 429) {
          refused.increment();
        }
        long due = began + i * 1_000_000_000L * STRANGERS / REFUSED_PER_SECOND;
        Thread.sleep(Duration.ofNanos(Math.max(0, due - System.nanoTime())));
      } catch (IOException e) {
        // it is the known client that counts
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private static double requestsPerSecond(ClusterClient known) throws Exception {
    int count = 0;
    long end = System.nanoTime() + SECONDS * 1_000_000_000L;
    while (System.nanoTime() < end) {
      NodeCost.must(known, Request.of("GET", "/_millrace/access/whoami"));
      count++;
    }
    return count / (double) SECONDS;
  }
}
