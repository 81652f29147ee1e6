package io.millrace.access.admin;

import org.opensearch.action.ActionType;
import org.opensearch.action.support.clustermanager.AcknowledgedResponse;

/** Puts or deletes any user, role or key; the superuser's. */
public final class AnyChangeAction extends ActionType<AcknowledgedResponse> {
  /** The one instance. */
  public static final AnyChangeAction INSTANCE = new AnyChangeAction();

  private AnyChangeAction() {
    super("cluster:admin/millrace/access/change", AcknowledgedResponse::new);
  }
}
