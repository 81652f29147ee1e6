package io.millrace.bench.peers;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.bench.json.BenchJson;
import io.millrace.bench.load.NodeClient;
import io.millrace.bench.term.BenchFailure;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A server of VictoriaLogs with its defaults, but for the retention: it refuses the generated
 * documents for their age otherwise. Streams are those of host and service.
 */
final class VictoriaLogsPeer implements Peer {
  private static final String INSERT =
      "/insert/jsonline?_stream_fields=host,service&_msg_field=message&_time_field=@timestamp";
  private static final String FORM = "application/x-www-form-urlencoded";
  private static final long LIMIT_NANOS = TimeUnit.MINUTES.toNanos(10);

  private final PeerProcess process;
  private final NodeClient client;
  private final Path data;
  private final int workers;

  private VictoriaLogsPeer(PeerProcess process, int port, Path data, int workers) {
    this.process = process;
    this.client = new NodeClient(URI.create("http://127.0.0.1:" + port));
    this.data = data;
    this.workers = workers;
  }

  /** The side of a server that listens on a port of the loopback interface. */
  static PeerSide side(String name, Path binary, int port, int workers) {
    return new PeerSide(
        name,
        home -> {
          Path data = Files.createDirectories(home.resolve("data"));
          PeerProcess process =
              PeerProcess.start(
                  List.of(
                      binary.toString(),
                      "-storageDataPath=" + data,
                      "-httpListenAddr=127.0.0.1:" + port,
                      "-retentionPeriod=100y"),
                  home);
          VictoriaLogsPeer peer = new VictoriaLogsPeer(process, port, data, workers);
          try {
            peer.awaitStart();
            return peer;
          } catch (IOException | RuntimeException e) {
            peer.close();
            throw e;
          }
        });
  }

  private void awaitStart() throws IOException {
    long deadline = System.nanoTime() + LIMIT_NANOS;
    while (System.nanoTime() < deadline) {
      if (!process.process().isAlive()) {
        throw process.failure("the server ended while starting");
      }
      try {
        if (client.send("GET", "/health", null, FORM).status() == 200) {
          return;
        }
      } catch (BenchFailure e) {
        pause(); // it does not listen yet
      }
    }
    throw process.failure("the server did not answer within 10 minutes");
  }

  @Override
  public long pid() {
    return process.process().pid();
  }

  @Override
  public String version() {
    String label = "vm_app_version{version=\"";
    String metrics = text("GET", "/metrics", "");
    int at = metrics.indexOf(label);
    return at < 0
        ? "unknown"
        : metrics.substring(at + label.length(), metrics.indexOf('"', at + label.length()));
  }

  @Override
  public void load(Documents documents) {
    AtomicInteger next = new AtomicInteger();
    List<Future<?>> running = new ArrayList<>();
    try (ExecutorService pool = Executors.newFixedThreadPool(workers)) {
      for (int i = 0; i < workers; i++) {
        running.add(pool.submit(() -> insert(documents, next)));
      }
      for (Future<?> one : running) {
        one.get();
      }
    } catch (ExecutionException e) {
      throw new BenchFailure("loading failed: " + e.getCause(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BenchFailure("interrupted", e);
    }
    text("GET", "/internal/force_flush", "");
    quiet();
  }

  private Void insert(Documents documents, AtomicInteger next) throws IOException {
    int bulks = documents.bulks().bulks();
    for (int bulk = next.getAndIncrement(); bulk < bulks; bulk = next.getAndIncrement()) {
      byte[] lines = documents.bulks().sources(bulk);
      NodeClient.Answer answer = client.send("POST", INSERT, lines, "application/stream+json");
      if (answer.status() != 200) {
        throw new BenchFailure(new String(answer.body(), StandardCharsets.UTF_8));
      }
    }
    return null;
  }

  /** Returns once no merge runs, seen twice in a row. */
  private void quiet() {
    long deadline = System.nanoTime() + LIMIT_NANOS;
    int idle = 0;
    while (idle < 3 && System.nanoTime() < deadline) {
      boolean merging =
          text("GET", "/metrics", "")
              .lines()
              .filter(line -> line.startsWith("vl_active_merges"))
              .anyMatch(line -> !line.endsWith(" 0"));
      idle = merging ? 0 : idle + 1;
      pause();
    }
  }

  private static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(300);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new BenchFailure("interrupted", e);
    }
  }

  @Override
  public void merge() {
    text("GET", "/internal/force_merge?partition_prefix=", "");
    pause(); // the call returns at once, the merge begins after it
    quiet();
  }

  @Override
  public long bytes() throws IOException {
    return PeerFolder.bytes(data);
  }

  @Override
  public PeerAnswer ask(PeerSearch search) {
    if (search.kind() != PeerSearch.Kind.COUNTS) {
      return PeerAnswer.ofRows(query(filter(search), PeerSearch.MOST), "_time");
    }
    String interval = PeerSearch.INTERVAL / 1000 + "s";
    PeerAnswer counts = PeerAnswer.ofCounts();
    for (JsonNode row :
        query(
            filter(search) + " | stats by (_time:" + interval + ", level) count() documents", 0)) {
      counts.add(row.path("_time"), row.path("level").asText(), row.path("documents").asLong());
    }
    return counts;
  }

  @Override
  public long hits(PeerSearch search) {
    return query(filter(search) + " | stats count() documents", 0)
        .getFirst()
        .path("documents")
        .asLong();
  }

  /**
   * Every search names a time: without one the newest documents are looked for from now on back.
   */
  private static String filter(PeerSearch search) {
    String time =
        "_time:["
            + Instant.ofEpochMilli(search.from())
            + ", "
            + Instant.ofEpochMilli(search.to())
            + ") ";
    return time
        + switch (search.kind()) {
          case ID -> "trace_id:=\"" + search.text() + "\"";
          case WORD, PHRASE -> "\"" + search.text() + "\"";
          case WORDS -> "\"" + search.text().replace(" ", "\" \"") + "\"";
          case COUNTS -> "";
        };
  }

  /** The lines of an answer; with a limit, the newest. */
  private List<JsonNode> query(String query, int limit) {
    String form = "query=" + URLEncoder.encode(query, StandardCharsets.UTF_8);
    if (limit > 0) {
      form += "&limit=" + limit;
    }
    return text("POST", "/select/logsql/query", form)
        .lines()
        .map(line -> BenchJson.parse(line.getBytes(StandardCharsets.UTF_8)))
        .toList();
  }

  private String text(String method, String path, String form) {
    byte[] body = method.equals("GET") ? null : form.getBytes(StandardCharsets.UTF_8);
    NodeClient.Answer answer = client.send(method, path, body, FORM);
    String text = new String(answer.body(), StandardCharsets.UTF_8);
    if (answer.status() != 200) {
      throw new BenchFailure(path + " answered " + answer.status() + ": " + text);
    }
    return text;
  }

  @Override
  public void close() {
    client.close();
    process.close();
  }
}
