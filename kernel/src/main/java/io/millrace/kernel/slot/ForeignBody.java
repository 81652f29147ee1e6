package io.millrace.kernel.slot;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.http.HttpRequest;
import org.opensearch.http.HttpResponse;
import org.opensearch.http.HttpServerTransport;
import org.opensearch.rest.RestChannel;
import org.opensearch.rest.RestRequest;

/**
 * A request whose body is of a type that OpenSearch has no parser for, such as protobuf.
 *
 * <p>{@code RestController#dispatchRequest} refuses such a body with 406 before any handler is
 * asked, and the list of types ({@code MediaTypeRegistry}) is closed to plugins. So the request
 * goes on as JSON, on the paths alone whose handlers declared the type, and the handler asks {@link
 * #typeOf} what the client said. Breakers, filters and a plugin's REST wrapper see it like every
 * other.
 */
public final class ForeignBody implements HttpRequest {
  private static final String CONTENT_TYPE = "Content-Type";

  /**
   * How a path is served.
   *
   * @param type of its foreign bodies
   * @param on whether it is served now
   */
  public record Way(String type, BooleanSupplier on) {}

  private final HttpRequest request;
  private final String type;
  private final Map<String, List<String>> headers;

  private ForeignBody(HttpRequest request, String type) {
    this.request = request;
    this.type = type;
    Map<String, List<String>> changed = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    changed.putAll(request.getHeaders());
    changed.put(CONTENT_TYPE, List.of("application/json"));
    this.headers = changed;
  }

  /**
   * The type that the client gave, without parameters and in lower case; empty without one.
   *
   * @param request as a handler has it
   */
  public static String typeOf(RestRequest request) {
    return request.getHttpRequest() instanceof ForeignBody foreign
        ? foreign.type
        : type(request.header(CONTENT_TYPE));
  }

  private static String type(@Nullable String header) {
    if (header == null) {
      return "";
    }
    int end = header.indexOf(';');
    return (end < 0 ? header : header.substring(0, end)).trim().toLowerCase(Locale.ROOT);
  }

  /**
   * The dispatcher of a node in front of which such requests are turned. On the same paths every
   * answer of 429 or 503 says when to come again, whatever the body's type was, as long as the path
   * is served. While it is not, a body is turned all the same: its handler refuses it with 400, as
   * stock does a path that it does not know.
   *
   * @param ways how a path is served, by the path
   */
  public static HttpServerTransport.Dispatcher before(
      HttpServerTransport.Dispatcher stock, Map<String, Way> ways) {
    if (ways.isEmpty()) {
      return stock;
    }
    return new HttpServerTransport.Dispatcher() {
      @Override
      public void dispatchRequest(
          RestRequest request, RestChannel channel, ThreadContext threadContext) {
        Way way = ways.get(request.rawPath());
        if (way == null) {
          stock.dispatchRequest(request, channel, threadContext);
        } else {
          stock.dispatchRequest(
              turned(request, way.type()),
              way.on().getAsBoolean() ? new RetryAfterChannel(channel) : channel,
              threadContext);
        }
      }

      @Override
      public void dispatchBadRequest(
          RestChannel channel, ThreadContext threadContext, Throwable cause) {
        stock.dispatchBadRequest(channel, threadContext, cause);
      }
    };
  }

  private static RestRequest turned(RestRequest request, String foreign) {
    if (!foreign.equals(type(request.header(CONTENT_TYPE)))) {
      return request;
    }
    return RestRequest.request(
        request.getXContentRegistry(),
        new ForeignBody(request.getHttpRequest(), foreign),
        request.getHttpChannel());
  }

  @Override
  public RestRequest.Method method() {
    return request.method();
  }

  @Override
  public String uri() {
    return request.uri();
  }

  @Override
  public BytesReference content() {
    return request.content();
  }

  @Override
  public Map<String, List<String>> getHeaders() {
    return headers;
  }

  @Override
  public List<String> strictCookies() {
    return request.strictCookies();
  }

  @Override
  public HttpVersion protocolVersion() {
    return request.protocolVersion();
  }

  @Override
  public HttpRequest removeHeader(String header) {
    return new ForeignBody(request.removeHeader(header), type);
  }

  @Override
  public HttpResponse createResponse(RestStatus status, BytesReference content) {
    return request.createResponse(status, content);
  }

  @Override
  public @Nullable Exception getInboundException() {
    return request.getInboundException();
  }

  @Override
  public void release() {
    request.release();
  }

  @Override
  public HttpRequest releaseAndCopy() {
    return new ForeignBody(request.releaseAndCopy(), type);
  }
}
