package io.millrace.guard.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.util.concurrent.PromiseCombiner;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that a connection, or a stream of HTTP/2, was given to write, and how many its peer let go.
 *
 * <p>The first handler of the pipeline, so that it sees what goes to the socket. Netty's own count
 * of what waits falls only when a whole buffer is gone (ChannelOutboundBuffer.progress, 4.2.16): a
 * page of 10 MB is one buffer, and a peer that reads it in a minute would look as if it read
 * nothing. For a socket the progress within that buffer is added; on HTTP/2 a large frame is handed
 * on in pieces of {@value #PIECE} bytes, the size in which it is sent anyway, which count as they
 * go.
 */
final class WriteMeter extends ChannelOutboundHandlerAdapter {
  private static final int PIECE = 16 << 10;

  private @Nullable ChannelHandlerContext context;
  private long given;
  private long gone;

  @Override
  public void handlerAdded(ChannelHandlerContext added) {
    context = added;
  }

  /** Bytes that the peer, or the kernel for it, took so far. */
  long taken() {
    ChannelOutboundBuffer waiting =
        context == null ? null : context.channel().unsafe().outboundBuffer();
    if (waiting != null) {
      long left = waiting.totalPendingWriteBytes() - waiting.currentProgress();
      gone = Math.max(gone, given - Math.max(0, left));
    }
    return gone;
  }

  /** Bytes that wait for the peer, 0 when none do. */
  long backlog() {
    return given - taken();
  }

  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // the promise is the caller's
  public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
    if (message instanceof ByteBuf bytes) {
      given += bytes.readableBytes();
      ctx.write(message, promise);
    } else if (message instanceof Http2DataFrame frame) {
      inPieces(ctx, frame, promise);
    } else {
      ctx.write(message, promise);
    }
  }

  private void inPieces(ChannelHandlerContext ctx, Http2DataFrame frame, ChannelPromise promise) {
    ByteBuf content = frame.content();
    given += content.readableBytes();
    if (content.readableBytes() <= PIECE) {
      count(ctx.write(frame, promise.unvoid()), content.readableBytes());
      return;
    }
    PromiseCombiner all = new PromiseCombiner(ctx.executor());
    try {
      while (content.isReadable()) {
        int bytes = Math.min(PIECE, content.readableBytes());
        ByteBuf piece = content.readRetainedSlice(bytes);
        boolean last = !content.isReadable();
        ChannelFuture written =
            ctx.write(
                new DefaultHttp2DataFrame(
                    piece, last && frame.isEndStream(), last ? frame.padding() : 0));
        count(written, bytes);
        all.add(written);
      }
    } finally {
      frame.release();
    }
    all.finish(promise);
  }

  private void count(ChannelFuture written, int bytes) {
    // what failed waits no more either
    written.addListener(future -> gone += bytes);
  }
}
