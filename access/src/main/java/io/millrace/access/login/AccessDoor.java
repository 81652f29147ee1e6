package io.millrace.access.login;

import io.millrace.access.audit.AuditLog;
import io.millrace.kernel.slot.HttpDoor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.opensearch.OpenSearchSecurityException;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.http.HttpServerTransport;
import org.opensearch.rest.BytesRestResponse;
import org.opensearch.rest.RestChannel;
import org.opensearch.rest.RestHandler;
import org.opensearch.rest.RestRequest;

/**
 * Recognizes whoever sends a request by HTTP, and answers strangers.
 *
 * <p>Every request is recognized by its own header, also on a connection that others have used:
 * what the door found out for the body is not carried over.
 */
public final class AccessDoor implements HttpDoor {
  private static final Logger LOGGER = LogManager.getLogger(AccessDoor.class);

  private final Supplier<@Nullable Authenticator> authenticator;
  private final AuditLog audit;

  /**
   * @param authenticator null where everybody is let in
   */
  public AccessDoor(Supplier<@Nullable Authenticator> authenticator, AuditLog audit) {
    this.authenticator = authenticator;
    this.audit = audit;
  }

  @Override
  public boolean open() {
    return authenticator.get() == null;
  }

  @Override
  public void knock(Head head, Consumer<Optional<String>> refusal) {
    Authenticator asked = authenticator.get();
    if (asked == null) {
      refusal.accept(Optional.empty());
      return;
    }
    asked.recognize(
        single(head.authorization()),
        address(head.from()),
        outcome -> refusal.accept(outcome.refusal()));
  }

  @Override
  public HttpServerTransport.Dispatcher inside(HttpServerTransport.Dispatcher dispatcher) {
    return new HttpServerTransport.Dispatcher() {
      @Override
      public Optional<RestHandler> dispatchHandler(
          String uri, String rawPath, RestRequest.Method method, Map<String, String> params) {
        return dispatcher.dispatchHandler(uri, rawPath, method, params);
      }

      @Override
      public void dispatchRequest(
          RestRequest request, RestChannel channel, ThreadContext threadContext) {
        Authenticator asked = authenticator.get();
        if (asked == null) {
          dispatcher.dispatchRequest(request, channel, threadContext);
        } else {
          ask(asked, request, channel, threadContext, dispatcher);
        }
      }

      @Override
      public void dispatchBadRequest(
          RestChannel channel, ThreadContext threadContext, Throwable cause) {
        dispatcher.dispatchBadRequest(channel, threadContext, cause);
      }
    };
  }

  private void ask(
      Authenticator asked,
      RestRequest request,
      RestChannel channel,
      ThreadContext threadContext,
      HttpServerTransport.Dispatcher dispatcher) {
    if (CrossSite.writes(request.method(), request::header)) {
      answer(
          channel,
          new OpenSearchSecurityException(
              "a page of another site sent this request; send it from a page of this node, or not"
                  + " from a browser",
              RestStatus.FORBIDDEN),
          null);
      return;
    }
    String from = address(request.getHttpChannel().getRemoteAddress());
    String authorization = single(request.getAllHeaderValues("Authorization"));
    Outcome refused = Outcome.refused(authorization);
    if (refused != null) {
      go(refused, request, channel, threadContext, dispatcher, from);
      return;
    }
    var context = threadContext.newRestorableContext(true);
    Thread here = Thread.currentThread();
    AtomicBoolean once = new AtomicBoolean();
    asked.recognize(
        authorization,
        from,
        outcome -> {
          if (!once.compareAndSet(false, true)) {
            return;
          }
          if (Thread.currentThread() == here) {
            go(outcome, request, channel, threadContext, dispatcher, from);
            return;
          }
          try (var ignored = context.get()) {
            go(outcome, request, channel, threadContext, dispatcher, from);
          } catch (RuntimeException e) {
            answer(channel, e, null);
          }
        });
  }

  private void go(
      Outcome outcome,
      RestRequest request,
      RestChannel channel,
      ThreadContext threadContext,
      HttpServerTransport.Dispatcher dispatcher,
      String from) {
    switch (outcome) {
      case Outcome.Known known -> {
        known.identity().into(threadContext);
        dispatcher.dispatchRequest(request, channel, threadContext);
      }
      case Outcome.Unknown unknown -> {
        audit.write(
            "login_failed", unknown.name(), request.rawPath(), from, unknown.reason().text());
        answer(
            channel,
            new OpenSearchSecurityException(
                "authentication is needed: "
                    + unknown.reason().text()
                    + "; send [Authorization: Basic base64(name:password)] or [Authorization:"
                    + " ApiKey base64(id:secret)]",
                RestStatus.UNAUTHORIZED),
            null);
      }
      case Outcome.Later later -> {
        audit.write("login_delayed", later.name(), request.rawPath(), from, later.reason());
        answer(
            channel,
            new OpenSearchStatusException(
                later.reason() + "; come back in [" + later.seconds() + "s]",
                RestStatus.TOO_MANY_REQUESTS),
            later.seconds());
      }
    }
  }

  /** The one value; two are none, because a proxy may have looked at the other. */
  private static @Nullable String single(@Nullable List<String> values) {
    return values == null || values.size() != 1 ? null : values.getFirst();
  }

  private static String address(@Nullable InetSocketAddress from) {
    return from == null || from.getAddress() == null
        ? "unknown"
        : from.getAddress().getHostAddress();
  }

  private static void answer(RestChannel channel, Exception error, @Nullable Integer retryAfter) {
    try {
      BytesRestResponse response = new BytesRestResponse(channel, error);
      if (response.status() == RestStatus.UNAUTHORIZED) {
        response.addHeader("WWW-Authenticate", "Basic realm=\"Millrace\", charset=\"UTF-8\"");
        response.addHeader("WWW-Authenticate", "ApiKey");
      }
      if (retryAfter != null) {
        response.addHeader("Retry-After", String.valueOf(retryAfter));
      }
      channel.sendResponse(response);
    } catch (IOException e) {
      LOGGER.warn("an answer could not be written", e);
    }
  }
}
