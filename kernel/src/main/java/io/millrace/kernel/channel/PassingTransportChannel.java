package io.millrace.kernel.channel;

import java.io.IOException;
import java.util.Optional;
import org.opensearch.Version;
import org.opensearch.core.transport.TransportResponse;
import org.opensearch.transport.TransportChannel;

/** Passes everything on to another channel; what differs is overridden. */
public abstract class PassingTransportChannel implements TransportChannel {
  private final TransportChannel in;

  /**
   * A channel around another.
   *
   * @param in gets everything that is not overridden
   */
  protected PassingTransportChannel(TransportChannel in) {
    this.in = in;
  }

  @Override
  public void sendResponse(TransportResponse response) throws IOException {
    in.sendResponse(response);
  }

  @Override
  public void sendResponse(Exception exception) throws IOException {
    in.sendResponse(exception);
  }

  @Override
  public void sendResponseBatch(TransportResponse response) {
    in.sendResponseBatch(response);
  }

  @Override
  public void sendResponseBatch(TransportResponse response, boolean sync) {
    in.sendResponseBatch(response, sync);
  }

  @Override
  public void completeStream() {
    in.completeStream();
  }

  @Override
  public boolean isCancelled() {
    return in.isCancelled();
  }

  @Override
  public String getProfileName() {
    return in.getProfileName();
  }

  @Override
  public String getChannelType() {
    return in.getChannelType();
  }

  @Override
  public Version getVersion() {
    return in.getVersion();
  }

  @Override
  public <T> Optional<T> get(String name, Class<T> type) {
    return in.get(name, type);
  }
}
