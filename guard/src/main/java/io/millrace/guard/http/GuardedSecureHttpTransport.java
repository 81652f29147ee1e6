package io.millrace.guard.http;

import io.millrace.kernel.slot.HttpServerSlot;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.ApplicationProtocolNegotiationHandler;
import io.netty.handler.ssl.SslHandler;
import java.util.function.Consumer;
import org.opensearch.http.netty4.Netty4HttpChannel;
import org.opensearch.http.netty4.ssl.SecureNetty4HttpServerTransport;
import org.opensearch.plugins.SecureHttpTransportSettingsProvider;
import org.opensearch.transport.SharedGroupFactory;

/** Stock's server for HTTP/1.1 and HTTP/2 over TLS, with the gates in every pipeline. */
final class GuardedSecureHttpTransport extends SecureNetty4HttpServerTransport {
  private final HttpGuard.Gates gates;

  GuardedSecureHttpTransport(
      HttpServerSlot.Node node,
      SecureHttpTransportSettingsProvider tls,
      SharedGroupFactory threads,
      HttpGuard.Gates gates) {
    super(
        node.settings(),
        node.networkService(),
        node.bigArrays(),
        node.threadPool(),
        node.xContentRegistry(),
        node.dispatcher(),
        node.clusterSettings(),
        threads,
        tls,
        node.tracer());
    this.gates = gates;
  }

  @Override
  protected ChannelInboundHandlerAdapter createHeaderVerifier() {
    return gates.behind(super.createHeaderVerifier(), handlingSettings.getMaxContentLength());
  }

  @Override
  public ChannelHandler configureServerChannelHandler() {
    return new SslHttpChannelHandler(this, handlingSettings) {
      @Override
      protected void configurePipeline(Channel channel) {
        channel
            .pipeline()
            .addLast(
                new Negotiation(
                    this::configureDefaultHttp2Pipeline, this::configureDefaultHttpPipeline));
      }
    };
  }

  /**
   * HTTP/2 or HTTP/1.1, as the TLS engine says.
   *
   * <p>Netty asks only engines of its own (SslHandler.applicationProtocol, 4.2.16): one that
   * another plugin made, with the JDK or its own copy of Netty, would agree on HTTP/2 with the
   * client and then be spoken to in HTTP/1.1.
   */
  private final class Negotiation extends ApplicationProtocolNegotiationHandler {
    private final Consumer<ChannelPipeline> http2;
    private final Consumer<ChannelPipeline> http1;

    private Negotiation(Consumer<ChannelPipeline> http2, Consumer<ChannelPipeline> http1) {
      super(ApplicationProtocolNames.HTTP_1_1);
      this.http2 = http2;
      this.http1 = http1;
    }

    @Override
    protected void configurePipeline(ChannelHandlerContext context, String protocol) {
      ChannelPipeline pipeline = context.pipeline();
      String agreed = protocol;
      try {
        String told = pipeline.get(SslHandler.class).engine().getApplicationProtocol();
        if (told != null && !told.isEmpty()) {
          agreed = told;
        }
      } catch (UnsupportedOperationException e) {
        // an engine that cannot tell has not agreed on anything but the default
      }
      switch (agreed) {
        case ApplicationProtocolNames.HTTP_2 -> http2.accept(pipeline);
        case ApplicationProtocolNames.HTTP_1_1 -> http1.accept(pipeline);
        default -> throw new IllegalStateException("TLS agreed on [" + agreed + "], no HTTP");
      }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) throws Exception {
      super.exceptionCaught(context, cause);
      Netty4HttpChannel channel = context.channel().attr(HTTP_CHANNEL_KEY).get();
      if (channel != null) {
        onException(channel, cause instanceof Exception e ? e : new Exception(cause));
      }
    }
  }
}
