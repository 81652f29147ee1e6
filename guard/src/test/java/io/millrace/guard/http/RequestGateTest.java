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
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.PrematureChannelClosureException;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpContentDecompressor;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
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
  private final Reservation.Flows flows = new Reservation.Flows();
  private final OutboundBudget outbound =
      new OutboundBudget(Feature.switchFor("guard.outbound-budget", true));
  private final EmbeddedChannel channel = new EmbeddedChannel();
  private Ticket beyond = budget.small().ask(new Flow(), 0, () -> {});

  @BeforeEach
  void pipeline() {
    budget.small().limit(100 * KB);
    budget.large().limit(1000 * KB);
    pipeline(channel);
  }

  private void pipeline(EmbeddedChannel of) {
    of.pipeline()
        .addLast(new HttpServerCodec())
        .addLast(new BodilessUpgrade())
        .addLast(new HttpContentDecompressor(0));
    Exchanges exchanges = new Exchanges(outbound, new WriteMeter());
    RequestGate gate = new RequestGate(budget, 1000 * KB, flows, exchanges);
    exchanges.feed(gate);
    of.pipeline().addLast(gate).addLast(new HttpObjectAggregator(10_000 * KB)).addLast(exchanges);
  }

  @AfterEach
  void everythingCameBack() {
    beyond.close();
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

  /** Another body that grows, beyond the limit. */
  private Ticket exceed(int bytes) {
    Ticket ticket = budget.small().grow(null, bytes, () -> {});
    assertTrue(ticket.granted());
    assertTrue(budget.small().used() > budget.small().limit());
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
    channel.advanceTimeBy(11, TimeUnit.SECONDS);
    channel.runPendingTasks();
    String answer = sent();
    assertTrue(answer.startsWith("HTTP/1.1 429 "), answer);
    assertTrue(answer.toLowerCase(Locale.ROOT).contains("retry-after: "), answer);
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
    channel.advanceTimeBy(11, TimeUnit.SECONDS);
    channel.runPendingTasks();
    String answer = sent();
    assertTrue(answer.startsWith("HTTP/1.1 429 "), answer);
    assertTrue(answer.toLowerCase(Locale.ROOT).contains("connection: close"), answer);
    channel.advanceTimeBy(6, TimeUnit.SECONDS);
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
    beyond = exceed(40 * KB);
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

  @Test
  void anUpgradeWithALengthThatIsNoNumberIsStocksToRefuse() {
    receive(head("Connection: Upgrade\r\nUpgrade: h2c\r\nContent-Length: many"));
    FullHttpRequest request = channel.readInbound();
    assertTrue(request.decoderResult().isFailure(), "stock answers 400");
    request.release();
  }

  /** Chunks of a body that waits for another that exceeds the limit, a part of it passed on. */
  private ByteBuf overstep(Supplier<Ticket> other) {
    receive(head("Transfer-Encoding: chunked"));
    String chunk = Integer.toHexString(10_000) + "\r\n" + "x".repeat(10_000) + "\r\n";
    ByteBuf first = Unpooled.copiedBuffer(chunk, US_ASCII);
    channel.writeInbound(first);
    beyond = other.get();
    for (int i = 0; i < 6; i++) {
      receive(chunk);
    }
    assertEquals(1, budget.small().waiting());
    return first;
  }

  @Test
  void whoseBytesCameInTimeIsNotRefused() {
    Ticket most = block(90 * KB);
    receive(head("Content-Length: 50000") + "x".repeat(50_000));
    channel.advanceTimeBy(11, TimeUnit.SECONDS);
    most.close();
    channel.runScheduledPendingTasks(); // the word of the grant comes after
    FullHttpRequest request = channel.readInbound();
    assertNotNull(request);
    request.release();
    assertEquals("", sent());
    assertEquals(0, budget.refusals());
    channel.runPendingTasks();
  }

  @Test
  void aRefusalInTheMiddleFreesWhatWasGathered() {
    ByteBuf first = overstep(() -> exceed(90 * KB));
    assertTrue(first.refCnt() > 0);
    channel.advanceTimeBy(11, TimeUnit.SECONDS);
    channel.runPendingTasks();
    assertTrue(sent().startsWith("HTTP/1.1 429 "));
    assertEquals(0, first.refCnt());
    assertEquals(90 * KB, budget.small().used());
    beyond.close();
  }

  @Test
  void nothingIsServedAfterARefusalThatEndsTheConnection() {
    overstep(() -> exceed(90 * KB));
    // behind the end of that body, in the same read
    receive("0\r\n\r\nGET /after HTTP/1.1\r\nHost: x\r\n\r\n");
    channel.advanceTimeBy(11, TimeUnit.SECONDS);
    channel.runPendingTasks();
    String answer = sent();
    assertTrue(answer.startsWith("HTTP/1.1 429 "), answer);
    assertTrue(answer.toLowerCase(Locale.ROOT).contains("connection: close"), answer);
    assertNull(channel.readInbound());
    assertFalse(channel.isOpen());
    beyond.close();
  }

  /** What a stream of HTTP/2 does: it hands over a frame that has come as soon as it is read. */
  private static final class Frames extends ChannelDuplexHandler {
    private final ArrayDeque<HttpContent> queue = new ArrayDeque<>();

    @Override
    public void read(ChannelHandlerContext context) {
      HttpContent frame = queue.poll();
      if (frame != null) {
        context.fireChannelRead(frame);
        context.fireChannelReadComplete();
      }
    }
  }

  @Test
  void whatWaitsAgainWhileItGoesOnIsReadAgain() {
    Frames frames = new Frames();
    String gate = channel.pipeline().context(RequestGate.class).name();
    channel.pipeline().addBefore(gate, "frames", frames);
    budget.small().limit(300 * KB);
    overstep(() -> exceed(300 * KB));
    // the next frame becomes more than the next step
    frames.queue.add(new DefaultHttpContent(Unpooled.wrappedBuffer(new byte[200 * KB])));
    frames.queue.add(new DefaultLastHttpContent());
    beyond.close();
    Ticket again = exceed(200 * KB);
    channel.runPendingTasks();
    assertEquals(1, frames.queue.size());
    assertEquals(1, budget.small().waiting(), "it waits again");
    assertFalse(channel.config().isAutoRead());
    again.close();
    channel.runPendingTasks();
    FullHttpRequest request = channel.readInbound();
    assertNotNull(request, "the last frame was read");
    assertEquals(70_000 + 200 * KB, request.content().readableBytes());
    request.release();
  }

  @Test
  void aSiblingsWaitExcusesASender() {
    EmbeddedChannel sibling = new EmbeddedChannel();
    pipeline(sibling);
    receive(head("Content-Length: 50000") + "x".repeat(1000));
    sibling.writeInbound(Unpooled.copiedBuffer(head("Content-Length: 90000"), US_ASCII));
    assertEquals(1, budget.small().waiting());
    // its window may be full of what nobody reads
    seconds(9);
    assertEquals("", sent());
    assertTrue(channel.isOpen());
    // but not for ever
    assertThrows(PrematureChannelClosureException.class, () -> seconds(8));
    String answer = sent();
    assertTrue(answer.startsWith("HTTP/1.1 429 "), answer);
    assertTrue(answer.contains("slow_body_exception"), answer);
    assertTrue(answer.contains("retry-after: 1"), answer);
    assertThrows(PrematureChannelClosureException.class, sibling::finishAndReleaseAll);
  }

  @Test
  void withoutASiblingThatWaitsASenderIsClosed() {
    EmbeddedChannel sibling = new EmbeddedChannel();
    pipeline(sibling);
    receive(head("Content-Length: 50000") + "x".repeat(1000));
    sibling.writeInbound(Unpooled.copiedBuffer(head("Content-Length: 90000"), US_ASCII));
    sibling.finishAndReleaseAll();
    assertFalse(flows.someWait());
    assertThrows(PrematureChannelClosureException.class, () -> seconds(7));
    String answer = sent();
    assertTrue(answer.startsWith("HTTP/1.1 429 "), answer);
    assertTrue(answer.contains("slow_body_exception"), answer);
    assertTrue(answer.contains("retry-after: 1"), answer);
  }

  @Test
  void aLargeBodyMakesWayForSmallOnes() {
    budget.small().limit(10_000 * KB);
    Ticket all = budget.large().ask(new Flow(), 2000 * KB, () -> {});
    receive(head("Transfer-Encoding: chunked"));
    String chunk = Integer.toHexString(60_000) + "\r\n" + "x".repeat(60_000) + "\r\n";
    while (budget.large().waiting() == 0) {
      receive(chunk);
    }
    seconds(2);
    assertEquals("", sent(), "in nobody's way");
    Ticket small = budget.small().ask(new Flow(), 5000 * KB, () -> {});
    assertFalse(small.granted());
    seconds(1);
    assertTrue(sent().startsWith("HTTP/1.1 429 "));
    assertTrue(small.granted());
    small.close();
    all.close();
  }

  private void seconds(int count) {
    for (int i = 0; i < count; i++) {
      channel.advanceTimeBy(1, TimeUnit.SECONDS);
      channel.runPendingTasks();
    }
    channel.checkException();
  }
}
