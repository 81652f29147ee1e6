package io.millrace.guard.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;

/**
 * Keeps stock's upgrade handler from buffering bodies before the gate has seen them.
 *
 * <p>A request that asks for HTTP/2 by an {@code Upgrade} header is gathered whole, up to {@code
 * http.max_content_length}, in front of everything else (Netty's HttpServerUpgradeHandler). A
 * server may ignore the header (RFC 9110, 7.8): it is taken off requests that have a body, which
 * are then served by HTTP/1.1. Clients upgrade with a GET or know that HTTP/2 is spoken.
 */
final class BodilessUpgrade extends ChannelInboundHandlerAdapter {
  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (message instanceof HttpRequest request
        && request.headers().contains(HttpHeaderNames.UPGRADE)
        && mayHaveABody(request)) {
      request.headers().remove(HttpHeaderNames.UPGRADE);
    }
    context.fireChannelRead(message);
  }

  private static boolean mayHaveABody(HttpRequest request) {
    try {
      return HttpUtil.isTransferEncodingChunked(request)
          || HttpUtil.getContentLength(request, 0L) > 0;
    } catch (NumberFormatException e) {
      return true; // no number: stock words the error
    }
  }
}
