package io.millrace.guard.bodythreads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.util.concurrent.OpenSearchExecutors;
import org.opensearch.common.util.concurrent.OpenSearchThreadPoolExecutor;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.MediaTypeRegistry;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.http.HttpServerTransport;
import org.opensearch.rest.BytesRestResponse;
import org.opensearch.rest.RestChannel;
import org.opensearch.rest.RestHandler;
import org.opensearch.rest.RestRequest;
import org.opensearch.test.rest.FakeRestChannel;
import org.opensearch.test.rest.FakeRestRequest;

class HandingDispatcherTest {
  private static final int FROM = 1_000;
  private static final int MOST = 10_000;
  private static final String KEY = "who";

  private final ThreadContext context = new ThreadContext(Settings.EMPTY);
  private final OpenSearchThreadPoolExecutor pool =
      OpenSearchExecutors.newFixed(
          "bodies", 1, 2, OpenSearchExecutors.daemonThreadFactory("bodies"), context);
  private final CountDownLatch gate = new CountDownLatch(1);
  private final CountDownLatch held = new CountDownLatch(1);
  private final List<Seen> seen = Collections.synchronizedList(new ArrayList<>());
  private boolean on = true;

  /** A request as the dispatcher behind gets it. */
  private record Seen(RestRequest request, Thread thread, @Nullable String who) {}

  /** Stock's part: answers, waits at the gate or fails, as the path says. */
  private final HttpServerTransport.Dispatcher stock =
      new HttpServerTransport.Dispatcher() {
        @Override
        public void dispatchRequest(RestRequest request, RestChannel channel, ThreadContext in) {
          assertSame(context, in);
          seen.add(new Seen(request, Thread.currentThread(), in.getHeader(KEY)));
          switch (request.rawPath()) {
            case "/held" -> {
              held.countDown();
              try {
                gate.await();
              } catch (InterruptedException e) {
                throw new AssertionError(e);
              }
            }
            case "/failing" -> throw new IllegalArgumentException("no such thing");
            default -> {}
          }
          channel.sendResponse(new BytesRestResponse(RestStatus.OK, "done"));
        }

        @Override
        public void dispatchBadRequest(
            RestChannel channel, ThreadContext in, @Nullable Throwable cause) {
          channel.sendResponse(new BytesRestResponse(RestStatus.BAD_REQUEST, "bad"));
        }

        @Override
        public Optional<RestHandler> dispatchHandler(
            String uri, String rawPath, RestRequest.Method method, Map<String, String> params) {
          return Optional.of((request, channel, client) -> {});
        }
      };

  private final HandingDispatcher dispatcher =
      new HandingDispatcher(stock, () -> on, () -> FROM, MOST, pool);

  @AfterEach
  void end() throws InterruptedException {
    gate.countDown();
    pool.shutdown();
    assertTrue(pool.awaitTermination(1, TimeUnit.MINUTES));
    assertEquals(0, dispatcher.waiting.get());
    assertEquals(0, dispatcher.bulks.get());
  }

  private FakeRestChannel send(String path, int bytes) {
    RestRequest request =
        new FakeRestRequest.Builder(NamedXContentRegistry.EMPTY)
            .withPath(path)
            .withContent(new BytesArray(new byte[bytes]), MediaTypeRegistry.JSON)
            .build();
    FakeRestChannel channel = new FakeRestChannel(request, true, 1);
    dispatcher.dispatchRequest(request, channel, context);
    return channel;
  }

  private void drain() throws InterruptedException {
    gate.countDown();
    pool.shutdown();
    assertTrue(pool.awaitTermination(1, TimeUnit.MINUTES));
  }

  private Seen of(String path) {
    return seen.stream().filter(s -> s.request().rawPath().equals(path)).findFirst().orElseThrow();
  }

  @Test
  void aLargeBodyIsReadElsewhereInTheContextOfItsRequest() throws Exception {
    FakeRestChannel answered;
    try (ThreadContext.StoredContext ignored = context.stashContext()) {
      context.putHeader(KEY, "me");
      answered = send("/large", FROM);
      assertEquals("me", context.getHeader(KEY));
    }
    FakeRestChannel other = send("/other", FROM);
    drain();
    assertNotSame(Thread.currentThread(), of("/large").thread());
    assertEquals("me", of("/large").who());
    assertNull(of("/other").who()); // what one request brought does not stay with the thread
    assertEquals(1, answered.responses().get());
    assertEquals(1, other.responses().get());
    assertEquals(2, dispatcher.handed.sum());
  }

  @Test
  void whatIsSmallStaysAndSoDoesAllWhenSwitchedOff() {
    assertEquals(1, send("/small", FROM - 1).responses().get());
    on = false;
    assertEquals(1, send("/off", 5 * FROM).responses().get());
    assertSame(Thread.currentThread(), of("/small").thread());
    assertSame(Thread.currentThread(), of("/off").thread());
    assertEquals(0, dispatcher.handed.sum() + dispatcher.kept.sum());
  }

  @Test
  void whereTooManyWaitItStays() throws Exception {
    List<FakeRestChannel> sent = new ArrayList<>(List.of(send("/held", FROM)));
    held.await();
    for (String path : List.of("/a/_bulk", "/_bulk/", "/third")) {
      sent.add(send(path, FROM));
    }
    assertEquals(2, dispatcher.bulks.get());
    assertEquals(2 * FROM, dispatcher.waiting.get());
    assertEquals(1, dispatcher.kept.sum());
    assertSame(Thread.currentThread(), of("/third").thread());
    drain();
    for (FakeRestChannel each : sent) {
      assertEquals(1, each.responses().get());
    }
    assertEquals(3, dispatcher.handed.sum());
  }

  @Test
  void whereTooMuchWaitsItStays() throws Exception {
    send("/held", FROM);
    held.await();
    send("/first", 5 * MOST); // however large it is, when nothing else waits
    send("/second", FROM);
    assertSame(Thread.currentThread(), of("/second").thread());
    assertEquals(5 * MOST, dispatcher.waiting.get());
    assertEquals(1, dispatcher.kept.sum());
    drain();
    assertNotSame(Thread.currentThread(), of("/first").thread());
  }

  /** A node that ends still reads what waits, and answers what comes then as stock does. */
  @Test
  void afterTheEndItStays() throws Exception {
    FakeRestChannel before = send("/held", FROM);
    held.await();
    FakeRestChannel waiting = send("/waiting", FROM);
    pool.shutdown();
    FakeRestChannel after = send("/after", FROM);
    assertSame(Thread.currentThread(), of("/after").thread());
    drain();
    for (FakeRestChannel each : List.of(before, waiting, after)) {
      assertEquals(1, each.responses().get());
    }
  }

  @Test
  void aFailureIsAnsweredOnce() throws Exception {
    FakeRestChannel failing = send("/failing", FROM);
    drain();
    assertEquals(1, failing.errors().get());
    assertEquals(RestStatus.BAD_REQUEST, failing.capturedResponse().status());
    String answer = failing.capturedResponse().content().utf8ToString();
    assertTrue(answer.contains("no such thing"), answer);
  }

  @Test
  void theRestIsStocks() {
    RestRequest request = new FakeRestRequest();
    FakeRestChannel channel = new FakeRestChannel(request, true, 1);
    dispatcher.dispatchBadRequest(channel, context, null);
    assertEquals(RestStatus.BAD_REQUEST, channel.capturedResponse().status());
    assertTrue(dispatcher.dispatchHandler("/", "/", RestRequest.Method.GET, Map.of()).isPresent());
  }
}
