package io.millrace.guard.bodies;

import io.millrace.kernel.channel.PassingRestChannel;
import org.opensearch.common.lease.Releasable;
import org.opensearch.rest.RestChannel;
import org.opensearch.rest.RestResponse;

/** Gives back what was taken for a request when its answer is there, and knows whether it is. */
final class ReleasingChannel extends PassingRestChannel {
  private final Releasable taken;
  private volatile boolean answered;

  ReleasingChannel(RestChannel in, Releasable taken) {
    super(in);
    this.taken = taken;
  }

  boolean answered() {
    return answered;
  }

  @Override
  public void sendResponse(RestResponse response) {
    answered = true;
    try (taken) {
      super.sendResponse(response);
    }
  }
}
