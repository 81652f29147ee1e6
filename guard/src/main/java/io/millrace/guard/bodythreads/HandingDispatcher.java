package io.millrace.guard.bodythreads;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.util.concurrent.AbstractRunnable;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.core.concurrency.OpenSearchRejectedExecutionException;
import org.opensearch.http.HttpServerTransport;
import org.opensearch.rest.BytesRestResponse;
import org.opensearch.rest.RestChannel;
import org.opensearch.rest.RestHandler;
import org.opensearch.rest.RestRequest;

/**
 * Hands requests with large bodies to threads that serve no connection.
 *
 * <p>Stock parses a body, resolves its names and asks the cluster manager of its own node on the
 * thread that reads the connection (Netty4HttpRequestHandler#channelRead0 at 3.8.0). All other
 * connections of that thread wait meanwhile, whatever they ask.
 */
final class HandingDispatcher implements HttpServerTransport.Dispatcher {
  /** Requests that were handed to another thread. */
  final LongAdder handed = new LongAdder();

  /** Large requests that stayed on the thread of their connection. */
  final LongAdder kept = new LongAdder();

  /** Bulks among those that wait for a thread now. */
  final AtomicInteger bulks = new AtomicInteger();

  /** Bytes of the bodies that wait for a thread now. */
  final AtomicLong waiting = new AtomicLong();

  private static final Logger LOGGER = LogManager.getLogger(HandingDispatcher.class);

  private final HttpServerTransport.Dispatcher in;
  private final BooleanSupplier on;
  private final LongSupplier from;
  private final long most;
  private final Executor threads;

  /**
   * A dispatcher before another one.
   *
   * @param from bytes of the smallest body that is handed on
   * @param most bytes that may wait; what comes above them is read where it came. The body of a
   *     client that has left is in memory until it is read, and no budget counts it any more
   * @param threads keep the thread context of the caller; where they refuse, the caller does it
   */
  HandingDispatcher(
      HttpServerTransport.Dispatcher in,
      BooleanSupplier on,
      LongSupplier from,
      long most,
      Executor threads) {
    this.in = in;
    this.on = on;
    this.from = from;
    this.most = most;
    this.threads = threads;
  }

  @Override
  public void dispatchRequest(RestRequest request, RestChannel channel, ThreadContext context) {
    // not RestRequest#content: it would count as read by whoever handles the request
    int length = request.getHttpRequest().content().length();
    if (!on.getAsBoolean() || length < from.getAsLong()) {
      in.dispatchRequest(request, channel, context);
      return;
    }
    // the bytes are there until the request is answered (DefaultRestChannel#sendResponse)
    Handed large = new Handed(request, channel, context, length);
    if (large.waits()) {
      handed.increment();
    } else {
      kept.increment();
      in.dispatchRequest(request, channel, context);
    }
  }

  private final class Handed extends AbstractRunnable {
    private final RestRequest request;
    private final RestChannel channel;
    private final ThreadContext context;
    private final int length;
    private final int bulk;

    Handed(RestRequest request, RestChannel channel, ThreadContext context, int length) {
      this.request = request;
      this.channel = channel;
      this.context = context;
      this.length = length;
      this.bulk = request.rawPath().contains("/_bulk") ? 1 : 0;
    }

    /** Whether one of the threads does it. */
    boolean waits() {
      long before = waiting.getAndAdd(length);
      bulks.addAndGet(bulk);
      if (before == 0 || before + length <= most) {
        try {
          threads.execute(this);
          return true;
        } catch (OpenSearchRejectedExecutionException e) {
          LOGGER.debug("[{}] is read on the thread of its connection", request.rawPath(), e);
        }
      }
      begins();
      return false;
    }

    private void begins() {
      waiting.addAndGet(-length);
      bulks.addAndGet(-bulk);
    }

    @Override
    protected void doRun() {
      begins();
      in.dispatchRequest(request, channel, context);
    }

    /** The caller does it, who is told by the exception. */
    @Override
    public void onRejection(Exception e) {
      if (e instanceof OpenSearchRejectedExecutionException rejected) {
        throw rejected;
      }
      onFailure(e);
    }

    /** Stock would close the connection; nobody reads it here. */
    @Override
    public void onFailure(Exception e) {
      try {
        channel.sendResponse(new BytesRestResponse(channel, e));
      } catch (IOException | RuntimeException inner) {
        inner.addSuppressed(e);
        LOGGER.warn("the failure of a request for [{}] was not sent", request.rawPath(), inner);
      }
    }
  }

  @Override
  public void dispatchBadRequest(
      RestChannel channel, ThreadContext context, @Nullable Throwable cause) {
    in.dispatchBadRequest(channel, context, cause);
  }

  @Override
  public Optional<RestHandler> dispatchHandler(
      String uri, String rawPath, RestRequest.Method method, Map<String, String> params) {
    return in.dispatchHandler(uri, rawPath, method, params);
  }
}
