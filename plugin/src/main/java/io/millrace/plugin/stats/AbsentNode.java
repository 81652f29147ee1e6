package io.millrace.plugin.stats;

import java.io.IOException;
import org.opensearch.core.common.io.stream.StreamInput;
import org.opensearch.core.common.io.stream.StreamOutput;
import org.opensearch.core.common.io.stream.Writeable;

/** A node of the cluster that runs without the plugin. */
record AbsentNode(String id, String name) implements Writeable {

  static AbsentNode read(StreamInput in) throws IOException {
    return new AbsentNode(in.readString(), in.readString());
  }

  @Override
  public void writeTo(StreamOutput out) throws IOException {
    out.writeString(id);
    out.writeString(name);
  }

  /** What is missing here and how to get it. */
  String message(Build build) {
    return "plugin [millrace] is not installed on node ["
        + name
        + "]: its features do not act there and its settings are unknown there; install millrace-"
        + build.version()
        + ".zip with opensearch-plugin and restart the node";
  }
}
