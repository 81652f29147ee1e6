package io.millrace.guard.bodies;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.io.stream.BytesStreamOutput;
import org.opensearch.common.lease.Releasable;
import org.opensearch.core.xcontent.MediaType;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.rest.RestChannel;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.RestResponse;

/** Gives back what was taken for a request when its answer is there, and knows whether it is. */
final class ReleasingChannel implements RestChannel {
  private final RestChannel in;
  private final Releasable taken;
  private volatile boolean answered;

  ReleasingChannel(RestChannel in, Releasable taken) {
    this.in = in;
    this.taken = taken;
  }

  boolean answered() {
    return answered;
  }

  @Override
  public void sendResponse(RestResponse response) {
    answered = true;
    try (taken) {
      in.sendResponse(response);
    }
  }

  @Override
  public XContentBuilder newBuilder() throws IOException {
    return in.newBuilder();
  }

  @Override
  public XContentBuilder newErrorBuilder() throws IOException {
    return in.newErrorBuilder();
  }

  @Override
  public XContentBuilder newBuilder(@Nullable MediaType mediaType, boolean useFiltering)
      throws IOException {
    return in.newBuilder(mediaType, useFiltering);
  }

  @Override
  public XContentBuilder newBuilder(
      @Nullable MediaType mediaType, @Nullable MediaType responseType, boolean useFiltering)
      throws IOException {
    return in.newBuilder(mediaType, responseType, useFiltering);
  }

  @Override
  public BytesStreamOutput bytesOutput() {
    return in.bytesOutput();
  }

  @Override
  public RestRequest request() {
    return in.request();
  }

  @Override
  public boolean detailedErrorsEnabled() {
    return in.detailedErrorsEnabled();
  }

  @Override
  public boolean detailedErrorStackTraceEnabled() {
    return in.detailedErrorStackTraceEnabled();
  }
}
