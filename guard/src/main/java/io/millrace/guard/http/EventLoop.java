package io.millrace.guard.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2StreamChannel;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.opensearch.common.unit.TimeValue;

/** What a handler asks of its own event loop without waiting for it. */
final class EventLoop {
  private static final Logger LOGGER = LogManager.getLogger(EventLoop.class);

  private EventLoop() {}

  /** Runs a task later; one that fails is logged and ends the connection, it cannot be trusted. */
  static Future<?> later(ChannelHandlerContext context, TimeValue delay, Runnable task) {
    return context
        .executor()
        .schedule(() -> run(context, task), delay.millis(), TimeUnit.MILLISECONDS);
  }

  /** Runs a task on the loop; callable from any thread. */
  static void soon(ChannelHandlerContext context, Runnable task) {
    context.executor().execute(() -> run(context, task));
  }

  private static void run(ChannelHandlerContext context, Runnable task) {
    try {
      task.run();
    } catch (RuntimeException e) {
      LOGGER.error("closing [{}] after an unexpected error", context.channel(), e);
      close(context);
    }
  }

  /** Closes the connection; a failure to close leaves nothing to do. */
  static void close(ChannelHandlerContext context) {
    context.channel().close().addListener(future -> {});
  }

  /**
   * Ends an exchange whose answer was begun, or a body that is still coming: the connection, or on
   * HTTP/2 the stream alone.
   *
   * <p>Closing a stream is not enough. Netty sends no RST_STREAM once both sides have handed over
   * their last frame (AbstractHttp2StreamChannel, 4.2.16), whether or not it has left: the answer
   * would wait in the flow control for as long as the connection lives.
   */
  static void abort(ChannelHandlerContext context) {
    if (context.channel() instanceof Http2StreamChannel stream && stream.parent().isActive()) {
      // past everything that knows HTTP messages only
      stream
          .pipeline()
          .firstContext()
          .writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.CANCEL).stream(stream.stream()))
          .addListener(future -> close(context));
    } else {
      close(context);
    }
  }
}
