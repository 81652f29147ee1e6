package io.millrace.guard.http;

import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;

/**
 * Stands where stock puts its header verifier and, with a connection's first message, puts the
 * gates in: by then the rest of the pipeline is there, whatever the protocol.
 *
 * <p>The {@link RequestGate} goes right before the aggregator: behind the decompressor, so that it
 * counts what is buffered. {@link Exchanges} goes right before stock's request handler: behind the
 * pipelining, so that it sees requests and responses with their sequence numbers.
 */
final class GateInstaller extends ChannelInboundHandlerAdapter {
  private final HttpGuard guard;
  private final ChannelHandler verifier;

  private final long maxContentLength;

  GateInstaller(HttpGuard guard, ChannelHandler verifier, long maxContentLength) {
    this.maxContentLength = maxContentLength;
    this.guard = guard;
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
    Exchanges exchanges = new Exchanges(guard.outbound());
    RequestGate gate = new RequestGate(guard.inbound(), maxContentLength, exchanges);
    exchanges.feed(gate);
    pipeline.addBefore("aggregator", "millrace_gate", gate);
    pipeline.addBefore("handler", "millrace_exchanges", exchanges);
    pipeline.remove(this);
    context.fireChannelRead(message);
  }
}
