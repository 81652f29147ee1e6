package io.millrace.plugin.access;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Strangers are answered before their bodies, known users by the head of each of their requests;
 * over sockets, with the budget of bodies on and off.
 */
public class DoorNodeTests extends AccessNodeTestCase {
  private static final int HUGE = 90_000_000;

  /** HTTP/1.1 by hand. */
  private static final class Wire implements Closeable {
    private final Socket socket = new Socket();
    private final InputStream in;

    Wire() throws IOException {
      URI uri = uri("/");
      socket.connect(new InetSocketAddress(uri.getHost(), uri.getPort()), 30_000);
      socket.setSoTimeout(120_000);
      in = new BufferedInputStream(socket.getInputStream());
    }

    Wire send(String text) throws IOException {
      socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
      socket.getOutputStream().flush();
      return this;
    }

    /** Status and body. */
    Answer answer() throws IOException {
      int status = Integer.parseInt(line().split(" ", 3)[1]);
      int length = 0;
      for (String line = line(); !line.isEmpty(); line = line()) {
        if (line.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
          length = Integer.parseInt(line.substring(line.indexOf(':') + 1).strip());
        }
      }
      return new Answer(status, new String(in.readNBytes(length), StandardCharsets.UTF_8));
    }

    private String line() throws IOException {
      StringBuilder line = new StringBuilder();
      int c;
      while ((c = in.read()) != '\n') {
        if (c < 0) {
          throw new IOException("closed after [" + line + "]");
        }
        if (c != '\r') {
          line.append((char) c);
        }
      }
      return line.toString();
    }

    boolean closedByPeer() throws IOException {
      try {
        return in.read() < 0;
      } catch (java.net.SocketException e) {
        return true;
      }
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  private static String head(String method, String path, String authorization, String rest) {
    return method
        + " "
        + path
        + " HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
        + (authorization.isEmpty() ? "" : "Authorization: " + authorization + "\r\n")
        + rest
        + "\r\n";
  }

  private static String whoami(String authorization) {
    return head("GET", "/_millrace/access/whoami", authorization, "");
  }

  private void budget(boolean on) throws Exception {
    admin(
        "PUT",
        "/_cluster/settings",
        "{\"transient\":{\"millrace.guard.inbound_budget.enabled\":" + (on ? null : false) + "}}");
  }

  /** The body never comes, so an answer shows that nobody waited for it. */
  public void testStrangersAreAnsweredBeforeTheirBodies() throws Exception {
    String good = withRoles("sender", "superuser");
    assertStatus(200, call(good, "GET", "/"));
    for (boolean on : List.of(true, false)) {
      budget(on);
      for (String who : List.of("", "Bearer x", "Refused WRONG", "Refused")) {
        for (String length :
            List.of(
                "Content-Length: " + HUGE + "\r\n",
                "Content-Length: 1000\r\n",
                "Transfer-Encoding: chunked\r\n",
                "Content-Length: 1000\r\nExpect: 100-continue\r\n",
                "Content-Encoding: gzip\r\nContent-Length: " + HUGE + "\r\n")) {
          try (Wire wire = new Wire()) {
            Answer answer = wire.send(head("POST", "/_bulk", who, length)).answer();
            assertStatus(401, answer);
            assertTrue(answer.text(), answer.text().contains("Authorization: Basic"));
          }
        }
      }
      // each name once: a password that is not known has to be checked first
      try (Wire wire = new Wire()) {
        String who = basic("sender-" + on, "a wrong password");
        String length = "Content-Length: " + HUGE + "\r\n";
        assertStatus(401, wire.send(head("POST", "/_bulk", who, length)).answer());
      }
      // two headers are none: a proxy may have looked at the other
      try (Wire wire = new Wire()) {
        String two = "Authorization: " + good + "\r\nContent-Length: " + HUGE + "\r\n";
        assertStatus(401, wire.send(head("POST", "/_bulk", good, two)).answer());
      }
    }
    budget(true);
  }

  public void testALongBodyEndsTheConnectionAndAShortOneDoesNot() throws Exception {
    try (Wire wire = new Wire()) {
      wire.send(head("POST", "/_bulk", "", "Content-Length: " + HUGE + "\r\n") + "x".repeat(2_000));
      assertStatus(401, wire.answer());
      assertTrue(wire.closedByPeer());
    }
    try (Wire wire = new Wire()) {
      wire.send(head("POST", "/_bulk", "", "Content-Length: 2000\r\n") + "x".repeat(1_000));
      assertStatus(401, wire.answer());
      wire.send("x".repeat(1_000) + whoami(ADMIN));
      assertEquals("admin", wire.answer().at("name"));
    }
  }

  /** Heads, bodies and answers of two users and a stranger on one connection. */
  public void testPipelinedRequestsOfTwoUsers() throws Exception {
    String anna = user("anna", "anna-*", "all");
    String bert = user("bert", "bert-*", "all");
    String document = "{\"n\":1}";
    String length = "Content-Length: " + document.length() + "\r\n";
    try (Wire wire = new Wire()) {
      // neither password was checked before: each head waits for its own
      StringBuilder all = new StringBuilder();
      for (int i = 0; i < 8; i++) {
        all.append(head("PUT", "/anna-1/_doc/" + i, anna, length)).append(document);
        all.append(head("PUT", "/anna-1/_doc/b" + i, bert, length)).append(document);
        all.append(head("PUT", "/anna-1/_doc/s" + i, "", length)).append(document);
        all.append(whoami(bert));
        all.append(head("PUT", "/bert-1/_doc/" + i, bert, length)).append(document);
        all.append(whoami(anna));
      }
      wire.send(all.toString());
      for (int i = 0; i < 8; i++) {
        assertStatus(201, wire.answer());
        assertStatus(403, wire.answer());
        assertStatus(401, wire.answer());
        assertEquals("bert", wire.answer().at("name"));
        assertStatus(201, wire.answer());
        assertEquals("anna", wire.answer().at("name"));
      }
    }
    admin("POST", "/_refresh", "");
    assertEquals(8, admin("GET", "/anna-1/_count", "").at("count"));
    assertEquals(8, admin("GET", "/bert-1/_count", "").at("count"));
  }

  /** What one user's body looks like must not become another request. */
  public void testSmuggledHeads() throws Exception {
    String anna = user("anna", "anna-*", "all");
    for (String lengths :
        List.of(
            "Content-Length: 0\r\nContent-Length: 30\r\n",
            "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n",
            "Transfer-Encoding: x, chunked\r\nContent-Length: 3\r\n",
            "Content-Length: +3\r\n",
            "Content-Length : 3\r\n",
            "Content-Length: 3\r\n X: folded\r\n",
            "Content-Length: 3, 4\r\n")) {
      try (Wire wire = new Wire()) {
        Answer first = wire.send(head("DELETE", "/anna-1", "", lengths) + whoami("")).answer();
        assertTrue(lengths + first, first.status() / 100 == 4);
        assertFalse(lengths + first, first.text().contains("\"name\""));
      }
    }
    for (String header :
        List.of("_millrace_identity: o:admin", "X-Forwarded-User: admin", "X-Proxy-User: admin")) {
      try (Wire wire = new Wire()) {
        Answer me =
            wire.send(head("GET", "/_millrace/access/whoami", anna, header + "\r\n")).answer();
        assertEquals("anna", me.at("name"));
        assertStatus(
            401, wire.send(head("GET", "/_millrace/access/whoami", "", header + "\r\n")).answer());
      }
    }
  }

  /** Streams of two users and strangers, on the one connection that the client keeps. */
  public void testStreamsOfTwoUsers() throws Exception {
    String anna = user("anna", "anna-*", "all");
    String bert = user("bert", "bert-*", "all");
    try (HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build()) {
      assertEquals(HttpClient.Version.HTTP_2, send(http, anna, "GET", "/", "").join().version());
      List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
      String large = "{\"m\":\"" + "x".repeat(200_000) + "\"}";
      for (int i = 0; i < 10; i++) {
        answers.add(send(http, anna, "PUT", "/anna-2/_doc/" + i, large));
        answers.add(send(http, bert, "PUT", "/anna-2/_doc/b" + i, large));
        answers.add(send(http, "", "PUT", "/anna-2/_doc/s" + i, large));
        answers.add(send(http, "", "PUT", "/anna-2/_doc/s" + i, "{}"));
        answers.add(send(http, bert, "GET", "/_millrace/access/whoami", ""));
      }
      for (int i = 0; i < answers.size(); i += 5) {
        assertEquals(201, answers.get(i).get(60, TimeUnit.SECONDS).statusCode());
        assertEquals(403, answers.get(i + 1).get(60, TimeUnit.SECONDS).statusCode());
        assertEquals(401, answers.get(i + 2).get(60, TimeUnit.SECONDS).statusCode());
        assertEquals(401, answers.get(i + 3).get(60, TimeUnit.SECONDS).statusCode());
        assertTrue(answers.get(i + 4).get(60, TimeUnit.SECONDS).body().contains("bert"));
      }
    }
    admin("POST", "/_refresh", "");
    assertEquals(10, admin("GET", "/anna-2/_count", "").at("count"));
  }

  private static CompletableFuture<HttpResponse<String>> send(
      HttpClient http, String authorization, String method, String path, String body) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri(path))
            .timeout(Duration.ofSeconds(60))
            .header("Content-Type", "application/json")
            .method(
                method,
                body.isEmpty()
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofString(body));
    if (!authorization.isEmpty()) {
      request.header("Authorization", authorization);
    }
    return http.sendAsync(request.build(), HttpResponse.BodyHandlers.ofString());
  }
}
