package io.millrace.cluster.managerhandover;

import java.io.IOException;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.xcontent.ToXContentObject;
import org.opensearch.core.xcontent.XContentBuilder;

/** Who was cluster manager, who is, since which term, and how long it took. */
public final class HandoverResponse extends ActionResponse implements ToXContentObject {
  private final DiscoveryNode from;
  private final DiscoveryNode to;
  private final long term;
  private final long tookMillis;
  private final int attempts;

  HandoverResponse(DiscoveryNode from, DiscoveryNode to, long term, long tookMillis, int attempts) {
    this.from = from;
    this.to = to;
    this.term = term;
    this.tookMillis = tookMillis;
    this.attempts = attempts;
  }

  /** As another node sent it. */
  HandoverResponse(StreamInput in) throws IOException {
    from = new DiscoveryNode(in);
    to = new DiscoveryNode(in);
    term = in.readVLong();
    tookMillis = in.readVLong();
    attempts = in.readVInt();
  }

  @Override
  public void writeTo(StreamOutput out) throws IOException {
    from.writeTo(out);
    to.writeTo(out);
    out.writeVLong(term);
    out.writeVLong(tookMillis);
    out.writeVInt(attempts);
  }

  @Override
  public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
    builder.startObject();
    node(builder, "old", from);
    node(builder, "new", to);
    return builder
        .field("term", term)
        .field("took_ms", tookMillis)
        .field("attempts", attempts)
        .endObject();
  }

  private static void node(XContentBuilder builder, String name, DiscoveryNode node)
      throws IOException {
    builder.startObject(name).field("id", node.getId()).field("name", node.getName()).endObject();
  }

  /** Who was cluster manager when the request came. */
  public DiscoveryNode from() {
    return from;
  }

  /** Who is now. */
  public DiscoveryNode to() {
    return to;
  }

  /** The term of the new cluster manager. */
  public long term() {
    return term;
  }

  /** Elections that were started; 0 when the target was cluster manager already. */
  public int attempts() {
    return attempts;
  }

  long tookMillis() {
    return tookMillis;
  }
}
