package io.millrace.doctor.check.cluster;

import io.millrace.doctor.check.Diagnosis;
import io.millrace.doctor.check.Rule;
import io.millrace.doctor.finding.About;
import io.millrace.doctor.finding.Area;
import io.millrace.doctor.finding.Finding;
import io.millrace.doctor.finding.Fix;
import io.millrace.doctor.finding.Severity;
import io.millrace.doctor.snapshot.Node;
import io.millrace.doctor.snapshot.Probe;
import io.millrace.doctor.snapshot.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** A rolling upgrade that was never finished. */
public final class VersionsMixed extends Rule {
  public VersionsMixed() {
    super(
        new About(
            "versions-mixed",
            Area.CLUSTER,
            "Nodes have different versions or plugins",
            "versions of the server differ among nodes, or data nodes have different plugins",
            "Copies cannot be made from newer to older nodes, new functions stay off, and a request works on one node and fails on another.",
            "OpenSearch documentation, Rolling upgrade",
            "every node answers alike"),
        Probe.NODES);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    Map<String, List<Node>> kinds = new TreeMap<>();
    for (Node node : snapshot.nodes()) {
      Set<String> plugins = new TreeSet<>();
      if (node.data()) {
        node.info()
            .path("plugins")
            .forEach(p -> plugins.add(p.path("name").asText() + " " + p.path("version").asText()));
      }
      kinds
          .computeIfAbsent(
              node.text("version") + (node.data() ? " " + plugins : ""), k -> new ArrayList<>())
          .add(node);
    }
    boolean data = snapshot.nodes().stream().allMatch(Node::data);
    Set<String> versions = new TreeSet<>();
    snapshot.nodes().forEach(n -> versions.add(n.text("version")));
    if (versions.size() > 1 || (data && kinds.size() > 1)) {
      kinds.forEach((kind, nodes) ->
          nodes.forEach(n ->
              diagnosis
                  .found(Severity.WARN, n.name())
                  .seen(n.infoPath("version"), kind)
                  .weigh(45)));
    }
    return diagnosis.saying(
        "Nodes differ in version or plugins.",
        Fix.advice(
            "Finish the upgrade, and install the same plugins on every node, one node after the other."));
  }
}
