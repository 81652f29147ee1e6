package io.millrace.doctor.check.jvm;

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
import io.millrace.doctor.unit.Units;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** One node with another heap or JVM is the one that the whole cluster waits for. */
public final class NodesDiffer extends Rule {

  public NodesDiffer() {
    super(
        new About(
            "nodes-differ",
            Area.JVM,
            "Nodes of one kind are not alike",
            "data nodes have different Java versions, or heaps that differ by more than a quarter",
            "Shards are spread by number and disk, not by heap: the smaller node gets the same work, and bulks wait for its answer.",
            "OpenSearch documentation, Sizing: nodes of one role are alike",
            "the work of a bulk ends on all nodes at about the same time"),
        Probe.NODES);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    List<Node> nodes = snapshot.dataNodes();
    long most = nodes.stream().mapToLong(n -> n.info("jvm.mem.heap_max_in_bytes")).max().orElse(0);
    Set<String> versions = new TreeSet<>();
    nodes.forEach(n -> versions.add(n.text("jvm.version")));
    for (Node node : nodes) {
      long heap = node.info("jvm.mem.heap_max_in_bytes");
      if (heap > 0 && heap < most * 0.75) {
        diagnosis
            .found(Severity.WARN, node.name())
            .seen(
                node.infoPath("jvm.mem.heap_max_in_bytes"),
                Units.size(heap) + ", others have " + Units.size(most))
            .weigh(35);
      } else if (versions.size() > 1) {
        diagnosis
            .found(Severity.INFO, node.name())
            .seen(node.infoPath("jvm.version"), node.text("jvm.version"));
      }
    }
    return diagnosis.saying(
        "Data nodes differ in heap or JVM: " + diagnosis.names() + ".",
        Fix.advice(
            "Give the nodes the same jvm.options and the same JDK, and restart them one after the other."));
  }
}
