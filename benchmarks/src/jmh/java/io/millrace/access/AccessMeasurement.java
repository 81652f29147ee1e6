package io.millrace.access;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

/**
 * What access control costs a node that runs, and what strangers cost it. It needs the JDK alone:
 * {@code java AccessMeasurement.java COMMAND URL ...}; commands stand on the page control-measured.
 *
 * <p>Environment: {@code MILLRACE_USER} ({@code name:password}), {@code MILLRACE_CA} (a PEM file).
 *
 * <ul>
 *   <li>{@code roles URL INDICES ROLES}: makes so many indices, and a user {@code bench} with so
 *       many roles; prints the environment of that user. With 0 roles the indices alone
 *   <li>{@code bulk URL DOCS ROUNDS}: CPU of the node's process per document, best round
 *   <li>{@code search URL COUNT ROUNDS}: CPU of the node's process per search, and searches a
 *       second, best rounds
 *   <li>{@code uploads URL COUNT BYTES}: uploads without credentials: time until the answer, bytes
 *       that the node took, heap before and after
 *   <li>{@code guesses URL PER_SECOND SECONDS}: wrong passwords beside a known client: its requests
 *       a second without and with them
 * </ul>
 */
final class AccessMeasurement {
  private static final Pattern CPU = Pattern.compile("\"cpu\":\\{[^}]*\"total_in_millis\":(\\d+)");
  private static final Pattern HEAP = Pattern.compile("\"heap_used_in_bytes\":(\\d+)");
  private static final int BULK = 500;

  private final URI node;
  private final String user;
  private final SSLContext tls;
  private final HttpClient http;

  private AccessMeasurement(String url) throws Exception {
    node = URI.create(url);
    user = Objects.requireNonNullElse(System.getenv("MILLRACE_USER"), "");
    tls = tls(Objects.requireNonNullElse(System.getenv("MILLRACE_CA"), ""));
    http =
        HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).sslContext(tls).build();
  }

  public static void main(String[] arguments) throws Exception {
    AccessMeasurement run = new AccessMeasurement(arguments[1]);
    int first = Integer.parseInt(arguments[2]);
    int second = Integer.parseInt(arguments[3]);
    switch (arguments[0]) {
      case "roles" -> run.roles(first, second);
      case "bulk" -> run.bulk(first, second);
      case "search" -> run.search(first, second);
      case "uploads" -> run.uploads(first, second);
      case "guesses" -> run.guesses(first, second);
      default -> throw new IllegalArgumentException("no command [" + arguments[0] + "]");
    }
    run.http.shutdownNow();
  }

  private static SSLContext tls(String authority) throws Exception {
    if (authority.isEmpty()) {
      return SSLContext.getDefault();
    }
    KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
    trusted.load(null, null);
    try (InputStream in = Files.newInputStream(Path.of(authority))) {
      trusted.setCertificateEntry(
          "ca", CertificateFactory.getInstance("X.509").generateCertificate(in));
    }
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }

  private static String basic(String text) {
    return "Basic "
        + Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private HttpResponse<String> ask(String who, String method, String path, String body)
      throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(node.resolve(path))
            .timeout(Duration.ofMinutes(2))
            .header("Content-Type", "application/json")
            .method(
                method,
                body.isEmpty()
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofString(body));
    if (!who.isEmpty()) {
      request.header("Authorization", basic(who));
    }
    return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private String must(String method, String path, String body) throws Exception {
    HttpResponse<String> answer = ask(user, method, path, body);
    if (answer.statusCode() / 100 != 2) {
      throw new IllegalStateException(method + " " + path + ": " + answer.statusCode() + answer.body());
    }
    return answer.body();
  }

  private long figure(Pattern pattern, String path) throws Exception {
    Matcher matcher = pattern.matcher(must("GET", path, ""));
    long sum = 0;
    while (matcher.find()) {
      sum += Long.parseLong(matcher.group(1));
    }
    return sum;
  }

  private static void print(String format, Object... values) {
    System.out.printf(Locale.ROOT, format + "%n", values);
  }

  private void roles(int indices, int roles) throws Exception {
    for (int i = 0; i < indices; i++) {
      must(
          "PUT",
          "/bench-" + i,
          "{\"settings\":{\"number_of_shards\":1,\"number_of_replicas\":0}}");
    }
    if (roles == 0) {
      return;
    }
    List<String> names = new ArrayList<>();
    for (int i = 0; i < roles; i++) {
      names.add("\"bench" + i + "\"");
      String pattern = i == roles - 1 ? "bench-*" : "other" + i + "-*";
      must(
          "PUT",
          "/_millrace/access/roles/bench" + i,
          "{\"indices\":[{\"names\":[\"" + pattern + "\"],\"privileges\":[\"read\",\"write\"]}],"
              + "\"cluster\":[\"monitor\"]}");
    }
    must(
        "PUT",
        "/_millrace/access/users/bench",
        "{\"password\":\"only for a bench\",\"roles\":[" + String.join(",", names) + "]}");
    print("export MILLRACE_USER='bench:only for a bench'");
  }

  private void bulk(int docs, int rounds) throws Exception {
    Random random = new Random(7);
    double best = Double.MAX_VALUE;
    for (int round = 0; round <= rounds; round++) {
      long before = figure(CPU, "/_nodes/stats/process");
      for (int sent = 0; sent < docs; sent += BULK) {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < BULK; i++) {
          lines
              .append("{\"index\":{}}\n{\"message\":\"request ")
              .append(random.nextInt(1_000_000))
              .append(" of user ")
              .append(random.nextInt(10_000))
              .append(" took long\",\"took\":")
              .append(random.nextInt(5_000))
              .append("}\n");
        }
        String answer = must("POST", "/bench-" + (sent / BULK % 10) + "/_bulk", lines.toString());
        if (answer.contains("\"errors\":true")) {
          throw new IllegalStateException(answer.substring(0, Math.min(400, answer.length())));
        }
      }
      double each = (figure(CPU, "/_nodes/stats/process") - before) * 1_000.0 / docs;
      print("%s %.2f us of CPU per document", round == 0 ? "warm-up" : "round " + round, each);
      best = round == 0 ? best : Math.min(best, each);
    }
    print("best %.2f us", best);
  }

  private void search(int count, int rounds) throws Exception {
    double best = 0;
    double least = Double.MAX_VALUE;
    for (int round = 0; round <= rounds; round++) {
      long before = figure(CPU, "/_nodes/stats/process");
      long began = System.nanoTime();
      for (int i = 0; i < count; i++) {
        must("GET", "/bench-" + i % 10 + "/_search?size=1&filter_path=took", "");
      }
      double rate = count / ((System.nanoTime() - began) / 1e9);
      double each = (figure(CPU, "/_nodes/stats/process") - before) * 1_000.0 / count;
      print(
          "%s %.0f searches/s, %.0f us of CPU each",
          round == 0 ? "warm-up" : "round " + round, rate, each);
      best = round == 0 ? best : Math.max(best, rate);
      least = round == 0 ? least : Math.min(least, each);
    }
    print("best %.0f searches/s, %.0f us of CPU each", best, least);
  }

  private Socket connect() throws IOException {
    int port = node.getPort();
    if (!node.getScheme().equals("https")) {
      return new Socket(node.getHost(), port);
    }
    SSLSocket socket = (SSLSocket) tls.getSocketFactory().createSocket(node.getHost(), port);
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setApplicationProtocols(new String[] {"http/1.1"});
    socket.setSSLParameters(parameters);
    socket.startHandshake();
    return socket;
  }

  /** Milliseconds until the answer, and bytes that could be sent by two seconds after it. */
  private double[] upload(int bytes) throws Exception {
    try (Socket socket = connect()) {
      socket.setSoTimeout(60_000);
      OutputStream out = socket.getOutputStream();
      InputStream in = new BufferedInputStream(socket.getInputStream());
      long began = System.nanoTime();
      out.write(
          ("POST /bench-0/_bulk HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                  + "Content-Length: "
                  + bytes
                  + "\r\n\r\n")
              .getBytes(StandardCharsets.US_ASCII));
      AtomicInteger sent = new AtomicInteger();
      Thread sender =
          new Thread(() -> {
            byte[] part = new byte[16 << 10];
            Arrays.fill(part, (byte) ' ');
            try {
              while (sent.get() < bytes) {
                out.write(part);
                sent.addAndGet(part.length);
              }
            } catch (IOException e) {
              // the node closed
            }
          });
      sender.setDaemon(true);
      sender.start();
      byte[] status = in.readNBytes(12);
      double millis = (System.nanoTime() - began) / 1e6;
      if (!new String(status, StandardCharsets.US_ASCII).endsWith("401")) {
        throw new IllegalStateException(new String(status, StandardCharsets.US_ASCII));
      }
      sender.join(5_000);
      return new double[] {millis, sent.get()};
    }
  }

  private void uploads(int count, int bytes) throws Exception {
    upload(bytes); // loads what the first one needs
    long before = figure(HEAP, "/_nodes/stats/jvm");
    ExecutorService threads = Executors.newFixedThreadPool(count);
    List<Future<double[]>> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      all.add(threads.submit(() -> upload(bytes)));
    }
    List<Double> millis = new ArrayList<>();
    double most = 0;
    long peak = before;
    for (Future<double[]> each : all) {
      double[] figures = each.get();
      millis.add(figures[0]);
      most = Math.max(most, figures[1]);
      peak = Math.max(peak, figure(HEAP, "/_nodes/stats/jvm"));
    }
    threads.shutdown();
    millis.sort(null);
    print(
        "%d uploads: 401 after %.1f ms (median), %.1f ms (all); at most %.0f bytes left a client,"
            + " the buffers of both kernels among them",
        count, millis.get(count / 2), millis.get(count - 1), most);
    print("heap %d KB before, %d KB at most after", before >> 10, peak >> 10);
  }

  private void guesses(int perSecond, int seconds) throws Exception {
    double alone = known(seconds);
    LongAdder asked = new LongAdder();
    ExecutorService threads = Executors.newFixedThreadPool(32);
    Thread guesser =
        new Thread(() -> {
          Random random = new Random(11);
          long began = System.nanoTime();
          for (int i = 0; !Thread.currentThread().isInterrupted(); i++) {
            String guess = "user" + random.nextInt(1_000) + ":guess" + i;
            threads.execute(() -> {
              try {
                ask(guess, "GET", "/", "");
                asked.increment();
              } catch (Exception e) {
                // it is the known client that counts
              }
            });
            long due = began + (i + 1L) * 1_000_000_000L / perSecond;
            try {
              Thread.sleep(Duration.ofNanos(Math.max(0, due - System.nanoTime())));
            } catch (InterruptedException e) {
              return;
            }
          }
        });
    guesser.start();
    double beside = known(seconds);
    guesser.interrupt();
    threads.shutdownNow();
    print(
        "a known client: %.0f requests/s alone, %.0f beside %.0f guesses/s: %.1f %%",
        alone, beside, asked.sum() / (double) seconds, 100 * beside / alone);
  }

  private double known(int seconds) throws Exception {
    must("GET", "/", "");
    long count = 0;
    long end = System.nanoTime() + seconds * 1_000_000_000L;
    while (System.nanoTime() < end) {
      must("GET", "/_millrace/access/whoami", "");
      count++;
    }
    return count / (double) seconds;
  }
}
