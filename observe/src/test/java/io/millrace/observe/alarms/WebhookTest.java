package io.millrace.observe.alarms;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import io.millrace.observe.alarms.Alarm.Severity;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.opensearch.common.xcontent.XContentHelper;
import org.opensearch.common.xcontent.XContentType;

class WebhookTest {
  private static final URI NOWHERE = URI.create("http://127.0.0.1:9/secret");
  private final List<String> seen = new ArrayList<>();
  private final List<Long> pauses = new ArrayList<>();
  private final List<Runnable> work = new ArrayList<>();

  private static Alarm alarm(boolean firing) {
    return new Alarm(
        "rejected_writes", Severity.CRITICAL, firing, 3, 1, "Writes are \"refused\"", "Retry\n!");
  }

  private Webhook hook(Webhook.Post post) {
    return new Webhook(
        () -> new Webhook.Target(NOWHERE, 100),
        post,
        work::add,
        (millis, task) -> {
          pauses.add(millis);
          work.add(task);
        });
  }

  private void runAll() {
    while (!work.isEmpty()) {
      work.removeFirst().run();
    }
  }

  private void see(byte[] json) {
    Map<String, Object> map = map(json);
    seen.add(map.get("alarm") + " " + map.get("firing"));
  }

  private static Map<String, Object> map(byte[] json) {
    return XContentHelper.convertToMap(
        XContentType.JSON.xContent(), new String(json, StandardCharsets.UTF_8), true);
  }

  @Test
  void saysWhatIsWrongToPeopleAndPrograms() {
    Map<String, Object> json = map(Webhook.json("c", "n-1", alarm(true), 42));
    assertEquals("[critical] n-1: Writes are \"refused\". Retry\n!", json.get("text"));
    assertEquals(3.0, json.get("value"));
    assertEquals(42, json.get("at_in_millis"));
    assertEquals(
        "[ended] n-1: Writes are \"refused\"",
        map(Webhook.json("c", "n-1", alarm(false), 42)).get("text"));
  }

  @Test
  void oneAfterTheOtherInOrder() {
    Webhook hook =
        hook((to, json) -> {
          see(json);
          return 204;
        });
    hook.tell("c", "n", alarm(true), 1);
    hook.tell("c", "n", alarm(false), 2);
    assertEquals(1, work.size(), "one under way at a time");
    runAll();
    assertEquals(List.of("rejected_writes true", "rejected_writes false"), seen);
    assertEquals(2, hook.sent());
    assertEquals(0, hook.lost());
  }

  @Test
  void threeTriesThenDropped() {
    Webhook hook =
        hook((to, json) -> {
          see(json);
          throw new IOException("to http://127.0.0.1:9/secret");
        });
    hook.tell("c", "n", alarm(true), 1);
    runAll();
    assertEquals(3, seen.size());
    assertEquals(Webhook.PAUSES_MILLIS, pauses);
    assertEquals(0, hook.sent());
    assertEquals(1, hook.lost());
  }

  @Test
  void aRetryIsNotOvertaken() {
    Webhook hook =
        hook((to, json) -> {
          see(json);
          return seen.size() == 1 ? 503 : 200;
        });
    hook.tell("c", "n", alarm(true), 1);
    hook.tell("c", "n", alarm(false), 2);
    runAll();
    assertEquals(
        List.of("rejected_writes true", "rejected_writes true", "rejected_writes false"), seen);
    assertEquals(2, hook.sent());
  }

  @Test
  void theQueueIsBounded() {
    Webhook hook = hook((to, json) -> 200);
    for (int i = 0; i < Webhook.MOST_WAITING + 7; i++) {
      hook.tell("c", "n", alarm(true), i);
    }
    assertEquals(7, hook.lost());
    runAll();
    assertEquals(Webhook.MOST_WAITING, hook.sent());
  }

  @Test
  void nowhereMeansNothingIsKept() {
    Webhook hook = new Webhook(() -> null, (to, json) -> 200, work::add, (m, t) -> {});
    hook.tell("c", "n", alarm(true), 1);
    assertTrue(work.isEmpty());
  }

  @Test
  void postsWithoutFollowingRedirects() throws IOException {
    List<String> got = new CopyOnWriteArrayList<>();
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          byte[] body = exchange.getRequestBody().readAllBytes();
          got.add(
              exchange.getRequestMethod()
                  + " "
                  + exchange.getRequestURI()
                  + " "
                  + exchange.getRequestHeaders().getFirst("Content-Type")
                  + " "
                  + new String(body, StandardCharsets.UTF_8));
          boolean moved = exchange.getRequestURI().getPath().equals("/moved");
          if (moved) {
            exchange.getResponseHeaders().add("Location", "/elsewhere");
          }
          // with a body: after answers without one the JDK's server resets one connection in 200
          exchange.sendResponseHeaders(moved ? 307 : 202, 2);
          exchange.getResponseBody().write(new byte[] {'o', 'k'});
          exchange.close();
        });
    server.start();
    try {
      String base = "http://127.0.0.1:" + server.getAddress().getPort();
      byte[] json = "{}".getBytes(StandardCharsets.UTF_8);
      HttpPost post = new HttpPost();
      assertEquals(
          202, post.send(new Webhook.Target(URI.create(base + "/hook?x=1"), 60_000), json));
      assertEquals(307, post.send(new Webhook.Target(URI.create(base + "/moved"), 60_000), json));
    } finally {
      server.stop(0);
    }
    assertEquals(
        List.of("POST /hook?x=1 application/json {}", "POST /moved application/json {}"), got);
  }

  @Test
  void whoDoesNotAnswerTimesOut() throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      URI uri = URI.create("http://127.0.0.1:" + silent.getLocalPort() + "/");
      assertThrows(
          SocketTimeoutException.class,
          () -> new HttpPost().send(new Webhook.Target(uri, 100), new byte[] {'1'}));
    }
  }

  private static @Nullable URI parse(String text) {
    return WebhookAddress.parse("the.setting", text);
  }

  @Test
  void addresses() {
    assertNull(parse(""));
    assertNotNull(parse("https://hooks.example.org/services/T0/B0/x"));
    assertNotNull(parse("http://[::1]:8080/"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ftp://h/SECRET",
        "h/SECRET",
        "http:///SECRET",
        "http://u:SECRET@h/",
        "http://h/SECRET space"
      })
  void badAddressesAreRefusedWithoutRepeatingThem(String text) {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> parse(text));
    assertTrue(refused.getMessage().contains("[the.setting]"), refused.getMessage());
    assertFalse(refused.getMessage().contains("SECRET"), refused.getMessage());
    assertNull(refused.getCause());
  }
}
