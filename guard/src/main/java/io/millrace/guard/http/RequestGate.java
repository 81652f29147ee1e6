package io.millrace.guard.http;

import io.millrace.guard.inbound.InboundBudget;
import io.millrace.guard.inbound.Reservation;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
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
 * compressed. What it does with a message is its {@link GateState}. Not reading takes more than
 * {@code autoRead=false}: the handlers behind this one ask to read by themselves when that is off
 * (MessageAggregator, HttpContentDecoder), so {@link #read} and {@link #channelReadComplete} stop
 * them.
 *
 * <p>A request that waited too long is answered with 429, after the answers to earlier requests of
 * its connection, and what comes of its body is thrown away as it comes: a client that sends first
 * and reads then still gets its answer, and the connection serves on. Only when part of the body
 * was passed on already, or when the client may leave its body out (Expect), the connection ends.
 */
final class RequestGate extends ChannelDuplexHandler {
  private static final Logger LOGGER = LogManager.getLogger(RequestGate.class);

  private static final TimeValue SECOND = TimeValue.timeValueSeconds(1);

  private final InboundBudget budget;
  private final long maxContentLength;
  private final Exchanges exchanges;
  private final Reservation.Flows flows;
  private final SenderRate rate;
  private final Patience patience;
  private final HeldMessages held = new HeldMessages();
  private @Nullable ChannelHandlerContext context;

  private GateState state = GateState.PASSING;

  /** The request whose body is still coming; null between requests. */
  private @Nullable IncomingBody body;

  /** The answer of {@link GateState#REFUSED}, until it is written. */
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
    this.patience = new Patience(budget);
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

  /** Every change of the state; siblings on the connection are told whether this one waits. */
  private void become(GateState next) {
    assert state.leadsTo(next) : state + " to " + next;
    boolean held = state.holds();
    state = next;
    if (next.holds() != held) {
      flows.waits(next.holds());
    }
  }

  /** The reservation of the request that has just become whole; it is the caller's to close. */
  Reservation handOver() {
    return body == null ? new Reservation(budget, flows, true) : body.handOver();
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (state == GateState.CLOSED) {
      ReferenceCountUtil.release(message);
    } else if (!(message instanceof HttpObject)) {
      ctx.fireChannelRead(message);
    } else if (state.holds()) {
      hold(message);
    } else {
      take(message);
    }
  }

  private void hold(Object message) {
    held.add(message);
    if (state == GateState.WAITING && held.tooMuch()) {
      // one read became that much: more would follow while it waits
      refuse();
    }
  }

  /** Passes a message on, throws it away, or begins to wait with it at the head of what is held. */
  private void take(Object message) {
    if (message instanceof HttpRequest request) {
      begin(request);
    }
    if (state.discards()) {
      discard(message);
      return;
    }
    int bytes = HeldMessages.size(message);
    if (!admitted(bytes)) {
      held.putBack(message);
      await();
      return;
    }
    rate.receive(bytes);
    pass(message);
  }

  private void begin(HttpRequest request) {
    if (body != null && body.head() == request) {
      return; // it waited
    }
    finish();
    long declared = IncomingBody.declaredLength(request);
    body = new IncomingBody(request, declared, new Reservation(budget, flows, declared >= 0));
    rate.begin();
  }

  private boolean admitted(int bytes) {
    if (body == null) {
      return true; // what follows a broken head
    }
    if (!body.begun() && !exchanges.room()) {
      return false;
    }
    if (body.declared() > maxContentLength) {
      return true;
    }
    return body.reservation()
        .reserve(
            body.length(rate.received() + bytes), () -> EventLoop.soon(context(), this::resume));
  }

  private void pass(Object message) {
    if (body != null) {
      body.passOn();
    }
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
    if (body != null) {
      body.close();
      body = null;
    }
  }

  private void await() {
    boolean forRoom = body != null && body.reservation().wanted() == 0;
    become(GateState.WAITING);
    ReadPauses.of(context().channel()).pause(ReadPauses.BYTES);
    if (forRoom) {
      exchanges.budget().countPipelineWait();
      patience.end(context()); // earlier requests decide how long
    } else {
      patience.begin(context(), this::refuse);
    }
  }

  /** Bytes may have been granted. */
  private void resume() {
    if (state == GateState.WAITING) {
      become(GateState.PASSING);
      goOn();
    }
  }

  /** A response was written: there may be room for another request, or it is a refusal's turn. */
  void exchanged() {
    if (state == GateState.REFUSED) {
      answerRefusal();
    } else {
      resume();
    }
  }

  /** Takes what is held, until a message has to wait again. */
  private void goOn() {
    boolean some = false;
    Object message;
    while (moving() && (message = held.next()) != null) {
      some = true;
      take(message);
      if (!state.holds()) {
        patience.end(context());
      }
    }
    if (moving()) {
      patience.end(context());
      rate.restart(now());
      if (some) {
        context().fireChannelReadComplete();
      }
      if (moving()) {
        // on HTTP/2 that may have read, and what was read may wait again
        ReadPauses.of(context().channel()).resume(ReadPauses.BYTES);
      }
    }
  }

  private boolean moving() {
    return !state.holds() && state != GateState.CLOSED;
  }

  private void refuse() {
    if (state != GateState.WAITING || body == null) {
      return;
    }
    patience.end(context());
    Reservation reservation = body.reservation();
    if (reservation.granted()) {
      resume(); // its bytes came first, the word of it is still on the way
      return;
    }
    become(GateState.REFUSED);
    refusal =
        Refusal.tooManyBytes(
            body.head(),
            body.length(rate.received() + reservation.wanted()),
            reservation.askedOf(),
            budget,
            body.refusalEndsConnection());
    budget.countRefusal();
    if (body.begun()) {
      forget();
    }
    reservation.close();
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
    boolean ends = body == null || body.refusalEndsConnection();
    context().writeAndFlush(response).addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
    if (state == GateState.CLOSED) {
      return; // by a write that failed at once
    }
    become(ends ? GateState.ENDING : GateState.DISCARDING);
    if (ends) {
      // an answer is lost when the socket closes with unread bytes in it: read on for a while
      lingering =
          EventLoop.later(context(), budget.floorWindow(), () -> EventLoop.close(context()));
    }
    goOn();
  }

  private void discard(Object message) {
    rate.receive(HeldMessages.size(message));
    boolean last = message instanceof LastHttpContent;
    ReferenceCountUtil.release(message);
    if (!last) {
      watch();
      return;
    }
    finish();
    if (state == GateState.ENDING) {
      EventLoop.close(context());
      drop(); // what was sent after it is not served
    } else {
      become(GateState.PASSING);
    }
  }

  private void watch() {
    if (watched == null && budget.on() && budget.floorRate() > 0) {
      rate.restart(now());
      watched = EventLoop.later(context(), SECOND, this::look);
    }
  }

  /** Once a second while a body is coming: does it come fast enough? */
  private void look() {
    watched = null;
    if (state == GateState.CLOSED || body == null || !budget.on()) {
      return;
    }
    if (state == GateState.WAITING && body.reservation().inTheWay()) {
      refuse();
      if (state == GateState.CLOSED || watched != null) {
        return; // what comes now is thrown away, and watched again
      }
    }
    double slow = rate.tooSlow(now(), state.holds());
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
        rate.received());
    if (exchanges.idle() && state == GateState.PASSING && body != null) {
      FullHttpResponse answer = Refusal.tooSlow(body.head(), (long) slow, budget.floorRate());
      context().writeAndFlush(answer).addListener(ChannelFutureListener.CLOSE);
    } else {
      EventLoop.abort(context());
    }
    drop();
  }

  @Override
  public void read(ChannelHandlerContext ctx) throws Exception {
    if (!state.holds()) {
      super.read(ctx);
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) throws Exception {
    if (!state.holds()) {
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
    if (state == GateState.CLOSED) {
      return;
    }
    become(GateState.CLOSED);
    patience.end(context());
    if (watched != null) {
      watched.cancel(false);
    }
    if (lingering != null) {
      lingering.cancel(false);
    }
    held.release();
    if (refusal != null) {
      refusal.release();
      refusal = null;
    }
    finish();
  }
}
