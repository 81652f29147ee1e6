package io.millrace.kernel.channel;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.opensearch.common.io.stream.BytesStreamOutput;
import org.opensearch.core.xcontent.MediaType;
import org.opensearch.core.xcontent.XContentBuilder;
import org.opensearch.rest.RestChannel;
import org.opensearch.rest.RestRequest;
import org.opensearch.rest.RestResponse;

/** Passes everything on to another channel; what differs is overridden. */
public abstract class PassingRestChannel implements RestChannel {
  private final RestChannel in;

  /**
   * A channel around another.
   *
   * @param in gets everything that is not overridden
   */
  protected PassingRestChannel(RestChannel in) {
    this.in = in;
  }

  @Override
  public void sendResponse(RestResponse response) {
    in.sendResponse(response);
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
