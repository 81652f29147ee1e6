package io.millrace.guard.bodies;

import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.opensearch.OpenSearchException;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.common.lease.Releasable;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.core.common.breaker.CircuitBreaker;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.common.unit.ByteSizeValue;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.MediaType;
import org.opensearch.http.HttpServerTransport;
import org.opensearch.rest.BytesRestResponse;
import org.opensearch.rest.RestChannel;
import org.opensearch.rest.RestHandler;
import org.opensearch.rest.RestRequest;

/**
 * Judges the body of every request by what it becomes when it is parsed, before anybody parses it.
 *
 * <p>No list of APIs: whatever is no document to be indexed is taken for something that becomes
 * maps and lists, and counts until it is answered. Documents stay bytes until a pipeline or an
 * update makes maps of them; {@link BulkForms} knows which. Bodies that this plugin reads itself,
 * such as those of OTLP, are not looked at.
 */
public final class BodyDispatcher implements HttpServerTransport.Dispatcher {
  /** Bytes of a body that is not worth a look: it becomes 640 KB at most. */
  private static final int SHORT = 16 << 10;

  private static final String OURS = "io.millrace.";

  private static final Logger LOGGER = LogManager.getLogger(BodyDispatcher.class);

  private final HttpServerTransport.Dispatcher in;
  private final BooleanSupplier on;
  private final ParsedBodies bodies;
  private final PathPatterns paths;
  private final CircuitBreaker inFlight;

  /**
   * A dispatcher before another one.
   *
   * @param paths refuses those with too many patterns
   * @param inFlight the breaker in which the other dispatcher counts bodies until they are answered
   */
  public BodyDispatcher(
      HttpServerTransport.Dispatcher in,
      BooleanSupplier on,
      ParsedBodies bodies,
      PathPatterns paths,
      CircuitBreaker inFlight) {
    this.in = in;
    this.on = on;
    this.bodies = bodies;
    this.paths = paths;
    this.inFlight = inFlight;
  }

  @Override
  public void dispatchRequest(RestRequest request, RestChannel channel, ThreadContext context) {
    if (!on.getAsBoolean()) {
      in.dispatchRequest(request, channel, context);
      return;
    }
    OpenSearchException refusal = paths.refusal(request);
    if (refusal != null) {
      bodies.refuse();
      answer(channel, refusal);
      return;
    }
    // not RestRequest#content: it would count as read by whoever handles the request
    if (request.getHttpRequest().content().length() < SHORT) {
      in.dispatchRequest(request, channel, context);
      return;
    }
    Releasable taken;
    try {
      taken = take(request);
    } catch (OpenSearchException e) {
      answer(channel, e);
      return;
    }
    ReleasingChannel releasing = new ReleasingChannel(channel, taken == null ? () -> {} : taken);
    try {
      in.dispatchRequest(request, releasing, context);
    } catch (StackOverflowError e) {
      tooDeep(request, releasing);
    } catch (RuntimeException e) {
      if (taken != null) {
        taken.close();
      }
      throw e;
    }
  }

  /**
   * A body is read on a thread of the network. What ends there with an error ends the node
   * (OpenSearchUncaughtExceptionHandler at 3.8.0), and texts within a body are read by parsers that
   * know no depth: 20,000 collections of geometries inside one another, say.
   */
  private void tooDeep(RestRequest request, ReleasingChannel channel) {
    int length = request.getHttpRequest().content().length();
    LOGGER.debug("a body of [{}] bytes for [{}] is too deep", length, request.rawPath());
    if (channel.answered()) {
      return;
    }
    // stock gives its count back for an answer and for an exception (RestController
    // #dispatchRequest at 3.8.0), and not for an error
    inFlight.addWithoutBreaking(-length);
    bodies.refuse();
    answer(
        channel,
        new OpenSearchStatusException(
            "a body of [{}] has more parts inside one another than the stack of a thread can hold;"
                + " send one with fewer geometries, queries or parentheses inside one another",
            RestStatus.BAD_REQUEST,
            new ByteSizeValue(length)));
  }

  /**
   * @return to be closed when the request is answered; {@code null} where there is nothing to count
   */
  private @Nullable Releasable take(RestRequest request) {
    MediaType type = request.getMediaType();
    if (type == null) {
      return null; // no format that becomes maps
    }
    List<String> path = Arrays.asList(request.rawPath().split("/"));
    BytesReference body = request.getHttpRequest().content();
    int length = body.length();
    boolean bulk = path.contains("_bulk");
    if (bulk
        ? type != XContentType.JSON || length <= bodies.limits().uncounted()
        : isDocument(path)) {
      return null;
    }
    if (isOurs(request)) {
      return null;
    }
    long form =
        bulk
            ? BulkUpdates.of(body)
            : path.contains("_simulate")
                ? ParsedForm.ofPiped(body, type)
                : ParsedForm.of(body, type);
    return bodies.take(
        bulk ? "what the updates of this bulk bring, in a body" : "a body", length, form);
  }

  private boolean isOurs(RestRequest request) {
    // a copy: the names in the path are put into it
    Map<String, String> params = new HashMap<>(request.params());
    try {
      return in.dispatchHandler(request.uri(), request.rawPath(), request.method(), params)
          .filter(handler -> handler.getClass().getName().startsWith(OURS))
          .isPresent();
    } catch (IllegalArgumentException e) {
      return false; // a path or a method that stock words the error for
    }
  }

  /** {@code idx/_doc}, {@code idx/_doc/id} and {@code idx/_create/id}. */
  private static boolean isDocument(List<String> path) {
    int at = Math.max(path.indexOf("_doc"), path.indexOf("_create"));
    return at > 0 && at >= path.size() - 2;
  }

  private static void answer(RestChannel channel, OpenSearchException refusal) {
    try {
      BytesRestResponse response = new BytesRestResponse(channel, refusal);
      if (refusal.status() == RestStatus.TOO_MANY_REQUESTS) {
        response.addHeader("Retry-After", "1");
      }
      channel.sendResponse(response);
    } catch (IOException e) {
      LOGGER.warn("a refusal could not be written", e);
      channel.sendResponse(
          new BytesRestResponse(
              refusal.status(), BytesRestResponse.TEXT_CONTENT_TYPE, refusal.getMessage()));
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
