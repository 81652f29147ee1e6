package io.millrace.guard.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.guard.inbound.InboundBudget;
import io.millrace.guard.inbound.Reservation;
import io.millrace.guard.outbound.OutboundBudget;
import io.millrace.kernel.Feature;
import io.millrace.kernel.slot.HttpDoor;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpContentDecompressor;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.opensearch.http.HttpServerTransport;

/** The door in a pipeline as stock builds it, without sockets: which bodies come in, and when. */
class DoorGateTest {
  private static final int KB = 1024;
  private static final String GOOD = "Authorization: good\r\n";
  private static final String BAD = "Authorization: bad\r\n";
  private static final String SLOW = "Authorization: slow\r\n";

  /** Knows {@code good}, not {@code bad}, and says of {@code slow} when it is told to. */
  private static final class Door implements HttpDoor {
    private final List<Consumer<Optional<String>>> waiting = new ArrayList<>();
    private int asked;

    @Override
    public HttpServerTransport.Dispatcher inside(HttpServerTransport.Dispatcher dispatcher) {
      return dispatcher;
    }

    @Override
    public void knock(Head head, Consumer<Optional<String>> refusal) {
      asked++;
      if (head.authorization().equals(List.of("slow"))) {
        waiting.add(refusal);
      } else {
        refusal.accept(answer(head.authorization().equals(List.of("good"))));
      }
    }

    /** From a thread of its own, as the threads that check passwords do. */
    void tell(int which, boolean known) throws InterruptedException {
      Thread other = new Thread(() -> waiting.get(which).accept(DoorGateTest.answer(known)));
      other.start();
      other.join();
    }

    @Override
    public boolean open() {
      return false;
    }
  }

  private static Optional<String> answer(boolean known) {
    return known ? Optional.empty() : Optional.of("refused");
  }

  private final Door door = new Door();
  private final InboundBudget budget =
      new InboundBudget(Feature.switchFor("guard.inbound-budget", true));
  private final Reservation.Flows flows = new Reservation.Flows();
  private final EmbeddedChannel channel = new EmbeddedChannel();

  @BeforeEach
  void pipeline() {
    Exchanges exchanges =
        new Exchanges(
            new OutboundBudget(Feature.switchFor("guard.outbound-budget", true)), new WriteMeter());
    RequestGate gate = new RequestGate(budget, 10_000 * KB, flows, exchanges);
    exchanges.feed(gate);
    channel
        .pipeline()
        .addLast(new HttpServerCodec())
        .addLast(new DoorGate(door, flows))
        .addLast(new HttpContentDecompressor(0))
        .addLast(gate)
        .addLast(new HttpObjectAggregator(10_000 * KB))
        .addLast(exchanges);
  }

  @AfterEach
  void everythingCameBack() {
    channel.finishAndReleaseAll();
    assertEquals(0, budget.small().used());
    assertEquals(0, budget.large().used());
    assertFalse(flows.someWait());
  }

  private ByteBuf receive(String text) {
    ByteBuf bytes = Unpooled.copiedBuffer(text, US_ASCII);
    channel.writeInbound(bytes);
    return bytes;
  }

  private static String head(String headers) {
    return "POST /_bulk HTTP/1.1\r\nHost: x\r\n" + headers + "\r\n";
  }

  private static String length(int bytes) {
    return "Content-Length: " + bytes + "\r\n";
  }

  private FullHttpRequest next() {
    FullHttpRequest request = channel.readInbound();
    assertNotNull(request, "a request went on");
    request.release();
    return request;
  }

  private void assertRefused(boolean ends) {
    FullHttpRequest request = next();
    assertEquals("refused", request.headers().get("Authorization"));
    assertEquals("/_bulk", request.uri());
    assertFalse(request.headers().contains("Content-Length"));
    assertFalse(request.headers().contains("Transfer-Encoding"));
    assertFalse(request.headers().contains("Expect"));
    assertEquals(ends ? "close" : null, request.headers().get("Connection"));
  }

  @Test
  void bodiesOfKnownSendersComeIn() {
    receive(head(GOOD + length(2000)) + "x".repeat(1000));
    receive("x".repeat(1000));
    assertEquals("good", next().headers().get("Authorization"));
    assertTrue(channel.config().isAutoRead());
    assertEquals(1, door.asked);
  }

  @Test
  void requestsWithoutABodyAreTheDispatchersAlone() {
    receive("GET / HTTP/1.1\r\nHost: x\r\n" + BAD + "\r\n");
    assertEquals("bad", next().headers().get("Authorization"));
    receive("GET / HTTP/1.1\r\nHost: x\r\n" + BAD + length(0) + "\r\n");
    next();
    assertEquals(0, door.asked);
  }

  @Test
  void aLongBodyOfAStrangerIsNotRead() {
    ByteBuf first = receive(head(BAD + length(100_000_000)) + "x".repeat(60_000));
    assertEquals(0, first.refCnt(), "nothing of it is kept");
    assertFalse(channel.config().isAutoRead());
    assertRefused(true);
    // what was on its way all the same
    assertEquals(0, receive("x".repeat(60_000)).refCnt());
    assertNull(channel.readInbound());
    assertEquals(0, budget.large().peak());
    // stock closes after the answer; the client may take its time to read it
    assertFalse(channel.pipeline().close().isDone());
    assertTrue(channel.isOpen());
    channel.advanceTimeBy(DoorGate.LINGER.millis(), TimeUnit.MILLISECONDS);
    channel.runPendingTasks();
    assertFalse(channel.isOpen());
  }

  @Test
  void aChunkedBodyOfAStrangerIsNotRead() {
    receive(head(BAD + "Transfer-Encoding: chunked\r\n") + "ffff\r\n" + "x".repeat(30_000));
    assertFalse(channel.config().isAutoRead());
    assertRefused(true);
  }

  @Test
  void aStrangerIsNotToldToGoOn() {
    receive(head(BAD + length(500) + "Expect: 100-continue\r\n"));
    assertRefused(true);
    assertNull(channel.readOutbound(), "no 100");
  }

  @Test
  void afterAShortBodyTheConnectionServesOn() {
    receive(head(BAD + length(5000)) + "x".repeat(1000));
    assertRefused(false);
    receive("x".repeat(4000) + head(GOOD + length(3)) + "abc");
    FullHttpRequest second = channel.readInbound();
    assertEquals("abc", second.content().toString(US_ASCII));
    second.release();
    assertTrue(channel.config().isAutoRead());
  }

  @Test
  void everyRequestOfAConnectionIsAskedAbout() {
    receive(
        head(GOOD + length(3))
            + "abc"
            + head(BAD + length(3))
            + "GET"
            + head(length(3))
            + "abc"
            + head(GOOD + length(3))
            + "def");
    assertEquals("good", next().headers().get("Authorization"));
    assertRefused(false);
    assertRefused(false);
    assertEquals("good", next().headers().get("Authorization"));
    assertEquals(4, door.asked);
  }

  @Test
  void nothingIsReadWhileAPasswordIsChecked() throws InterruptedException {
    receive(head(SLOW + length(100_000)) + "x".repeat(60_000));
    assertFalse(channel.config().isAutoRead());
    assertTrue(flows.someWait(), "siblings are told");
    assertNull(channel.readInbound());
    assertEquals(0, budget.small().used());
    door.tell(0, true);
    channel.runPendingTasks();
    assertTrue(channel.config().isAutoRead());
    assertFalse(flows.someWait());
    receive("x".repeat(40_000));
    FullHttpRequest request = channel.readInbound();
    assertEquals(100_000, request.content().readableBytes());
    request.release();
  }

  @Test
  void pipelinedRequestsAreCheckedOneAfterTheOther() throws InterruptedException {
    receive(
        head(SLOW + length(3))
            + "abc"
            + head(SLOW + length(3))
            + "def"
            + head(GOOD + length(3))
            + "ghi");
    door.tell(0, true);
    channel.runPendingTasks();
    assertEquals("slow", next().headers().get("Authorization"));
    assertNull(channel.readInbound(), "the second waits, and the third behind it");
    assertFalse(channel.config().isAutoRead());
    door.tell(1, false);
    channel.runPendingTasks();
    assertRefused(false);
    assertEquals("good", next().headers().get("Authorization"));
    assertTrue(channel.config().isAutoRead());
  }

  @Test
  void aPasswordThatTurnsOutWrongEndsALongBody() throws InterruptedException {
    ByteBuf first = receive(head(SLOW + length(100_000)) + "x".repeat(60_000));
    door.tell(0, false);
    channel.runPendingTasks();
    assertEquals(0, first.refCnt());
    assertRefused(true);
    assertFalse(channel.config().isAutoRead());
  }

  @Test
  void whoHangsUpWhileAPasswordIsCheckedLeavesNothing() throws InterruptedException {
    ByteBuf first = receive(head(SLOW + length(100_000)) + "x".repeat(60_000));
    channel.close();
    channel.runPendingTasks();
    door.tell(0, true);
    channel.runPendingTasks();
    assertNull(channel.readInbound());
    assertEquals(0, first.refCnt());
  }

  @Test
  void theLastReasonNotToReadDecides() throws InterruptedException {
    budget.small().limit(KB);
    var all = budget.small().ask(new io.millrace.guard.inbound.ByteBudget.Flow(), KB, () -> {});
    // the first waits for bytes, the second for its password
    receive(head(GOOD + length(6000)) + "x".repeat(6000) + head(SLOW + length(6000)));
    assertEquals(1, budget.small().waiting());
    all.close();
    channel.runPendingTasks();
    next();
    assertFalse(channel.config().isAutoRead(), "the door still asks");
    door.tell(0, true);
    channel.runPendingTasks();
    assertTrue(channel.config().isAutoRead());
    receive("x".repeat(6000));
    next();
  }

  @Test
  void aBrokenHeadIsStocksToRefuse() {
    receive("POST /_bulk HTTP/1.1\r\nHost: x\r\n" + length(5) + "no colon\u0000\r\n\r\n");
    FullHttpRequest request = next();
    assertTrue(request.decoderResult().isFailure());
    assertEquals(0, door.asked);
  }
}
