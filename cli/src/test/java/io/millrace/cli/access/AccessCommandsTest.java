package io.millrace.cli.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import io.millrace.cli.MillraceCommand;
import io.millrace.client.failure.ExitCode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** What the commands ask a node, and what they print of its answers. */
class AccessCommandsTest {
  private final List<String> asked = Collections.synchronizedList(new ArrayList<>());
  private final Map<String, String> answers = new ConcurrentHashMap<>();
  private volatile int status = 200;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private HttpServer node;
  private InputStream in;

  @BeforeEach
  void start() throws IOException {
    in = System.in;
    node = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    node.createContext(
        "/",
        exchange -> {
          String request = exchange.getRequestMethod() + " " + exchange.getRequestURI();
          String body =
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
          asked.add(body.isEmpty() ? request : request + " " + body);
          byte[] answer =
              answers
                  .getOrDefault(request, "{\"acknowledged\":true}")
                  .getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(status, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    node.start();
  }

  @AfterEach
  void stop() {
    System.setIn(in);
    node.stop(0);
  }

  private int run(String... words) {
    List<String> all = new ArrayList<>(List.of(words));
    all.add("--url");
    all.add("http://127.0.0.1:" + node.getAddress().getPort());
    all.add("--user");
    all.add("admin:secret words");
    CommandLine line = MillraceCommand.commandLine();
    line.setOut(new PrintWriter(out, true));
    line.setErr(new PrintWriter(err, true));
    return line.execute(all.toArray(new String[0]));
  }

  private static void type(String text) {
    System.setIn(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void aUserIsMadeWithAPasswordFromStandardInput() {
    type("correct horse\n");
    assertEquals(ExitCode.OK, run("user", "put", "anna", "--role", "shop,monitor"), err::toString);
    assertEquals(
        List.of(
            "PUT /_millrace/access/users/anna"
                + " {\"roles\":[\"shop\",\"monitor\"],\"password\":\"correct horse\"}"),
        asked);
    assertFalse(out.toString().contains("horse"));
  }

  @Test
  void rolesChangeWithoutAPassword() {
    assertEquals(ExitCode.OK, run("user", "put", "anna", "--keep-password", "-r", "shop"));
    assertEquals(List.of("PUT /_millrace/access/users/anna {\"roles\":[\"shop\"]}"), asked);
  }

  @Test
  void onesOwnPasswordAndSomebodys() {
    type("new horse\n");
    assertEquals(ExitCode.OK, run("user", "passwd"));
    type("new horse\n");
    assertEquals(ExitCode.OK, run("user", "passwd", "anna b/c"));
    assertEquals(
        List.of(
            "PUT /_millrace/access/password {\"password\":\"new horse\"}",
            "PUT /_millrace/access/users/anna%20b%2Fc {\"password\":\"new horse\"}"),
        asked);
  }

  @Test
  void withoutAPasswordNothingIsAsked() {
    type("");
    assertEquals(ExitCode.USAGE, run("user", "put", "anna"));
    assertTrue(err.toString().contains("standard input holds no password"), err.toString());
    assertEquals(List.of(), asked);
  }

  @Test
  void listsAreTables() {
    answers.put(
        "GET /_millrace/access/users",
        "{\"anna\":{\"roles\":[\"a\",\"b\"]},\"jo\":{\"roles\":[]}}");
    answers.put(
        "GET /_millrace/access/roles",
        "{\"shop\":{\"cluster\":[\"monitor\"],\"indices\":[{\"names\":[\"s-*\"],"
            + "\"privileges\":[\"read\"]}]},\"superuser\":{\"built_in\":true}}");
    answers.put(
        "GET /_millrace/access/keys",
        "{\"k1\":{\"name\":\"shipper\",\"owner\":\"u:anna\",\"roles\":[],\"expires\":0}}");
    assertEquals(ExitCode.OK, run("user", "list"));
    assertEquals(ExitCode.OK, run("role", "list"));
    assertEquals(ExitCode.OK, run("key", "list"));
    String nl = System.lineSeparator();
    assertEquals(
        "anna  a,b"
            + nl
            + "jo    -"
            + nl
            + "shop       cluster monitor; s-* = read"
            + nl
            + "superuser  (built in)"
            + nl
            + "k1  shipper  owner u:anna  roles -  never expires"
            + nl,
        out.toString());
  }

  @Test
  void aRoleOfPatterns() {
    assertEquals(
        ExitCode.OK,
        run("role", "put", "shop", "-c", "monitor", "-i", "s-*,t-*=read,append", "-i", "u=all"));
    assertEquals(
        List.of(
            "PUT /_millrace/access/roles/shop {\"cluster\":[\"monitor\"],\"indices\":["
                + "{\"names\":[\"s-*\",\"t-*\"],\"privileges\":[\"read\",\"append\"]},"
                + "{\"names\":[\"u\"],\"privileges\":[\"all\"]}]}"),
        asked);
    for (String wrong : List.of("s-*", "=read", "s-*=")) {
      assertEquals(ExitCode.USAGE, run("role", "put", "shop", "-i", wrong));
    }
    assertEquals(1, asked.size());
  }

  @Test
  void aKeyIsShownOnce() {
    answers.put(
        "POST /_millrace/access/keys",
        "{\"id\":\"k1\",\"secret\":\"s1\",\"encoded\":\"e1\",\"expires\":86400000}");
    assertEquals(ExitCode.OK, run("key", "create", "shipper", "--expires", "1d", "-r", "shop"));
    assertEquals(
        List.of(
            "POST /_millrace/access/keys"
                + " {\"name\":\"shipper\",\"roles\":[\"shop\"],\"expires_in\":\"1d\"}"),
        asked);
    for (String text : List.of("id: k1", "secret: s1", "encoded: e1", "1970-01-02T00:00:00Z")) {
      assertTrue(out.toString().contains(text), out.toString());
    }
  }

  @Test
  void whatIsDeleted() {
    assertEquals(ExitCode.OK, run("user", "delete", "anna"));
    assertEquals(ExitCode.OK, run("role", "delete", "shop"));
    assertEquals(ExitCode.OK, run("key", "delete", "k1"));
    assertEquals(
        List.of(
            "DELETE /_millrace/access/users/anna",
            "DELETE /_millrace/access/roles/shop",
            "DELETE /_millrace/access/keys/k1"),
        asked);
  }

  @Test
  void aRefusalSaysWhatToDo() {
    status = 403;
    answers.put(
        "GET /_millrace/access/users", "{\"error\":{\"reason\":\"anna may not\"},\"status\":403}");
    assertEquals(ExitCode.CLUSTER, run("user", "list"));
    assertTrue(err.toString().contains("anna may not"), err.toString());
    assertTrue(err.toString().contains("superuser"), err.toString());
    assertFalse(err.toString().contains("secret words"), err.toString());
  }
}
