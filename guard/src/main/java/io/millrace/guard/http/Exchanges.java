package io.millrace.guard.http;

import io.millrace.guard.inbound.Reservation;
import io.millrace.guard.outbound.OutboundBudget;
import io.netty.buffer.ByteBufHolder;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.http.HttpPipelinedRequest;
import org.opensearch.http.HttpPipelinedResponse;

/**
 * The requests of one connection from the last byte of the body to the last byte of the response.
 *
 * <p>A request's own bytes go back when its response is handed over: stock has let go of the body
 * by then (DefaultRestChannel#sendResponse). A response's bytes count from there until it is with
 * the kernel. While any is waiting, the connection is looked at once a second: a peer that took
 * nothing, or too little, for the budget's patience is closed, which frees everything it held.
 */
final class Exchanges extends ChannelDuplexHandler {
  private static final Logger LOGGER = LogManager.getLogger(Exchanges.class);

  private static final TimeValue SECOND = TimeValue.timeValueSeconds(1);

  private final OutboundBudget budget;
  private final WriteMeter meter;
  private final Map<Integer, Reservation> bySequence = new HashMap<>();
  private @Nullable RequestGate gate;
  private int inProgress;
  private long pending;
  private int responses;
  private @Nullable Future<?> watched;
  private boolean closed;

  /** When the peer last took something, and how much it had taken by then. */
  private long progressAt;

  private long seenTaken;

  /** Since when its rate is taken, and how much it had taken by then. */
  private long windowStart;

  private long windowTaken;

  Exchanges(OutboundBudget budget, WriteMeter meter) {
    this.budget = budget;
    this.meter = meter;
  }

  /** Tells which gate the requests come through. */
  void feed(RequestGate from) {
    gate = from;
  }

  /** Whether the connection may begin another request. */
  boolean room() {
    return !budget.on() || inProgress < budget.pipelining();
  }

  /** Whether every request that came was answered, to the last byte. */
  boolean idle() {
    return inProgress == 0;
  }

  OutboundBudget budget() {
    return budget;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (message instanceof HttpPipelinedRequest request && gate != null) {
      inProgress++;
      bySequence.put(request.getSequence(), gate.handOver());
    }
    context.fireChannelRead(message);
  }

  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // the promise is the caller's
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
    if (!(message instanceof HttpPipelinedResponse response)) {
      context.write(message, promise);
      return;
    }
    Reservation reservation = bySequence.remove(response.getSequence());
    if (reservation != null) {
      reservation.close();
    }
    long bytes =
        response.getDelegateRequest() instanceof ByteBufHolder holder
            ? holder.content().readableBytes()
            : 0;
    pending += bytes;
    responses++;
    budget.add(bytes);
    ChannelPromise done = promise.unvoid();
    done.addListener(future -> {
      pending -= bytes;
      responses--;
      inProgress--;
      budget.remove(bytes);
      if (gate != null && !closed) {
        gate.exchanged();
      }
    });
    context.write(message, done);
    if (!done.isDone()) {
      watch(context);
    }
  }

  private void watch(ChannelHandlerContext context) {
    if (watched == null && budget.on()) {
      restart(System.nanoTime());
      watched = EventLoop.later(context, SECOND, () -> look(context));
    }
  }

  private void restart(long now) {
    progressAt = now;
    windowStart = now;
    seenTaken = meter.taken();
    windowTaken = seenTaken;
  }

  private void look(ChannelHandlerContext context) {
    if (closed || responses == 0 || !budget.on()) {
      watched = null;
      return;
    }
    long now = System.nanoTime();
    if (meter.backlog() == 0) {
      // held back by an earlier request that is still at work, not by the peer
      restart(now);
    } else if (tooSlow(now)) {
      boolean pressed = budget.exceeded();
      budget.countStalledReader(pressed);
      LOGGER.warn(
          "closing [{}]: its peer read [{}] bytes in [{}] while [{}] bytes wait for it{}",
          context.channel(),
          meter.taken() - windowTaken,
          TimeValue.timeValueNanos(now - windowStart),
          pending,
          pressed ? " and the node holds [" + budget.pending() + "] for all" : "");
      EventLoop.abort(context);
      return;
    }
    watched = EventLoop.later(context, SECOND, () -> look(context));
  }

  /** Whether the peer took nothing for the budget's patience, or over it less than the floor. */
  private boolean tooSlow(long now) {
    long patience = budget.patience().nanos();
    long taken = meter.taken();
    if (taken > seenTaken) {
      seenTaken = taken;
      progressAt = now;
    } else if (now - progressAt >= patience) {
      return true;
    }
    long elapsed = now - windowStart;
    if (elapsed < patience) {
      return false;
    }
    if (taken - windowTaken < budget.floorRate() * (elapsed / 1e9)) {
      return true;
    }
    windowStart = now;
    windowTaken = taken;
    return false;
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    drop();
    // fails what the pipelining still holds back: stock leaves it when the peer hangs up
    EventLoop.close(context);
    context.fireChannelInactive();
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    drop();
  }

  private void drop() {
    closed = true;
    bySequence.values().forEach(Reservation::close);
    bySequence.clear();
    if (watched != null) {
      watched.cancel(false);
      watched = null;
    }
  }
}
