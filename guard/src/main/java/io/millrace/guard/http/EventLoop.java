package io.millrace.guard.http;

import io.netty.channel.ChannelHandlerContext;
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
}
