package io.millrace.kernel.slot;

import io.millrace.kernel.channel.PassingRestChannel;
import java.util.List;
import java.util.Map;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.rest.RestChannel;
import org.opensearch.rest.RestResponse;

/**
 * Says when to come again on every 429 and 503 that does not say it by itself.
 *
 * <p>{@code RestController#dispatchRequest} answers 429 before any handler is asked when a breaker
 * is at its limit, and without {@code Retry-After}. Senders of OTLP take 429 with that header for
 * throttling and lengthen their pauses by themselves otherwise (OTLP 1.9.0, "OTLP/HTTP
 * Throttling").
 */
final class RetryAfterChannel extends PassingRestChannel {
  private static final String HEADER = "Retry-After";

  /** A breaker's limit passes with the next collection of garbage. */
  private static final String SECONDS = "1";

  RetryAfterChannel(RestChannel channel) {
    super(channel);
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
    super.sendResponse(response);
  }
}
