package io.millrace.access.admin;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.ActionRequestValidationException;
import org.opensearch.action.support.clustermanager.AcknowledgedRequest;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;

/** A change on its way to the cluster manager; it holds hashes, never a password or a secret. */
public final class ChangeRequest extends AcknowledgedRequest<ChangeRequest> {
  private final Change change;

  ChangeRequest(Change change) {
    this.change = change;
  }

  /** As another node sent it. */
  public ChangeRequest(StreamInput in) throws IOException {
    super(in);
    change = new Change(in);
  }

  @Override
  public void writeTo(StreamOutput out) throws IOException {
    super.writeTo(out);
    change.writeTo(out);
  }

  @Override
  public @Nullable ActionRequestValidationException validate() {
    return null; // the change says what is wrong where it is applied
  }

  Change change() {
    return change;
  }

  /** What a list of tasks shows. */
  @Override
  public String getDescription() {
    return change.text();
  }
}
