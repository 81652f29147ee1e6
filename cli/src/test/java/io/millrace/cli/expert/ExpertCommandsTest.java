package io.millrace.cli.expert;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import io.millrace.cli.MillraceCommand;
import io.millrace.client.failure.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Bad input and clusters in trouble: a clear line and the exit code that the page names. */
class ExpertCommandsTest {
  private static final String ROOT =
      "{\"name\":\"n\",\"cluster_name\":\"c\",\"cluster_uuid\":\"u\",\"version\":{\"distribution\":\"opensearch\",\"number\":\"3.8.0\"}}";

  @TempDir Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private volatile String location = "";
  private final AtomicInteger asked = new AtomicInteger();

  private int run(String... arguments) {
    CommandLine line = MillraceCommand.commandLine();
    line.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
    return line.execute(arguments);
  }

  /** A server that answers "status body", or closes the connection for null. */
  private int against(BiFunction<String, Integer, String> answers, String... arguments)
      throws Exception {
    return against(answers, this::run, arguments);
  }

  private int against(
      BiFunction<String, Integer, String> answers,
      ToIntFunction<String[]> command,
      String... arguments)
      throws Exception {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          String answer =
              answers.apply(exchange.getRequestURI().getPath(), asked.incrementAndGet());
          if (!answer.isEmpty()) {
            if (!location.isEmpty()) {
              exchange.getResponseHeaders().set("Location", location);
            }
            byte[] body = answer.substring(4).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(Integer.parseInt(answer.substring(0, 3)), body.length);
            exchange.getResponseBody().write(body);
          }
          exchange.close();
        });
    server.start();
    try {
      String[] all = java.util.Arrays.copyOf(arguments, arguments.length + 1);
      all[arguments.length] = "http://127.0.0.1:" + server.getAddress().getPort();
      return command.applyAsInt(all);
    } finally {
      server.stop(0);
    }
  }

  private void each(int code, String said, BiFunction<String, Integer, String> answers)
      throws Exception {
    for (String[] command :
        new String[][] {
          {"doctor", "--watch", "0s"},
          {"tune", "--profile", "logs"},
          {"top", "--once", "--interval", "1s"}
        }) {
      asked.set(0);
      err.getBuffer().setLength(0);
      assertEquals(code, against(answers, command), command[0] + ": " + err);
      assertTrue(err.toString().contains(said), command[0] + ": " + err);
      assertFalse(err.toString().contains("Exception"), command[0] + ": " + err);
    }
  }

  @Test
  void aProxyInTheWayIsNamed() throws Exception {
    each(ExitCode.CLUSTER, "Sign in", (path, n) -> "200 <html>Sign in</html>");
  }

  @Test
  void withoutPermissionItIsSaid() throws Exception {
    each(ExitCode.CLUSTER, "HTTP 401", (path, n) -> "401 {\"error\":\"Unauthorized\"}");
    each(
        ExitCode.CLUSTER,
        "HTTP 403",
        (path, n) -> "403 {\"error\":{\"reason\":\"no permissions for you\"}}");
  }

  @Test
  void aClusterThatDiesMeanwhileIsNamed() throws Exception {
    each(
        ExitCode.CLUSTER,
        "stopped answering",
        (path, n) -> n > 4 ? "" : path.equals("/") ? "200 " + ROOT : "200 {}");
  }

  /** What was found until then is printed; the failure still has its line and its exit code. */
  @Test
  void whatWasFoundBeforeTheClusterDiedIsPrinted() throws Exception {
    String nodes =
        "200 {\"nodes\":{\"id\":{\"name\":\"n1\",\"roles\":[\"data\"],\"version\":\"3.8.0\",\"settings\":{},"
            + "\"jvm\":{\"version\":\"8.0.252\",\"input_arguments\":[],\"mem\":{}}}}}";
    Path bundle = folder.resolve("read.json");
    int code =
        against(
            (path, n) ->
                path.startsWith("/_cluster/state")
                    ? ""
                    : path.equals("/")
                        ? "200 " + ROOT
                        : path.startsWith("/_nodes/") && !path.endsWith("stats") ? nodes : "200 {}",
            "doctor",
            "--watch",
            "0s",
            "--fail-on",
            "info",
            "--save",
            bundle.toString());
    assertEquals(ExitCode.CLUSTER, code, err.toString());
    assertTrue(out.toString().contains("[java-old]"), out.toString());
    assertTrue(out.toString().contains("the cluster stopped answering before"), out.toString());
    assertTrue(err.toString().contains("stopped answering during request"), err.toString());
    assertTrue(err.toString().contains("The report says what was found until then."));
    assertTrue(Files.size(bundle) > 0);
  }

  @Test
  void whereItIsSentToIsNamed() throws Exception {
    location = "https://es.example.org/";
    each(
        ExitCode.CLUSTER,
        "HTTP 301 to https://es.example.org/",
        (path, n) -> "301 <html>Moved</html>");
  }

  @Test
  void nothingListensThere() {
    assertEquals(ExitCode.NOT_RUNNING, run("top", "--once", "http://127.0.0.1:1"));
    assertEquals(ExitCode.NOT_RUNNING, run("tune", "--profile", "logs", "http://127.0.0.1:1"));
    assertEquals(ExitCode.NOT_RUNNING, run("doctor", "http://127.0.0.1:1"));
  }

  @Test
  void wrongUsageSaysWhatIsRight() throws Exception {
    assertEquals(ExitCode.USAGE, run("tune", "http://127.0.0.1:1"));
    assertTrue(err.toString().contains("--profile logs|traces|search"), err::toString);
    assertEquals(ExitCode.USAGE, run("tune", "--profile", "log", "http://127.0.0.1:1"));
    assertEquals(ExitCode.USAGE, run("top", "--interval", "10ms", "http://127.0.0.1:1"));
    assertTrue(err.toString().contains("from 1s to 1h"), err::toString);
    assertEquals(ExitCode.USAGE, run("doctor", "--bundle", "b.json", "--publish"));
    assertTrue(err.toString().contains("a bundle has none to write to"), err::toString);
    Path none = folder.resolve("none.jsonl");
    assertEquals(ExitCode.INPUT, run("tune", "--undo", none.toString(), "http://127.0.0.1:1"));
    assertTrue(err.toString().contains("there is no such file"), err::toString);
    Path other = Files.writeString(folder.resolve("other.jsonl"), "<html>\n");
    assertEquals(ExitCode.INPUT, run("tune", "--resume", other.toString(), "http://127.0.0.1:1"));
    assertTrue(err.toString().contains("it is no journal of millrace tune"), err::toString);
    Path zip = Files.write(folder.resolve("cut.log.gz"), new byte[] {0x1f, (byte) 0x8b, 8});
    assertEquals(ExitCode.INPUT, run("doctor", "--logs", zip.toString(), "http://127.0.0.1:1"));
    assertTrue(err.toString().contains("the gzip file ends in the middle"), err::toString);
    assertEquals(ExitCode.USAGE, run("doctor", "--watch", "99999999999999999999s"));
    assertFalse(err.toString().contains("Exception"), err::toString);
    Files.writeString(folder.resolve("gc.log"), "<html>");
    assertEquals(ExitCode.INPUT, run("gc", folder.resolve("gc.log").toString()));
  }

  /** Nobody waits for a window of minutes to lose its report. */
  @Test
  void aFileThatCannotBeWrittenIsNamedBeforeAnythingIsAsked() throws Exception {
    Path nowhere = folder.resolve("nowhere").resolve("report.html");
    for (String option : new String[] {"-o", "--save"}) {
      int code =
          against(
              (path, n) -> "200 " + ROOT, "doctor", "--watch", "1h", option, nowhere.toString());
      assertEquals(ExitCode.ENVIRONMENT, code, err::toString);
      assertTrue(err.toString().contains("there is no folder"), err::toString);
      code =
          against((path, n) -> "200 " + ROOT, "doctor", "--watch", "1h", option, folder.toString());
      assertEquals(ExitCode.ENVIRONMENT, code, err::toString);
      assertTrue(err.toString().contains("it is a folder"), err::toString);
    }
    assertEquals(0, asked.get());
  }

  @Test
  void credentialsThatAreNoneAreNamedWithoutShowingThem() {
    assertEquals(ExitCode.USAGE, run("doctor", "--user", "sesame", "http://127.0.0.1:1"));
    assertTrue(err.toString().contains("NAME:PASSWORD"), err::toString);
    assertEquals(ExitCode.USAGE, run("top", "--api-key", "open sesame", "http://127.0.0.1:1"));
    assertTrue(err.toString().contains("ID:KEY"), err::toString);
    assertFalse(err.toString().contains("sesame"), err::toString);
    assertEquals(ExitCode.NOT_RUNNING, run("doctor", "--api-key", "id:key", "http://127.0.0.1:1"));
    assertEquals(
        ExitCode.NOT_RUNNING, run("doctor", "--api-key", "aWQ6a2V5", "http://127.0.0.1:1"));
  }

  @Test
  void whatIsNoBundleIsNamed() throws Exception {
    Path page = Files.writeString(folder.resolve("page.json"), "<html>");
    assertEquals(ExitCode.INPUT, run("doctor", "--bundle", page.toString()));
    assertTrue(err.toString().contains("page.json is no bundle"), err::toString);
    assertFalse(err.toString().contains("REDACTED"), err::toString);
    assertEquals(ExitCode.INPUT, run("doctor", "--bundle", folder.resolve("none").toString()));
    assertTrue(err.toString().contains("there is no file"), err::toString);
  }

  @Test
  void aReportThatCannotBePublishedIsStillWritten() throws Exception {
    int code =
        against(
            (path, n) ->
                path.equals("/")
                    ? "200 " + ROOT
                    : path.equals("/_millrace") ? "400 {\"error\":\"no handler\"}" : "200 {}",
            "doctor",
            "--watch",
            "0s",
            "--publish");
    assertEquals(ExitCode.CLUSTER, code, err::toString);
    assertTrue(err.toString().contains("Only Millrace nodes have a dashboard"), err::toString);
    assertTrue(out.toString().contains("checks looked at"), out::toString);
  }

  @Test
  void topWithoutATerminalIsPlainText() throws Exception {
    int code =
        against(
            (path, n) -> path.equals("/") ? "200 " + ROOT : "200 {}",
            "top",
            "--once",
            "--interval",
            "1s");
    assertEquals(ExitCode.OK, code, err::toString);
    assertTrue(out.toString().contains("INDEX (by writes)"), out::toString);
    assertFalse(out.toString().contains("\033"), out::toString);
  }

  /** {@code top | head} must not ask a cluster for ever. */
  @Test
  @Timeout(60)
  void topEndsWhenNobodyReadsIt() throws Exception {
    CommandLine line = MillraceCommand.commandLine();
    Writer closed =
        new Writer() {
          @Override
          public void write(char[] text, int from, int length) throws IOException {
            throw new IOException("Broken pipe");
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    line.setOut(new PrintWriter(closed, true)).setErr(new PrintWriter(err, true));
    int code =
        against(
            (path, n) -> path.equals("/") ? "200 " + ROOT : "200 {}",
            line::execute,
            "top",
            "--interval",
            "1s");
    assertEquals(ExitCode.OK, code, err::toString);
  }
}
