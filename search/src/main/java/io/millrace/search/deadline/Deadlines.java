package io.millrace.search.deadline;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.search.SearchTransportService;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.common.util.concurrent.ThreadContext.StoredContext;
import org.opensearch.core.transport.TransportResponse;
import org.opensearch.tasks.Task;
import org.opensearch.transport.Transport;
import org.opensearch.transport.TransportChannel;
import org.opensearch.transport.TransportInterceptor;
import org.opensearch.transport.TransportRequest;
import org.opensearch.transport.TransportRequestHandler;
import org.opensearch.transport.TransportRequestOptions;
import org.opensearch.transport.TransportResponseHandler;
import org.opensearch.transport.TransportService.ContextRestoreResponseHandler;

/**
 * Tells the shards of a search how much of its time is left, and the threads that work for it.
 *
 * <p>Stock gives each phase of each shard the whole {@code timeout} (QueryPhase#executeInternal at
 * 3.8.0), so shards that wait for a thread, or for the phase before, add theirs to it.
 */
final class Deadlines implements TransportInterceptor {
  private static final String LOCAL = "millrace.search.deadline.local";

  private static final Set<String> PHASES =
      Set.of(
          SearchTransportService.DFS_ACTION_NAME,
          SearchTransportService.QUERY_ACTION_NAME,
          SearchTransportService.QUERY_ID_ACTION_NAME,
          SearchTransportService.FETCH_ID_ACTION_NAME);

  /** Shards whose time ended where stock does not catch it. */
  final LongAdder second = new LongAdder();

  private final Map<Long, Coordinated> coordinated = new ConcurrentHashMap<>();

  private final FetchTime fetchTime;
  private final Supplier<@Nullable ThreadContext> threads;

  /** A search that this node coordinates. */
  private static final class Coordinated {
    private final Deadline deadline;
    private @Nullable Deadline fetch;

    Coordinated(Deadline deadline) {
      this.deadline = deadline;
    }

    /**
     * The time in which all shards read hits; it begins with the first that is asked for them.
     *
     * @param atLeast nanoseconds from then on
     */
    synchronized Deadline fetch(long atLeast) {
      Deadline begun = fetch;
      if (begun == null) {
        begun = deadline.atLeast(System.nanoTime() + atLeast);
        fetch = begun;
      }
      return begun;
    }
  }

  /**
   * @param fetchTime how long the hits of a search are read in any case
   * @param threads the node's; {@code null} before the node has started
   */
  Deadlines(FetchTime fetchTime, Supplier<@Nullable ThreadContext> threads) {
    this.fetchTime = fetchTime;
    this.threads = threads;
  }

  /** From here on the requests of this search to shards carry its deadline. */
  void begin(Deadline deadline) {
    coordinated.put(deadline.search(), new Coordinated(deadline));
  }

  /** Of a search that is answered; what it still asks of shards carries no deadline. */
  void end(Deadline deadline) {
    coordinated.remove(deadline.search());
  }

  /** Searches that this node coordinates now and that have a deadline. */
  int size() {
    return coordinated.size();
  }

  /**
   * The time of a phase that is about to be asked of a shard; the first fetch begins that of all.
   */
  @Nullable Deadline coordinated(String action, long search) {
    Coordinated known = coordinated.get(search);
    if (known == null) {
      return null;
    }
    return action.equals(SearchTransportService.FETCH_ID_ACTION_NAME)
        ? known.fetch(fetchTime.shared())
        : known.deadline;
  }

  /** The deadline of the search of a shard that the calling thread works for. */
  @Nullable Deadline current() {
    ThreadContext context = threads.get();
    return context == null ? null : context.getTransient(LOCAL);
  }

  @Override
  public AsyncSender interceptSender(AsyncSender sender) {
    return new AsyncSender() {
      @Override
      public <T extends TransportResponse> void sendRequest(
          Transport.Connection connection,
          String action,
          TransportRequest request,
          TransportRequestOptions options,
          TransportResponseHandler<T> handler) {
        ThreadContext context = threads.get();
        Deadline deadline =
            PHASES.contains(action) ? coordinated(action, request.getParentTask().getId()) : null;
        if (context == null || deadline == null || context.getHeader(Deadline.HEADER) != null) {
          sender.sendRequest(connection, action, request, options, handler);
          return;
        }
        // what the answer leads to is not under this header
        TransportResponseHandler<T> outside =
            new ContextRestoreResponseHandler<>(context.newRestorableContext(true), handler);
        try (StoredContext ignored = context.newStoredContext(true)) {
          context.putHeader(Deadline.HEADER, deadline.header());
          sender.sendRequest(connection, action, request, options, outside);
        }
      }
    };
  }

  @Override
  public <T extends TransportRequest> TransportRequestHandler<T> interceptHandler(
      String action, String executor, boolean forceExecution, TransportRequestHandler<T> handler) {
    if (!PHASES.contains(action)) {
      return handler;
    }
    return (request, channel, task) -> {
      ThreadContext context = threads.get();
      String header = context == null ? null : context.getHeader(Deadline.HEADER);
      if (context == null || header == null) {
        handler.messageReceived(request, channel, task);
        return;
      }
      Deadline deadline = Deadline.received(header);
      if (deadline == null || deadline.search() != task.getParentTaskId().getId()) {
        deadline = null; // a search within another one has inherited its header
      }
      boolean whole = action.equals(SearchTransportService.QUERY_ACTION_NAME);
      TransportChannel answered =
          deadline == null || !whole
              ? channel
              : new SecondSearch(channel, () -> over(handler, request, channel, task));
      handle(context, deadline, () -> handler.messageReceived(request, answered, task));
    };
  }

  /** The same search of a shard when its time is over: it looks for no documents. */
  private <T extends TransportRequest> void over(
      TransportRequestHandler<T> handler, T request, TransportChannel channel, Task task)
      throws Exception {
    ThreadContext context = threads.get();
    Deadline deadline = current();
    if (context == null || deadline == null) {
      throw new IllegalStateException("the answer of a shard came from a thread of another search");
    }
    second.increment();
    handle(context, deadline.over(), () -> handler.messageReceived(request, channel, task));
  }

  /**
   * @param deadline of the work; {@code null} for work without one
   */
  private static void handle(
      ThreadContext context, @Nullable Deadline deadline, SecondSearch.Again work)
      throws Exception {
    try (StoredContext ignored = context.newStoredContext(true, Set.of(LOCAL))) {
      if (deadline != null) {
        context.putTransient(LOCAL, deadline);
      }
      work.search();
    }
  }
}
