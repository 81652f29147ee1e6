package io.millrace.guard.http;

import io.millrace.guard.inbound.Reservation;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http2.Http2StreamChannel;
import io.netty.util.Attribute;
import io.netty.util.AttributeKey;

/**
 * Stands where stock puts its header verifier and, with a connection's first message, puts the
 * gates in: by then the rest of the pipeline is there, whatever the protocol.
 *
 * <p>The {@link RequestGate} goes right before the aggregator: behind the decompressor, so that it
 * counts what is buffered. {@link Exchanges} goes right before stock's request handler: behind the
 * pipelining, so that it sees requests and responses with their sequence numbers. The {@link
 * WriteMeter} goes first of all, where it sees what the peer takes. The {@link DoorGate} stays
 * here, before the decompressor: a stranger's bytes are not worth decompressing.
 */
final class GateInstaller extends ChannelInboundHandlerAdapter {
  private static final AttributeKey<Reservation.Flows> FLOWS =
      AttributeKey.valueOf(GateInstaller.class, "flows");

  private final HttpGuard.Gates gates;
  private final ChannelHandler verifier;
  private final long maxContentLength;

  GateInstaller(HttpGuard.Gates gates, ChannelHandler verifier, long maxContentLength) {
    this.maxContentLength = maxContentLength;
    this.gates = gates;
    this.verifier = verifier;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    if (verifier.getClass() != ChannelInboundHandlerAdapter.class) {
      context.pipeline().addAfter(context.name(), "verifier", verifier);
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ChannelPipeline pipeline = context.pipeline();
    WriteMeter meter = new WriteMeter();
    Exchanges exchanges = new Exchanges(gates.outbound(), meter);
    Reservation.Flows flows = flows(context.channel());
    RequestGate gate = new RequestGate(gates.inbound(), maxContentLength, flows, exchanges);
    exchanges.feed(gate);
    pipeline.addFirst("millrace_meter", meter);
    pipeline.addBefore("aggregator", "millrace_gate", gate);
    pipeline.addBefore("handler", "millrace_exchanges", exchanges);
    if (!gates.door().open()) {
      pipeline.addAfter(context.name(), "millrace_door", new DoorGate(gates.door(), flows));
    }
    pipeline.remove(this);
    context.fireChannelRead(message);
  }

  /** The connection's place in the lines: its streams share it, or many would be many clients. */
  private static Reservation.Flows flows(Channel channel) {
    Channel connection = channel instanceof Http2StreamChannel ? channel.parent() : channel;
    Attribute<Reservation.Flows> place = connection.attr(FLOWS);
    Reservation.Flows first = new Reservation.Flows();
    Reservation.Flows there = place.setIfAbsent(first);
    return there == null ? first : there;
  }
}
