package io.millrace.pipelines.loki;

import io.millrace.kernel.slot.ForeignBody;
import io.millrace.pipelines.intake.AcknowledgedWrite;
import io.millrace.pipelines.intake.IntakeOutcome;
import java.io.IOException;
import java.util.List;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.rest.BaseRestHandler;
import org.opensearch.rest.BytesRestResponse;
import org.opensearch.rest.RestRequest;
import org.opensearch.transport.client.node.NodeClient;

/** {@code POST /loki/api/v1/push}. */
final class RestLokiPushAction extends BaseRestHandler {
  static final String PATH = "/loki/api/v1/push";
  static final String PROTOBUF = "application/x-protobuf";
  private static final String JSON = "application/json";

  private final LokiFeature feature;

  RestLokiPushAction(LokiFeature feature) {
    this.feature = feature;
  }

  @Override
  public String getName() {
    return "millrace_loki_push_action";
  }

  @Override
  public List<Route> routes() {
    return List.of(new Route(RestRequest.Method.POST, PATH));
  }

  @Override
  protected RestChannelConsumer prepareRequest(RestRequest request, NodeClient client) {
    String type = ForeignBody.typeOf(request);
    byte[] body = BytesReference.toBytes(request.content());
    if (!feature.enabled().on()) {
      return refused(
          RestStatus.BAD_REQUEST,
          "[" + feature.enabled().setting().getKey() + "] is false: this node takes no push");
    }
    if (!type.equals(PROTOBUF) && !type.equals(JSON)) {
      return refused(
          RestStatus.UNSUPPORTED_MEDIA_TYPE,
          "[Content-Type] is [" + type + "]; send [" + PROTOBUF + "] or [" + JSON + "]");
    }
    LokiDocuments documents;
    try {
      String tenant = request.header("X-Scope-OrgID");
      documents = feature.documents(body, type.equals(PROTOBUF), tenant == null ? "" : tenant);
    } catch (IOException e) {
      return refused(RestStatus.BAD_REQUEST, String.valueOf(e.getMessage()));
    }
    return channel ->
        AcknowledgedWrite.start(
            client,
            client.threadPool(),
            documents,
            feature.retryWithin(),
            outcome -> {
              feature.counters().add(outcome);
              channel.sendResponse(answer(outcome));
            });
  }

  /** As Loki answers: no content, or a line of text; 400 is not sent again by any client. */
  private static BytesRestResponse answer(IntakeOutcome outcome) {
    IntakeOutcome.Failure failure = outcome.failure();
    if (failure != null) {
      BytesRestResponse response = text(failure.status(), failure.message());
      if (failure.passing()) {
        response.addHeader("Retry-After", "1");
      }
      return response;
    }
    if (outcome.refused() > 0) {
      long others = outcome.written() + outcome.known();
      return text(
          RestStatus.BAD_REQUEST,
          "["
              + outcome.refused()
              + "] lines are refused, ["
              + others
              + "] are written; the first: "
              + outcome.refusal());
    }
    return new BytesRestResponse(
        RestStatus.NO_CONTENT, BytesRestResponse.TEXT_CONTENT_TYPE, BytesArray.EMPTY);
  }

  private static BytesRestResponse text(RestStatus status, String message) {
    return new BytesRestResponse(
        status, BytesRestResponse.TEXT_CONTENT_TYPE, new BytesArray(message + "\n"));
  }

  private RestChannelConsumer refused(RestStatus status, String why) {
    IntakeOutcome outcome = new IntakeOutcome(0, 0, 0, "", new IntakeOutcome.Failure(status, why));
    return channel -> {
      feature.counters().add(outcome);
      channel.sendResponse(answer(outcome));
    };
  }
}
