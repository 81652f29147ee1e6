package io.millrace.pipelines.intake;

import org.jspecify.annotations.Nullable;
import org.opensearch.core.rest.RestStatus;

/**
 * What became of the documents of one request.
 *
 * @param written documents that are on every copy that the index waits for
 * @param known documents that an earlier attempt of the same request wrote
 * @param refused documents that will never be accepted as they are
 * @param refusal why the first of those was refused; empty without one
 * @param failure what the client has to send again for, or has done wrong; null when every document
 *     is accounted for above
 */
public record IntakeOutcome(
    long written, long known, long refused, String refusal, @Nullable Failure failure) {

  /**
   * Why a request as a whole did not succeed.
   *
   * @param status 429 or 503 when the same request may succeed later
   */
  public record Failure(RestStatus status, String message) {
    /** Whether sending the same again can help. */
    public boolean passing() {
      return passing(status);
    }

    static boolean passing(RestStatus status) {
      return status == RestStatus.TOO_MANY_REQUESTS
          || status == RestStatus.SERVICE_UNAVAILABLE
          || status == RestStatus.BAD_GATEWAY
          || status == RestStatus.GATEWAY_TIMEOUT;
    }
  }
}
