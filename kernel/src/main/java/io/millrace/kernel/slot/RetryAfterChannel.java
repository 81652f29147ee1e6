package io.millrace.kernel.slot;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.io.stream.BytesStreamOutput;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.MediaType;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.rest.RestChannel;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.RestResponse;

/**
 * Says when to come again on every 429 and 503 that does not say it by itself.
 *
 * <p>{@code RestController#dispatchRequest} answers 429 before any handler is asked when a breaker
 * is at its limit, and without {@code Retry-After}. Senders of OTLP take 429 with that header for
 * throttling and lengthen their pauses by themselves otherwise (OTLP 1.9.0, "OTLP/HTTP
 * Throttling").
 */
final class RetryAfterChannel implements RestChannel {
  private static final String HEADER = "Retry-After";

  /** A breaker's limit passes with the next collection of garbage. */
  private static final String SECONDS = "1";

  private final RestChannel channel;

  RetryAfterChannel(RestChannel channel) {
    this.channel = channel;
  }

  @Override
  public void sendResponse(RestResponse response) {
    RestStatus status = response.status();
    if (status == RestStatus.TOO_MANY_REQUESTS || status == RestStatus.SERVICE_UNAVAILABLE) {
      Map<String, List<String>> headers = response.getHeaders();
      if (headers == null || !headers.containsKey(HEADER)) {
        response.addHeader(HEADER, SECONDS);
      }
    }
    channel.sendResponse(response);
  }

  @Override
  public XContentBuilder newBuilder() throws IOException {
    return channel.newBuilder();
  }

  @Override
  public XContentBuilder newErrorBuilder() throws IOException {
    return channel.newErrorBuilder();
  }

  @Override
  public XContentBuilder newBuilder(@Nullable MediaType mediaType, boolean useFiltering)
      throws IOException {
    return channel.newBuilder(mediaType, useFiltering);
  }

  @Override
  public XContentBuilder newBuilder(
      @Nullable MediaType mediaType, @Nullable MediaType responseType, boolean useFiltering)
      throws IOException {
    return channel.newBuilder(mediaType, responseType, useFiltering);
  }

  @Override
  public BytesStreamOutput bytesOutput() {
    return channel.bytesOutput();
  }

  @Override
  public RestRequest request() {
    return channel.request();
  }

  @Override
  public boolean detailedErrorsEnabled() {
    return channel.detailedErrorsEnabled();
  }

  @Override
  public boolean detailedErrorStackTraceEnabled() {
    return channel.detailedErrorStackTraceEnabled();
  }
}
