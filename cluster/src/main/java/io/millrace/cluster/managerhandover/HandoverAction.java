package io.millrace.cluster.managerhandover;

import org.opensearch.action.ActionType;

/** The action behind {@code POST /_millrace/manager/_handover}. */
public final class HandoverAction extends ActionType<HandoverResponse> {
  /** The one instance. */
  public static final HandoverAction INSTANCE = new HandoverAction();

  /** The name that privileges are given for. */
  public static final String NAME = "cluster:admin/millrace/manager/handover";

  private HandoverAction() {
    super(NAME, HandoverResponse::new);
  }
}
