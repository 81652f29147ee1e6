package io.millrace.cluster.managerhandover;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.ActionRequestValidationException;
import org.opensearch.action.ValidateActions;
import org.opensearch.action.support.clustermanager.ClusterManagerNodeRequest;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;

/** Which node is to be cluster manager. */
public final class HandoverRequest extends ClusterManagerNodeRequest<HandoverRequest> {
  /** Elections that a handover starts at most: another node can win one on a busy cluster. */
  static final int ATTEMPTS = 3;

  /** For each step: the target applies a cluster state; a new cluster manager is known. */
  static final TimeValue STEP = TimeValue.timeValueSeconds(10);

  private final String to;
  private final int attempt;
  private final TimeValue step;

  /**
   * @param to name or id of the target
   */
  public HandoverRequest(String to) {
    this(to, STEP, 1);
  }

  /**
   * @param step for how long each step is waited for
   * @param attempt counts from 1
   */
  HandoverRequest(String to, TimeValue step, int attempt) {
    this.to = to;
    this.step = step;
    this.attempt = attempt;
  }

  /** As another node sent it. */
  public HandoverRequest(StreamInput in) throws IOException {
    super(in);
    to = in.readString();
    step = in.readTimeValue();
    attempt = in.readVInt();
  }

  @Override
  public void writeTo(StreamOutput out) throws IOException {
    super.writeTo(out);
    out.writeString(to);
    out.writeTimeValue(step);
    out.writeVInt(attempt);
  }

  @Override
  public @Nullable ActionRequestValidationException validate() {
    ActionRequestValidationException wrong = null;
    if (to.isBlank()) {
      wrong =
          ValidateActions.addValidationError(
              "[to] is missing: name the node that is to be cluster manager, as in ?to=node-2",
              wrong);
    }
    if (step.millis() < 1) {
      wrong =
          ValidateActions.addValidationError(
              "[timeout] is [" + step + "]; it must be longer than 0", wrong);
    }
    return wrong;
  }

  /** Name or id of the target. */
  public String to() {
    return to;
  }

  TimeValue step() {
    return step;
  }

  int attempt() {
    return attempt;
  }

  /** The same wish, once more. */
  HandoverRequest again() {
    return new HandoverRequest(to, step, attempt + 1)
        .clusterManagerNodeTimeout(clusterManagerNodeTimeout());
  }
}
