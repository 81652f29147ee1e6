package io.millrace.guard.http;

import io.millrace.guard.inbound.InboundBudget;
import io.millrace.guard.inbound.Reservation;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayDeque;
import java.util.concurrent.Future;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.unit.TimeValue;

/**
 * Lets a request of one connection pass once its bytes are reserved; until then the connection is
 * not read, so that the body stays with the client.
 *
 * <p>One per connection, or per stream of HTTP/2, used by its event loop alone. What the decoders
 * had already made of bytes that were read is held in order: at most one read, 64 KB, unless it was
 * compressed. Not reading takes more than {@code autoRead=false}: the handlers behind this one ask
 * to read by themselves when that is off (MessageAggregator, HttpContentDecoder), so {@link #read}
 * and {@link #channelReadComplete} stop them.
 *
 * <p>A request that waited too long is answered with 429, after the answers to earlier requests of
 * its connection, and what comes of its body is thrown away as it comes: a client that sends first
 * and reads then still gets its answer, and the connection serves on. Only when part of the body
 * was passed on already, or when the client may leave its body out (Expect), the connection ends.
 */
final class RequestGate extends ChannelDuplexHandler {
  private static final Logger LOGGER = LogManager.getLogger(RequestGate.class);

  /** What decompression may make of one read while a request waits. */
  private static final long MOST_HELD = 4 << 20;

  private static final TimeValue SECOND = TimeValue.timeValueSeconds(1);

  private final InboundBudget budget;
  private final long maxContentLength;
  private final Exchanges exchanges;
  private final Reservation.Flows flows;
  private final SenderRate rate;
  private final ArrayDeque<Object> held = new ArrayDeque<>();
  private @Nullable ChannelHandlerContext context;

  /** The request whose body is still coming; null between requests. */
  private @Nullable Reservation current;

  private @Nullable HttpRequest head;
  private long declared;
  private long received;
  private boolean passed;
  private boolean handedOver;

  private boolean waiting;
  private boolean discarding;
  private boolean closing;
  private boolean closed;
  private long waitingSince;
  private @Nullable Future<?> patience;
  private @Nullable FullHttpResponse refusal;

  private @Nullable Future<?> watched;
  private @Nullable Future<?> lingering;

  /**
   * A gate for one connection.
   *
   * @param maxContentLength bodies declared longer reserve nothing: stock answers 413 at once
   * @param flows the connection's place in line, shared by all streams of one
   */
  RequestGate(
      InboundBudget budget, long maxContentLength, Reservation.Flows flows, Exchanges exchanges) {
    this.budget = budget;
    this.maxContentLength = maxContentLength;
    this.flows = flows;
    this.exchanges = exchanges;
    this.rate = new SenderRate(budget, flows);
  }

  @Override
  public void handlerAdded(ChannelHandlerContext added) {
    context = added;
  }

  private ChannelHandlerContext context() {
    if (context == null) {
      throw new IllegalStateException("not in a pipeline yet");
    }
    return context;
  }

  private long now() {
    return context().executor().ticker().nanoTime();
  }

  /** The reservation of the request that has just become whole; it is the caller's to close. */
  Reservation handOver() {
    handedOver = true;
    return current == null ? new Reservation(budget, flows, true) : current;
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (closed) {
      ReferenceCountUtil.release(message);
    } else if (!(message instanceof HttpObject)) {
      ctx.fireChannelRead(message);
    } else if (waiting) {
      hold(message);
    } else {
      take(message);
    }
  }

  private void hold(Object message) {
    held.add(message);
    if (refusal == null && heldBytes() > MOST_HELD) {
      // one read became that much: more would follow while it waits
      refuse();
    }
  }

  private long heldBytes() {
    long bytes = 0;
    for (Object message : held) {
      if (message instanceof HttpContent content) {
        bytes += content.content().readableBytes();
      }
    }
    return bytes;
  }

  /** Passes a message on, throws it away, or begins to wait with it at the head of what is held. */
  private void take(Object message) {
    if (message instanceof HttpRequest request) {
      begin(request);
    }
    if (discarding) {
      discard(message);
      return;
    }
    int bytes = message instanceof HttpContent content ? content.content().readableBytes() : 0;
    if (!admitted(bytes)) {
      held.addFirst(message);
      await();
      return;
    }
    received += bytes;
    pass(message);
  }

  private void begin(HttpRequest request) {
    if (head == request) {
      return; // it waited
    }
    finish();
    head = request;
    declared = declaredLength(request);
    current = new Reservation(budget, flows, declared >= 0);
    received = 0;
    rate.begin();
    passed = false;
    handedOver = false;
  }

  /** The announced length of a body, -1 when it is not announced or not a number. */
  private static long declaredLength(HttpRequest request) {
    try {
      return HttpUtil.getContentLength(request, -1L);
    } catch (NumberFormatException e) {
      return -1; // stock words the error
    }
  }

  private boolean admitted(int bytes) {
    Reservation reservation = current;
    if (reservation == null || head == null) {
      return true; // what follows a broken head
    }
    if (!passed && !exchanges.room()) {
      return false;
    }
    if (declared > maxContentLength) {
      return true;
    }
    return reservation.reserve(
        Math.max(declared, received + bytes), () -> EventLoop.soon(context(), this::resume));
  }

  private void pass(Object message) {
    passed = true;
    boolean last = message instanceof LastHttpContent;
    context().fireChannelRead(message);
    if (last) {
      finish();
    } else {
      watch();
    }
  }

  /** The body is whole: the request was handed over, or stock answered it itself (413, 417). */
  private void finish() {
    if (current != null && !handedOver) {
      current.close();
    }
    current = null;
    head = null;
  }

  private void await() {
    boolean began = !waiting;
    waits(true);
    context().channel().config().setAutoRead(false);
    if (current != null && current.wanted() == 0) {
      if (began) {
        exchanges.budget().countPipelineWait();
      }
      endPatience();
      return; // for room: earlier requests decide how long
    }
    if (patience == null) {
      budget.countWait();
      waitingSince = now();
      patience = EventLoop.later(context(), budget.maxWait(), this::refuse);
    }
  }

  private void endPatience() {
    if (patience != null) {
      patience.cancel(false);
      patience = null;
      budget.countWaited(now() - waitingSince);
    }
  }

  /** Bytes may have been granted. */
  private void resume() {
    if (!closed && waiting && refusal == null) {
      goOn();
    }
  }

  /** A response was written: there may be room for another request, or it is a refusal's turn. */
  void exchanged() {
    if (closed || !waiting) {
      return;
    }
    if (refusal != null) {
      answerRefusal();
    } else {
      goOn();
    }
  }

  private void waits(boolean now) {
    if (now != waiting) {
      waiting = now;
      flows.waits(now);
    }
  }

  private void goOn() {
    waits(false);
    boolean some = false;
    Object message;
    while (!waiting && !closed && (message = held.poll()) != null) {
      some = true;
      take(message);
      if (!waiting) {
        endPatience();
      }
    }
    if (!waiting && !closed) {
      endPatience();
      rate.restart(now(), received);
      if (some) {
        context().fireChannelReadComplete();
      }
      if (!waiting && !closed) {
        // on HTTP/2 that may have read, and what was read may wait again
        context().channel().config().setAutoRead(true);
      }
    }
  }

  private void refuse() {
    if (closed || !waiting || refusal != null || current == null || head == null) {
      return;
    }
    endPatience();
    if (current.granted()) {
      goOn(); // its bytes came first, the word of it is still on the way
      return;
    }
    closing = passed || HttpUtil.is100ContinueExpected(head) || !HttpUtil.isKeepAlive(head);
    refusal =
        Refusal.tooManyBytes(
            head,
            Math.max(declared, received + current.wanted()),
            current.askedOf(),
            budget,
            closing);
    budget.countRefusal();
    if (passed) {
      forget();
    }
    current.close();
    if (exchanges.idle()) {
      answerRefusal();
    }
  }

  /** Frees what was gathered of a body that will never be whole: its connection ends. */
  private void forget() {
    ChannelHandler aggregator = context().pipeline().get(HttpObjectAggregator.class);
    if (aggregator != null) {
      context().pipeline().remove(aggregator);
    }
  }

  private void answerRefusal() {
    FullHttpResponse response = refusal;
    if (response == null || !exchanges.idle()) {
      return;
    }
    refusal = null;
    discarding = true;
    context().writeAndFlush(response).addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
    if (closing) {
      // an answer is lost when the socket closes with unread bytes in it: read on for a while
      lingering =
          EventLoop.later(context(), budget.floorWindow(), () -> EventLoop.close(context()));
    }
    goOn();
  }

  private void discard(Object message) {
    if (message instanceof HttpContent content) {
      received += content.content().readableBytes();
    }
    boolean last = message instanceof LastHttpContent;
    ReferenceCountUtil.release(message);
    if (last) {
      discarding = false;
      finish();
      if (closing) {
        EventLoop.close(context());
        drop(); // what was sent after it is not served
      }
    } else {
      watch();
    }
  }

  private void watch() {
    if (watched == null && budget.on() && budget.floorRate() > 0) {
      rate.restart(now(), received);
      watched = EventLoop.later(context(), SECOND, this::look);
    }
  }

  /** Once a second while a body is coming: does it come fast enough? */
  private void look() {
    watched = null;
    if (closed || head == null || !budget.on()) {
      return;
    }
    if (waiting && current != null && current.inTheWay()) {
      refuse();
      if (closed || watched != null) {
        return; // what comes now is thrown away, and watched again
      }
    }
    double slow = rate.tooSlow(now(), received, waiting);
    if (slow >= 0) {
      tooSlow(slow);
      return;
    }
    watched = EventLoop.later(context(), SECOND, this::look);
  }

  private void tooSlow(double slow) {
    budget.countSlowSender();
    LOGGER.warn(
        "closing [{}]: a body came at [{}] bytes/s over [{}], below floor_rate [{}]; [{}] bytes of it"
            + " had come",
        context().channel(),
        (long) slow,
        budget.floorWindow(),
        budget.floorRate(),
        received);
    if (exchanges.idle() && !discarding && head != null) {
      FullHttpResponse answer = Refusal.tooSlow(head, (long) slow, budget.floorRate());
      context().writeAndFlush(answer).addListener(ChannelFutureListener.CLOSE);
    } else {
      EventLoop.abort(context());
    }
    drop();
  }

  @Override
  public void read(ChannelHandlerContext ctx) throws Exception {
    if (!waiting) {
      super.read(ctx);
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) throws Exception {
    if (!waiting) {
      super.channelReadComplete(ctx);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    drop();
    ctx.fireChannelInactive();
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    drop();
  }

  private void drop() {
    if (closed) {
      return;
    }
    closed = true;
    waits(false);
    endPatience();
    if (watched != null) {
      watched.cancel(false);
    }
    if (lingering != null) {
      lingering.cancel(false);
    }
    held.forEach(ReferenceCountUtil::release);
    held.clear();
    if (refusal != null) {
      refusal.release();
      refusal = null;
    }
    finish();
  }
}
