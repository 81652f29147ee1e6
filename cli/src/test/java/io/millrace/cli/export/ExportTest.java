package io.millrace.cli.export;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.millrace.cli.MillraceCommand;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The command against a server that answers pages of two rows. */
class ExportTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  private static final Map<String, Integer> ROWS =
      Map.of("pit-of-a", 5, "pit-of-b", 1, "pit-of-c", 0);

  @TempDir private Path folder;
  private final List<String> calls = Collections.synchronizedList(new ArrayList<>());
  private final StringWriter err = new StringWriter();
  private volatile int failedShards;
  private volatile int mostRows = 10_000;
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  /** Two indices: five rows and one. A third that is called empty. */
  private void answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().toString();
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    calls.add(exchange.getRequestMethod() + " " + path);
    String answer;
    byte[] arrow = null;
    if (path.equals("/")) {
      answer = "{\"cluster_uuid\":\"u\",\"name\":\"n\",\"version\":{\"number\":\"3.8.0\"}}";
    } else if (path.startsWith("/_cat/indices")) {
      answer =
          path.contains("none")
              ? "[]"
              : path.contains("empty")
                  ? "[{\"index\":\"c\"}]"
                  : "[{\"index\":\"a\"},{\"index\":\"b\"}]";
    } else if (path.contains("/_search/point_in_time?")) {
      answer = "{\"pit_id\":\"pit-of-" + path.charAt(1) + "\"}";
    } else if (path.startsWith("/_millrace/columns")) {
      JsonNode asked = JSON.readTree(body);
      int all = ROWS.get(asked.path("pit").path("id").asText());
      int from = asked.path("search_after").path(0).asInt(0);
      int to = Math.min(all, from + asked.path("size").asInt());
      StringBuilder rows = new StringBuilder();
      for (int row = from; row < to; row++) {
        rows.append("{\"n\":").append(row).append("}\n");
      }
      answer = rows.toString();
      if (path.contains("format=arrow")) {
        arrow = to > from ? stream(1, to) : stream(2, 9); // without rows there are no types
      }
      exchange.getResponseHeaders().add("Millrace-Rows", "" + (to - from));
      exchange.getResponseHeaders().add("Millrace-Failed-Shards", "" + failedShards);
      exchange.getResponseHeaders().add("Millrace-Timed-Out", "false");
      exchange.getResponseHeaders().add("Millrace-Search-After", "[" + to + "]");
    } else {
      answer = "{}";
    }
    int status = 200;
    if (path.startsWith("/_millrace/columns")
        && JSON.readTree(body).path("size").asInt() > mostRows) {
      status = 400;
      answer =
          "{\"error\":{\"reason\":\"all shards failed\",\"caused_by\":{\"reason\":\"more than "
              + "[millrace.search.columns.max_bytes] of [1kb]\"}}}";
    }
    byte[] bytes = arrow != null ? arrow : answer.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  private int run(String... arguments) {
    List<String> all = new ArrayList<>(List.of("export", "--url"));
    all.add("http://127.0.0.1:" + server.getAddress().getPort());
    all.addAll(List.of(arguments));
    CommandLine line = MillraceCommand.commandLine();
    line.setErr(new PrintWriter(err, true));
    line.setOut(new PrintWriter(new StringWriter(), true));
    return line.execute(all.toArray(String[]::new));
  }

  @Test
  void writesTheRowsOfEveryIndexPageByPage() throws Exception {
    Path out = folder.resolve("rows.ndjson");
    assertEquals(0, run("logs-*", "-c", "n", "--page", "2", "-o", out.toString()), err::toString);
    assertEquals(
        "{\"n\":0}\n{\"n\":1}\n{\"n\":2}\n{\"n\":3}\n{\"n\":4}\n{\"n\":0}\n",
        Files.readString(out));
    assertEquals(4, calls.stream().filter(call -> call.contains("/_millrace/columns")).count());
    assertEquals(2, calls.stream().filter(call -> call.startsWith("DELETE")).count());
    assertFalse(Files.exists(folder.resolve("rows.ndjson.part")));
  }

  @Test
  void pagesThatAreTooLargeAreHalved() throws Exception {
    mostRows = 3;
    Path out = folder.resolve("rows.ndjson");
    assertEquals(0, run("logs-*", "-c", "n", "--page", "8", "-o", out.toString()), err::toString);
    assertEquals(
        "{\"n\":0}\n{\"n\":1}\n{\"n\":2}\n{\"n\":3}\n{\"n\":4}\n{\"n\":0}\n",
        Files.readString(out));
    mostRows = 0;
    assertEquals(1, run("logs", "-c", "n", "--force", "-o", out.toString()));
    assertTrue(err.toString().contains("all shards failed"), err.toString());
  }

  @Test
  void nothingIsLeftOfAnExportThatIsNotWhole() {
    failedShards = 1;
    Path out = folder.resolve("rows.ndjson");
    assertEquals(1, run("logs", "-c", "n", "-o", out.toString()));
    assertTrue(err.toString().contains("rows would be missing"), err.toString());
    assertFalse(Files.exists(out));
    assertFalse(Files.exists(folder.resolve("rows.ndjson.part")));
    assertEquals(1, calls.stream().filter(call -> call.startsWith("DELETE")).count());
  }

  @Test
  void aFileThatIsThereStays() throws Exception {
    Path out = Files.writeString(folder.resolve("rows"), "mine");
    assertEquals(2, run("logs", "-c", "n", "-o", out.toString()));
    assertTrue(err.toString().contains("add --force"), err.toString());
    assertEquals("mine", Files.readString(out));
    assertEquals(0, run("logs", "-c", "n", "-o", out.toString(), "--force"));
    assertTrue(Files.readString(out).startsWith("{\"n\":0}"));
  }

  @Test
  void badInputNamesTheOption() {
    String out = folder.resolve("x").toString();
    assertEquals(2, run("logs", "-c", "n", "-o", out, "--page", "10001"));
    assertEquals(2, run("logs", "-o", out));
    assertEquals(2, run("none", "-c", "n", "-o", out));
    for (String part : List.of("--page must be from 1", "--columns", "no index is called none")) {
      assertTrue(err.toString().contains(part), err.toString());
    }
  }

  private static byte[] stream(int schema, int batch) {
    return new byte[] {
      -1,
      -1,
      -1,
      -1,
      8,
      0,
      0,
      0,
      (byte) schema,
      1,
      1,
      1,
      1,
      1,
      1,
      1, // the schema
      (byte) batch,
      2,
      2,
      2,
      2,
      2,
      2,
      2, // a batch
      -1,
      -1,
      -1,
      -1,
      0,
      0,
      0,
      0
    };
  }

  @Test
  void aLastPageWithoutRowsHasNoTypesToFit() throws Exception {
    Path out = folder.resolve("rows.arrow");
    List<String> arrow = List.of("-c", "n", "-f", "arrow", "-o", out.toString(), "--force");
    assertEquals(0, export("logs-*", arrow, "--page", "5"), err::toString);
    byte[] first = stream(1, 5);
    byte[] expected = new byte[first.length + 8];
    System.arraycopy(first, 0, expected, 0, 24);
    System.arraycopy(stream(1, 1), 16, expected, 24, 16);
    assertArrayEquals(expected, Files.readAllBytes(out));
    assertEquals(0, export("empty", arrow), err::toString);
    assertArrayEquals(stream(2, 9), Files.readAllBytes(out));
  }

  private int export(String index, List<String> options, String... more) {
    List<String> all = new ArrayList<>(List.of(index));
    all.addAll(options);
    all.addAll(List.of(more));
    return run(all.toArray(String[]::new));
  }

  @Test
  void arrowPagesBecomeOneStream() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ExportFormat.Pages pages = ExportFormat.ARROW.pages(out);
    pages.add(stream(1, 5));
    pages.add(stream(1, 6));
    assertThrows(IllegalStateException.class, () -> pages.add(stream(2, 7)));
    assertThrows(IllegalStateException.class, () -> pages.add(new byte[30]));
    assertThrows(IllegalStateException.class, () -> pages.add(new byte[0]));
    pages.end();
    byte[] one = stream(1, 5);
    byte[] expected = new byte[one.length + 8];
    System.arraycopy(one, 0, expected, 0, 24);
    System.arraycopy(stream(1, 6), 16, expected, 24, 16);
    assertArrayEquals(expected, out.toByteArray());
  }
}
