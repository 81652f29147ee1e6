package io.millrace.guard.http;

import io.millrace.guard.inbound.ByteBudget;
import io.millrace.guard.inbound.InboundBudget;
import io.millrace.guard.inbound.InboundBudgetFeature;
import io.millrace.kernel.Feature;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import java.nio.charset.StandardCharsets;
import org.opensearch.core.common.unit.ByteSizeValue;

/** What a refused client is told, in the shape of OpenSearch's own errors. */
final class Refusal {
  private static final String PREFIX = Feature.prefix(InboundBudgetFeature.ID);

  /** For a sender that was too slow: the node itself could have taken its body at any time. */
  private static final int AGAIN_SECONDS = 1;

  private Refusal() {}

  /** 429 with {@code Retry-After}: names the limit, the figures and the remedy. */
  static FullHttpResponse tooManyBytes(
      HttpRequest request, long bytes, ByteBudget budget, InboundBudget limits, boolean close) {
    int seconds = budget.secondsToDrain();
    boolean turn = budget.heldBack();
    String waitedFor =
        turn
            ? "] for its turn: ["
                + budget.queued()
                + "] writes wait for a thread now, the queue that ["
                + PREFIX
                + ".queued_writes] allows,"
            : "] for memory: bodies of its size hold ["
                + new ByteSizeValue(budget.used())
                + "] of ["
                + new ByteSizeValue(budget.limit())
                + "] ["
                + PREFIX
                + (bytes <= limits.smallBody() ? ".small]" : ".large]");
    String remedy =
        turn
            ? "more slowly: the node writes as fast as it can; more nodes or shards take more"
            : "with fewer bulks at once, or raise that setting";
    String reason =
        "a body of ["
            + new ByteSizeValue(bytes)
            + "] waited [up to "
            + limits.maxWait()
            + waitedFor
            + " and ["
            + budget.waiting()
            + "] more wait; nothing of it was done, send it again in ["
            + seconds
            + "s], "
            + remedy;
    FullHttpResponse response =
        answer(
            request,
            HttpResponseStatus.TOO_MANY_REQUESTS,
            "inbound_budget_exceeded_exception",
            reason,
            close);
    response.headers().setInt(HttpHeaderNames.RETRY_AFTER, seconds);
    return response;
  }

  /**
   * 429 with {@code Retry-After} for a body that does not come; the connection ends. Not 408, the
   * status of its name: exporters of OTLP throw away what it answers (OTLP 1.9.0, "Failures"), and
   * a sender that had no processor for a while would lose a batch of which nothing is wrong.
   */
  static FullHttpResponse tooSlow(HttpRequest request, long rate, long floor) {
    FullHttpResponse response =
        answer(
            request,
            HttpResponseStatus.TOO_MANY_REQUESTS,
            "slow_body_exception",
            "the body came at ["
                + rate
                + "] bytes per second, below ["
                + PREFIX
                + ".floor_rate] of ["
                + floor
                + "]; nothing of it was done, send it again without pausing, in smaller pieces over"
                + " a slow line",
            true);
    response.headers().setInt(HttpHeaderNames.RETRY_AFTER, AGAIN_SECONDS);
    return response;
  }

  private static FullHttpResponse answer(
      HttpRequest request, HttpResponseStatus status, String type, String reason, boolean close) {
    String cause = "{\"type\":\"" + type + "\",\"reason\":\"" + reason + "\"";
    byte[] body =
        ("{\"error\":"
                + cause
                + ",\"root_cause\":["
                + cause
                + "}]},\"status\":"
                + status.code()
                + "}")
            .getBytes(StandardCharsets.UTF_8);
    FullHttpResponse response =
        new DefaultFullHttpResponse(
            request.protocolVersion(), status, Unpooled.wrappedBuffer(body));
    response.headers().set(HttpHeaderNames.CONTENT_TYPE, "application/json; charset=UTF-8");
    response.headers().setInt(HttpHeaderNames.CONTENT_LENGTH, body.length);
    // streams of HTTP/2 are told apart from HTTP/1 requests by this header of Netty's
    String stream = request.headers().get("x-http2-stream-id");
    if (stream != null) {
      response.headers().set("x-http2-stream-id", stream);
    }
    HttpUtil.setKeepAlive(response, !close);
    return response;
  }
}
