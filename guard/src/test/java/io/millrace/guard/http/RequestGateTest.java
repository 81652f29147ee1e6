package io.millrace.guard.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.guard.inbound.ByteBudget.Flow;
import io.millrace.guard.inbound.ByteBudget.Ticket;
import io.millrace.guard.inbound.InboundBudget;
import io.millrace.guard.inbound.Reservation;
import io.millrace.guard.outbound.OutboundBudget;
import io.millrace.kernel.Feature;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.PrematureChannelClosureException;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpContentDecompressor;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The gate in a pipeline as stock builds it, without sockets: what passes, waits and comes back.
 */
class RequestGateTest {
  private static final int KB = 1024;

  private final InboundBudget budget =
      new InboundBudget(Feature.switchFor("guard.inbound-budget", true));
  private final EmbeddedChannel channel = new EmbeddedChannel();

  @BeforeEach
  void pipeline() {
    budget.small().limit(100 * KB);
    budget.large().limit(1000 * KB);
    channel
        .pipeline()
        .addLast(new HttpServerCodec())
        .addLast(new BodilessUpgrade())
        .addLast(new HttpContentDecompressor(0));
    Exchanges exchanges =
        new Exchanges(
            new OutboundBudget(Feature.switchFor("guard.outbound-budget", true)), new WriteMeter());
    RequestGate gate = new RequestGate(budget, 1000 * KB, new Reservation.Flows(), exchanges);
    exchanges.feed(gate);
    channel
        .pipeline()
        .addLast(gate)
        .addLast(new HttpObjectAggregator(1000 * KB))
        .addLast(exchanges);
  }

  @AfterEach
  void everythingCameBack() {
    channel.finishAndReleaseAll();
    assertEquals(0, budget.small().used());
    assertEquals(0, budget.large().used());
    assertEquals(0, budget.small().waiting());
    assertEquals(0, budget.large().waiting());
  }

  private void receive(String text) {
    channel.writeInbound(Unpooled.copiedBuffer(text, US_ASCII));
  }

  private static String head(String headers) {
    return "POST /_bulk HTTP/1.1\r\nHost: x\r\n" + headers + "\r\n\r\n";
  }

  private String sent() {
    StringBuilder text = new StringBuilder();
    ByteBuf part;
    while ((part = channel.readOutbound()) != null) {
      text.append(part.toString(US_ASCII));
      part.release();
    }
    return text.toString();
  }

  private Ticket block(int bytes) {
    Ticket ticket = budget.small().ask(new Flow(), bytes, () -> {});
    assertTrue(ticket.granted());
    return ticket;
  }

  @Test
  void reservesTheDeclaredLengthBeforeTheBodyComes() {
    receive(head("Content-Length: 50000"));
    assertEquals(50_000, budget.small().used());
    receive("x".repeat(50_000));
    FullHttpRequest request = channel.readInbound();
    assertEquals(50_000, request.content().readableBytes());
    request.release();
  }

  @Test
  void bodiesOfAFewKilobytesAreFree() {
    Ticket all = block(100 * KB);
    receive(head("Content-Length: 4000") + "x".repeat(4000));
    FullHttpRequest request = channel.readInbound();
    assertNotNull(request);
    request.release();
    all.close();
  }

  @Test
  void waitsWithoutReadingUntilBytesComeBack() {
    Ticket most = block(90 * KB);
    receive(head("Content-Length: 50000") + "x".repeat(1000));
    assertNull(channel.readInbound());
    assertFalse(channel.config().isAutoRead());
    assertEquals(1, budget.small().waiting());
    most.close();
    channel.runPendingTasks();
    assertTrue(channel.config().isAutoRead());
    receive("x".repeat(49_000));
    FullHttpRequest request = channel.readInbound();
    assertEquals(50_000, request.content().readableBytes());
    request.release();
    assertEquals(1, budget.waits());
  }

  @Test
  void refusesWhenTheWaitIsOverAndServesOn() {
    Ticket most = block(90 * KB);
    receive(head("Content-Length: 50000") + "x".repeat(1000));
    channel.advanceTimeBy(11, java.util.concurrent.TimeUnit.SECONDS);
    channel.runPendingTasks();
    String answer = sent();
    assertTrue(answer.startsWith("HTTP/1.1 429 "), answer);
    assertTrue(answer.toLowerCase(java.util.Locale.ROOT).contains("retry-after: "), answer);
    assertTrue(answer.contains("[millrace.guard.inbound_budget.small]"), answer);
    assertTrue(answer.endsWith("\"status\":429}"), answer);
    // the rest of the body is thrown away, the next request is served
    receive("x".repeat(49_000) + "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    FullHttpRequest next = channel.readInbound();
    assertEquals("/", next.uri());
    next.release();
    assertTrue(channel.isOpen());
    most.close();
  }

  @Test
  void whoMayLeaveItsBodyOutIsClosedAfterARefusal() {
    Ticket most = block(90 * KB);
    receive(head("Content-Length: 50000\r\nExpect: 100-continue"));
    channel.advanceTimeBy(11, java.util.concurrent.TimeUnit.SECONDS);
    channel.runPendingTasks();
    String answer = sent();
    assertTrue(answer.startsWith("HTTP/1.1 429 "), answer);
    assertTrue(answer.toLowerCase(java.util.Locale.ROOT).contains("connection: close"), answer);
    channel.advanceTimeBy(6, java.util.concurrent.TimeUnit.SECONDS);
    channel.runPendingTasks();
    assertFalse(channel.isOpen());
    most.close();
  }

  @Test
  void chunkedBodiesReserveAsTheyGrow() {
    receive(head("Transfer-Encoding: chunked"));
    assertEquals(0, budget.small().used());
    String chunk = Integer.toHexString(10_000) + "\r\n" + "x".repeat(10_000) + "\r\n";
    receive(chunk);
    assertEquals(64 * KB, budget.small().used());
    Ticket beyond = budget.small().grow(null, 40 * KB, () -> {});
    for (int i = 0; i < 6; i++) {
      receive(chunk);
    }
    assertEquals(1, budget.small().waiting(), "70,000 bytes are more than the first 64 KB");
    assertFalse(channel.config().isAutoRead());
    beyond.close();
    channel.runPendingTasks();
    receive("0\r\n\r\n");
    FullHttpRequest request = channel.readInbound();
    assertEquals(70_000, request.content().readableBytes());
    request.release();
  }

  @Test
  void compressedBodiesCountAsWhatTheyBecome() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
      gzip.write(new byte[60_000]);
    }
    receive(head("Content-Encoding: gzip\r\nContent-Length: " + bytes.size()));
    channel.writeInbound(Unpooled.wrappedBuffer(bytes.toByteArray()));
    assertTrue(budget.small().peak() >= 60_000, "peak " + budget.small().peak());
    FullHttpRequest request = channel.readInbound();
    assertEquals(60_000, request.content().readableBytes());
    request.release();
  }

  @Test
  void whatIsAnnouncedTooLongIsStocksToRefuse() {
    receive(head("Content-Length: 99999999"));
    assertEquals(0, budget.large().used());
    assertTrue(sent().startsWith("HTTP/1.1 413 "));
  }

  @Test
  void aHangUpGivesBytesAndPlaceBack() {
    receive(head("Content-Length: 50000") + "x".repeat(100));
    assertEquals(50_000, budget.small().used());
    assertThrows(
        PrematureChannelClosureException.class,
        () -> {
          channel.close();
          channel.runPendingTasks();
          channel.checkException();
        },
        "stock's words for it");
    assertEquals(0, budget.small().used());
  }

  @Test
  void aHangUpWhileWaitingGivesThePlaceBack() {
    Ticket most = block(90 * KB);
    receive(head("Content-Length: 50000") + "x".repeat(100));
    assertEquals(1, budget.small().waiting());
    channel.close();
    channel.runPendingTasks();
    assertEquals(0, budget.small().waiting());
    most.close();
  }

  @Test
  void anUpgradeWithABodyIsNotGatheredInFrontOfTheGate() {
    receive(
        head("Connection: Upgrade\r\nUpgrade: h2c\r\nHTTP2-Settings: AAA\r\nContent-Length: 9000")
            + "x".repeat(9000));
    FullHttpRequest request = channel.readInbound();
    assertFalse(request.headers().contains("Upgrade"));
    request.release();
  }
}
