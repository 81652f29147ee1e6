package io.millrace.cluster.fastrestart;

import java.io.IOException;
import java.util.List;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;
import org.opensearch.core.xcontent.ToXContentObject;
import org.opensearch.core.xcontent.XContentBuilder;

/** Who is awaited, and what waits. */
public final class RestartResponse extends ActionResponse implements ToXContentObject {
  private final List<Awaited> awaited;
  private final List<String> notes;

  /**
   * A node that is awaited.
   *
   * @param name its name; the id while it is away
   * @param present whether it is in the cluster now
   * @param leftMillis for how long it is awaited yet
   * @param copies replicas that wait for it
   */
  public record Awaited(String id, String name, boolean present, long leftMillis, int copies)
      implements Writeable {
    Awaited(StreamInput in) throws IOException {
      this(in.readString(), in.readString(), in.readBoolean(), in.readVLong(), in.readVInt());
    }

    @Override
    public void writeTo(StreamOutput out) throws IOException {
      out.writeString(id);
      out.writeString(name);
      out.writeBoolean(present);
      out.writeVLong(leftMillis);
      out.writeVInt(copies);
    }
  }

  RestartResponse(List<Awaited> awaited, List<String> notes) {
    this.awaited = awaited;
    this.notes = notes;
  }

  /** As another node sent it. */
  RestartResponse(StreamInput in) throws IOException {
    awaited = in.readList(Awaited::new);
    notes = in.readStringList();
  }

  @Override
  public void writeTo(StreamOutput out) throws IOException {
    out.writeList(awaited);
    out.writeStringCollection(notes);
  }

  @Override
  public XContentBuilder toXContent(XContentBuilder builder, Params params) throws IOException {
    builder.startObject().startArray("awaited");
    for (Awaited node : awaited) {
      builder
          .startObject()
          .field("id", node.id())
          .field("name", node.name())
          .field("present", node.present())
          .field("left_ms", node.leftMillis())
          .field("waiting_copies", node.copies())
          .endObject();
    }
    return builder.endArray().field("notes", notes).endObject();
  }

  /** The nodes that are awaited now. */
  public List<Awaited> awaited() {
    return awaited;
  }

  /** What the caller should know: whatever did not go as wished, and where the role went. */
  public List<String> notes() {
    return notes;
  }
}
