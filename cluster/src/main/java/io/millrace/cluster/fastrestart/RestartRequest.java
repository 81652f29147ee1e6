package io.millrace.cluster.fastrestart;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.opensearch.action.ActionRequestValidationException;
import org.opensearch.action.ValidateActions;
import org.opensearch.action.support.clustermanager.ClusterManagerNodeRequest;
import org.opensearch.common.unit.TimeValue;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;

/** Announces the restart of a node, ends it, or asks. */
public final class RestartRequest extends ClusterManagerNodeRequest<RestartRequest> {
  /** For how long copies wait when nobody says. */
  static final TimeValue TTL = TimeValue.timeValueMinutes(10);

  private static final TimeValue SHORTEST = TimeValue.timeValueSeconds(1);
  private static final TimeValue LONGEST = TimeValue.timeValueDays(1);

  /** What is asked for. */
  public enum Verb {
    BEGIN,
    STATUS,
    END
  }

  private final Verb verb;
  private final String node;
  private final TimeValue ttl;

  /**
   * @param node name or id; may be empty for {@link Verb#STATUS}, and for {@link Verb#END}, which
   *     then ends every waiting
   * @param ttl for how long copies wait; read by {@link Verb#BEGIN} alone
   */
  public RestartRequest(Verb verb, String node, TimeValue ttl) {
    this.verb = verb;
    this.node = node;
    this.ttl = ttl;
  }

  /** As another node sent it. */
  public RestartRequest(StreamInput in) throws IOException {
    super(in);
    verb = in.readEnum(Verb.class);
    node = in.readString();
    ttl = in.readTimeValue();
  }

  @Override
  public void writeTo(StreamOutput out) throws IOException {
    super.writeTo(out);
    out.writeEnum(verb);
    out.writeString(node);
    out.writeTimeValue(ttl);
  }

  @Override
  public @Nullable ActionRequestValidationException validate() {
    ActionRequestValidationException wrong = null;
    if (verb == Verb.BEGIN && node.isBlank()) {
      wrong =
          ValidateActions.addValidationError(
              "[node] is missing: name the node that is to be restarted, as in ?node=node-2",
              wrong);
    }
    if (verb == Verb.BEGIN && (ttl.compareTo(SHORTEST) < 0 || ttl.compareTo(LONGEST) > 0)) {
      wrong =
          ValidateActions.addValidationError(
              "[ttl] is [" + ttl + "]; it must be from " + SHORTEST + " to " + LONGEST, wrong);
    }
    return wrong;
  }

  Verb verb() {
    return verb;
  }

  String node() {
    return node;
  }

  TimeValue ttl() {
    return ttl;
  }
}
