package io.millrace.guard.lanes;

import io.millrace.guard.phases.Derived;
import io.millrace.kernel.channel.PassingTransportChannel;
import java.io.IOException;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.search.SearchTransportService;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.core.transport.TransportResponse;
import org.opensearch.search.builder.SearchSourceBuilder;
import org.opensearch.search.internal.ShardSearchRequest;
import org.opensearch.search.query.QuerySearchRequest;
import org.opensearch.tasks.CancellableTask;
import org.opensearch.transport.TransportChannel;
import org.opensearch.transport.TransportInterceptor;
import org.opensearch.transport.TransportRequest;
import org.opensearch.transport.TransportRequestHandler;

/**
 * Keeps searches of shards until it is their turn, before they take a thread.
 *
 * <p>The first phase of a search waits. A phase that continues a search (fetch, scroll) does not:
 * its shards hold a reader for it. It is watched all the same, and may be paused.
 */
final class LaneInterceptor implements TransportInterceptor {
  private static final Logger LOG = LogManager.getLogger(LaneInterceptor.class);

  private static final Set<String> CONTINUED =
      Set.of(
          SearchTransportService.QUERY_SCROLL_ACTION_NAME,
          SearchTransportService.QUERY_FETCH_SCROLL_ACTION_NAME,
          SearchTransportService.FETCH_ID_SCROLL_ACTION_NAME,
          SearchTransportService.FETCH_ID_ACTION_NAME);

  private final BooleanSupplier on;
  private final Lanes lanes;
  private final Supplier<ThreadContext> context;
  private final Derived<Long> shapes = new Derived<>(Shape::of);

  LaneInterceptor(BooleanSupplier on, Lanes lanes, Supplier<ThreadContext> context) {
    this.on = on;
    this.lanes = lanes;
    this.context = context;
  }

  @Override
  public <T extends TransportRequest> TransportRequestHandler<T> interceptHandler(
      String action, String executor, boolean forceExecution, TransportRequestHandler<T> handler) {
    boolean first =
        action.equals(SearchTransportService.QUERY_ACTION_NAME)
            || action.equals(SearchTransportService.QUERY_ID_ACTION_NAME)
            || action.equals(SearchTransportService.DFS_ACTION_NAME);
    if (!first && !CONTINUED.contains(action)) {
      return handler;
    }
    return (request, channel, task) -> {
      if (on.getAsBoolean() && task instanceof CancellableTask search) {
        Answered answered = new Answered(channel);
        Turn turn = turn(action, first, request, search, handler, answered);
        answered.turn = turn;
        lanes.arrive(turn);
      } else {
        handler.messageReceived(request, channel, task);
      }
    };
  }

  private <T extends TransportRequest> Turn turn(
      String action,
      boolean first,
      T request,
      CancellableTask task,
      TransportRequestHandler<T> handler,
      Answered channel) {
    ShardSearchRequest shard =
        request instanceof ShardSearchRequest plain
            ? plain
            : request instanceof QuerySearchRequest counted ? counted.shardSearchRequest() : null;
    SearchSourceBuilder source = shard == null ? null : shard.source();
    String index = shard == null ? "" : shard.shardId().getIndexName();
    TimeValue timeout = source == null ? null : source.timeout();
    Runnable begin =
        () -> {
          try {
            handler.messageReceived(request, channel, task);
          } catch (Exception e) {
            channel.fail(e);
          }
        };
    return new Turn(
        lanes,
        new Turn.Work(
            task,
            Client.of(context.get()),
            index,
            action,
            source,
            timeout == null || timeout.millis() <= 0 ? Long.MAX_VALUE : timeout.millis(),
            begin,
            work -> context.get().preserveContext(work),
            channel::fail),
        shard == null ? 0 : Shape.of(index, action, shapes.of(source)),
        first && shard != null);
  }

  /** Ends the turn when the search is answered. */
  private final class Answered extends PassingTransportChannel {
    private volatile @Nullable Turn turn;

    Answered(TransportChannel in) {
      super(in);
    }

    private void end(boolean whole) {
      Turn ended = turn;
      if (ended != null) {
        lanes.end(ended, whole);
      }
    }

    private void fail(Exception e) {
      try {
        sendResponse(e);
      } catch (IOException | RuntimeException failure) {
        failure.addSuppressed(e);
        LOG.warn("the failure of a search could not be sent", failure);
      }
    }

    @Override
    public void sendResponse(TransportResponse response) throws IOException {
      try {
        super.sendResponse(response);
      } finally {
        end(true);
      }
    }

    @Override
    public void sendResponse(Exception exception) throws IOException {
      try {
        super.sendResponse(exception);
      } finally {
        end(false);
      }
    }

    @Override
    public void completeStream() {
      try {
        super.completeStream();
      } finally {
        end(true);
      }
    }
  }
}
