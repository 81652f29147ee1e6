package io.millrace.guard.lanes;

import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.http.HttpServerTransport;
import org.opensearch.rest.RestChannel;
import org.opensearch.rest.RestHandler;
import org.opensearch.rest.RestRequest;
import org.opensearch.tasks.Task;

/**
 * Who sent a request.
 *
 * @param address of the connection; {@code ""} for work that the node gives itself
 * @param name what the client calls itself by {@code X-Opaque-Id}; {@code ""} without
 */
record Client(String address, String name) {
  /** Travels with a request to the nodes of its shards. */
  static final String HEADER = "millrace-client";

  private static final int LONGEST_NAME = 100;

  static Client of(ThreadContext context) {
    String address = context.getHeader(HEADER);
    String name = context.getHeader(Task.X_OPAQUE_ID);
    return new Client(
        address == null ? "" : address,
        name == null ? "" : name.substring(0, Math.min(LONGEST_NAME, name.length())));
  }

  /** Notes the address of each request before it is dispatched. */
  record Noting(HttpServerTransport.Dispatcher in, BooleanSupplier on)
      implements HttpServerTransport.Dispatcher {
    @Override
    public void dispatchRequest(RestRequest request, RestChannel channel, ThreadContext context) {
      InetSocketAddress from =
          request.getHttpChannel() == null ? null : request.getHttpChannel().getRemoteAddress();
      if (from != null && from.getAddress() != null && on.getAsBoolean()) {
        context.putHeader(HEADER, from.getAddress().getHostAddress());
      }
      in.dispatchRequest(request, channel, context);
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
}
