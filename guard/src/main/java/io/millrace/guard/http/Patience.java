package io.millrace.guard.http;

import io.millrace.guard.inbound.InboundBudget;
import io.netty.channel.ChannelHandlerContext;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** How long one request waits for its bytes, at most {@code max_wait}; for its event loop alone. */
final class Patience {
  private final InboundBudget budget;
  private @Nullable Future<?> timer;
  private long since;

  Patience(InboundBudget budget) {
    this.budget = budget;
  }

  /** The wait begins, unless it has begun already. */
  void begin(ChannelHandlerContext context, Runnable onceOver) {
    if (timer == null) {
      budget.countWait();
      since = context.executor().ticker().nanoTime();
      timer = EventLoop.later(context, budget.maxWait(), onceOver);
    }
  }

  /** The wait has ended, one way or the other; without effect when there was none. */
  void end(ChannelHandlerContext context) {
    if (timer != null) {
      timer.cancel(false);
      timer = null;
      budget.countWaited(context.executor().ticker().nanoTime() - since);
    }
  }
}
