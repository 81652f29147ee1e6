package io.millrace.guard.http;

import io.millrace.kernel.slot.HttpServerSlot;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpServerCodec;
import org.opensearch.http.netty4.Netty4HttpServerTransport;
import org.opensearch.transport.SharedGroupFactory;

/** Stock's server for HTTP/1.1 and HTTP/2 in plain text, with the gates in every pipeline. */
final class GuardedHttpTransport extends Netty4HttpServerTransport {
  private final HttpGuard.Gates gates;

  GuardedHttpTransport(
      HttpServerSlot.Node node, SharedGroupFactory threads, HttpGuard.Gates gates) {
    super(
        node.settings(),
        node.networkService(),
        node.bigArrays(),
        node.threadPool(),
        node.xContentRegistry(),
        node.dispatcher(),
        node.clusterSettings(),
        threads,
        node.tracer());
    this.gates = gates;
  }

  @Override
  protected ChannelInboundHandlerAdapter createHeaderVerifier() {
    return gates.behind(super.createHeaderVerifier(), handlingSettings.getMaxContentLength());
  }

  @Override
  public ChannelHandler configureServerChannelHandler() {
    return new HttpChannelHandler(this, handlingSettings) {
      @Override
      protected void configurePipeline(Channel channel) {
        super.configurePipeline(channel);
        String codec = channel.pipeline().context(HttpServerCodec.class).name();
        channel.pipeline().addAfter(codec, "millrace_upgrade", new BodilessUpgrade());
      }
    };
  }
}
