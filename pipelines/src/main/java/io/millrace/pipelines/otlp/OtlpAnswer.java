package io.millrace.pipelines.otlp;

import com.google.protobuf.CodedOutputStream;
import io.millrace.pipelines.intake.IntakeOutcome;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.opensearch.common.xcontent.XContentType;
import org.opensearch.core.common.bytes.BytesArray;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.rest.BytesRestResponse;

/**
 * What a client is told, as the OTLP specification words it: success as the response message of the
 * signal, anything else as {@code google.rpc.Status}, both in the form in which the client spoke.
 */
final class OtlpAnswer {
  static final String PROTOBUF = "application/x-protobuf";
  static final String JSON = "application/json";

  /** Seconds until a client may try again; clients lengthen it by themselves. */
  private static final String RETRY_AFTER = "1";

  private OtlpAnswer() {}

  static BytesRestResponse of(Signal signal, boolean protobuf, IntakeOutcome outcome) {
    IntakeOutcome.Failure failure = outcome.failure();
    if (failure != null) {
      return failed(protobuf, failure);
    }
    try {
      byte[] body =
          protobuf
              ? wire(outcome.refused(), outcome.refusal())
              : json(signal, outcome.refused(), outcome.refusal());
      return new BytesRestResponse(RestStatus.OK, protobuf ? PROTOBUF : JSON, new BytesArray(body));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static BytesRestResponse failed(boolean protobuf, IntakeOutcome.Failure failure) {
    int code = code(failure.status());
    try {
      ByteArrayOutputStream body = new ByteArrayOutputStream();
      if (protobuf) {
        CodedOutputStream out = CodedOutputStream.newInstance(body);
        out.writeInt32(1, code);
        out.writeString(2, failure.message());
        out.flush();
      } else {
        try (XContentBuilder out = new XContentBuilder(XContentType.JSON.xContent(), body)) {
          out.startObject().field("code", code).field("message", failure.message()).endObject();
        }
      }
      BytesRestResponse response =
          new BytesRestResponse(
              failure.status(), protobuf ? PROTOBUF : JSON, new BytesArray(body.toByteArray()));
      if (failure.passing()) {
        response.addHeader("Retry-After", RETRY_AFTER);
      }
      return response;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] wire(long refused, String why) throws IOException {
    if (refused == 0) {
      return new byte[0];
    }
    ByteArrayOutputStream partial = new ByteArrayOutputStream();
    CodedOutputStream inner = CodedOutputStream.newInstance(partial);
    inner.writeInt64(1, refused);
    inner.writeString(2, why);
    inner.flush();
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(body);
    out.writeByteArray(1, partial.toByteArray());
    out.flush();
    return body.toByteArray();
  }

  private static byte[] json(Signal signal, long refused, String why) throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    try (XContentBuilder out = new XContentBuilder(XContentType.JSON.xContent(), body)) {
      out.startObject();
      if (refused != 0) {
        out.startObject("partialSuccess")
            .field(signal.rejected(), Long.toString(refused)) // JSON of protobuf: int64 is a string
            .field("errorMessage", why)
            .endObject();
      }
      out.endObject();
    }
    return body.toByteArray();
  }

  /** The code of google.rpc for a status of HTTP. */
  private static int code(RestStatus status) {
    return switch (status.getStatus()) {
      case 401 -> 16;
      case 403 -> 7;
      case 404 -> 5;
      case 429 -> 8;
      case 502, 503, 504 -> 14;
      default -> status.getStatus() < 500 ? 3 : 13;
    };
  }
}
