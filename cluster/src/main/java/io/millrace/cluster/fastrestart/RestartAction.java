package io.millrace.cluster.fastrestart;

import org.opensearch.action.ActionType;

/** The action behind {@code /_millrace/restart}. */
public final class RestartAction extends ActionType<RestartResponse> {
  /** The one instance. */
  public static final RestartAction INSTANCE = new RestartAction();

  /** The name that privileges are given for. */
  public static final String NAME = "cluster:admin/millrace/restart";

  private RestartAction() {
    super(NAME, RestartResponse::new);
  }
}
