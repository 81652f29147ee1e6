package io.millrace.access.admin;

import org.opensearch.action.ActionType;
import org.opensearch.action.support.clustermanager.AcknowledgedResponse;

/** Changes one's own password, and makes or revokes one's own keys; anybody's who is known. */
public final class OwnChangeAction extends ActionType<AcknowledgedResponse> {
  /** The one instance. */
  public static final OwnChangeAction INSTANCE = new OwnChangeAction();

  private OwnChangeAction() {
    super("cluster:admin/millrace/access/own", AcknowledgedResponse::new);
  }
}
