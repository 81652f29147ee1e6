package io.millrace.pipelines.otlp;

import io.millrace.kernel.slot.ForeignBody;
import io.millrace.pipelines.intake.AcknowledgedWrite;
import io.millrace.pipelines.intake.BatchIds;
import io.millrace.pipelines.intake.IntakeOutcome;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.opensearch.core.common.bytes.BytesReference;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.rest.BaseRestHandler;
import org.opensearch.rest.RestRequest;
import org.opensearch.transport.client.node.NodeClient;

/** {@code POST /v1/logs} and {@code POST /v1/traces}, one handler each. */
final class RestOtlpAction extends BaseRestHandler {
  private final Signal signal;
  private final OtlpFeature feature;
  private final Schema.Message schema;

  RestOtlpAction(Signal signal, OtlpFeature feature) {
    this.signal = signal;
    this.feature = feature;
    this.schema = Schema.request(signal);
  }

  @Override
  public String getName() {
    return "millrace_otlp_" + signal.name().toLowerCase(Locale.ROOT) + "_action";
  }

  @Override
  public List<Route> routes() {
    return List.of(new Route(RestRequest.Method.POST, signal.path()));
  }

  @Override
  protected RestChannelConsumer prepareRequest(RestRequest request, NodeClient client) {
    String type = ForeignBody.typeOf(request);
    boolean protobuf = type.equals(OtlpAnswer.PROTOBUF);
    byte[] body = BytesReference.toBytes(request.content());
    if (!feature.enabled().on()) {
      return refused(
          protobuf,
          RestStatus.BAD_REQUEST,
          "[" + feature.enabled().setting().getKey() + "] is false: this node takes no OTLP");
    }
    if (!protobuf && !type.equals(OtlpAnswer.JSON)) {
      return refused(
          false,
          RestStatus.UNSUPPORTED_MEDIA_TYPE,
          "[Content-Type] is ["
              + type
              + "]; send ["
              + OtlpAnswer.PROTOBUF
              + "] or ["
              + OtlpAnswer.JSON
              + "]");
    }
    OtlpDocuments documents;
    try {
      // an empty body is a message without records in protobuf, and nothing in JSON
      byte[] wire = protobuf || body.length == 0 ? body : JsonToWire.wire(body, schema);
      documents = feature.documents(signal, RecordPlaces.read(wire), new BatchIds(body));
    } catch (IOException e) {
      return refused(protobuf, RestStatus.BAD_REQUEST, String.valueOf(e.getMessage()));
    }
    return channel ->
        AcknowledgedWrite.start(
            client,
            client.threadPool(),
            documents,
            feature.retryWithin(),
            outcome -> {
              feature.counters().add(outcome);
              channel.sendResponse(OtlpAnswer.of(signal, protobuf, outcome));
            });
  }

  private RestChannelConsumer refused(boolean protobuf, RestStatus status, String why) {
    IntakeOutcome.Failure failure = new IntakeOutcome.Failure(status, why);
    return channel -> {
      feature.counters().add(new IntakeOutcome(0, 0, 0, "", failure));
      channel.sendResponse(OtlpAnswer.failed(protobuf, failure));
    };
  }
}
