package io.millrace.bench.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import io.millrace.bench.json.BenchJson;
import io.millrace.bench.term.BenchFailure;
import io.millrace.bench.workload.BulkFile;
import io.millrace.bench.workload.WorkloadOptions;
import io.millrace.bench.workload.Workloads;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BulkLoadTest {
  private static final String FINE = "{\"took\":3,\"errors\":false,\"items\":[]}";
  private static final String REJECTED =
      "{\"took\":3,\"errors\":true,\"items\":[{\"index\":{\"status\":429,\"error\":{}}}]}";
  private static final String REFUSED =
      "{\"took\":3,\"errors\":true,\"items\":[{\"index\":{\"status\":400,"
          + "\"error\":{\"type\":\"mapper_parsing_exception\"}}}]}";

  private final AtomicInteger requests = new AtomicInteger();
  private volatile String first = FINE;
  private HttpServer server;
  private NodeClient client;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/bench/_bulk",
        exchange -> {
          exchange.getRequestBody().readAllBytes();
          byte[] answer =
              (requests.getAndIncrement() == 0 ? first : FINE).getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, answer.length);
          try (OutputStream out = exchange.getResponseBody()) {
            out.write(answer);
          }
        });
    server.start();
    client = new NodeClient(URI.create("http://127.0.0.1:" + server.getAddress().getPort()));
  }

  @AfterEach
  void stop() {
    client.close();
    server.stop(0);
  }

  private BulkLoad.Result load(Path folder) throws IOException {
    try (BulkFile file =
        BulkFile.write(
            folder.resolve("bodies"),
            Workloads.logs().documents().open(new WorkloadOptions(null, 7)),
            95,
            10,
            done -> {})) {
      return BulkLoad.run(client, "bench", file, file.bulks(), 3, done -> {});
    }
  }

  @Test
  void everyBodyIsSentOnce(@TempDir Path folder) throws IOException {
    BulkLoad.Result result = load(folder);
    assertEquals(10, requests.get());
    assertEquals(95, result.documents());
    assertEquals(10, result.latencies().size());
    assertEquals(0, result.rejections());
  }

  @Test
  void aRejectedBodyIsSentAgain(@TempDir Path folder) throws IOException {
    first = REJECTED;
    BulkLoad.Result result = load(folder);
    assertEquals(11, requests.get());
    assertEquals(1, result.rejections());
    assertEquals(95, result.documents());
  }

  @Test
  void aRefusedDocumentEndsTheLoadWithItsReason(@TempDir Path folder) {
    first = REFUSED;
    BenchFailure failure = assertThrows(BenchFailure.class, () -> load(folder));
    assertTrue(failure.getMessage().contains("mapper_parsing_exception"), failure.getMessage());
  }

  @Test
  void onlyTheHeadOfAnAnswerIsRead() {
    assertTrue(BulkLoad.clean(FINE.getBytes(StandardCharsets.UTF_8)));
    assertFalse(BulkLoad.clean(REFUSED.getBytes(StandardCharsets.UTF_8)));
    assertFalse(BulkLoad.clean(new byte[3]));
  }

  @Test
  void reasonsAreTheServers() {
    assertEquals(
        "unknown setting [x]",
        NodeClient.reason(
            BenchJson.parse(
                "{\"error\":{\"root_cause\":[{\"reason\":\"unknown setting [x]\"}]}}"
                    .getBytes(StandardCharsets.UTF_8))));
  }
}
