package io.millrace.doctor.check.cluster;

import io.millrace.doctor.change.SettingsChange;
import io.millrace.doctor.check.Diagnosis;
import io.millrace.doctor.check.Rule;
import io.millrace.doctor.finding.About;
import io.millrace.doctor.finding.Area;
import io.millrace.doctor.finding.Finding;
import io.millrace.doctor.finding.Severity;
import io.millrace.doctor.snapshot.Node;
import io.millrace.doctor.snapshot.Probe;
import io.millrace.doctor.snapshot.Snapshot;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** On version 6 the majority is a number in a file, and a wrong one splits the cluster. */
public final class MinimumMasters extends Rule {
  public MinimumMasters() {
    super(
        new About(
            "minimum-masters",
            Area.CLUSTER,
            "The cluster can split in two",
            "Elasticsearch 6 with 2 eligible nodes or more, and discovery.zen.minimum_master_nodes below their majority",
            "After a broken network both halves elect a master and take writes; one half's are lost when they meet again.",
            "Elasticsearch 6 guide, Avoiding split brain",
            "only the half with the majority goes on"),
        Probe.NODES,
        Probe.CLUSTER_SETTINGS);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    if (!snapshot.product().elasticsearchBefore(7, 0, 0)) {
      return Optional.empty();
    }
    List<Node> eligible = snapshot.nodes().stream().filter(Node::managerEligible).toList();
    String dynamic = snapshot.clusterSetting("discovery.zen.minimum_master_nodes");
    int majority = eligible.size() / 2 + 1;
    for (Node node : eligible) {
      String set = dynamic != null ? dynamic : node.setting("discovery.zen.minimum_master_nodes");
      int value = set != null && set.matches("\\d{1,4}") ? Integer.parseInt(set) : 1;
      if (eligible.size() >= 2 && value < majority) {
        diagnosis
            .found(Severity.ERROR, node.name())
            .seen(
                node.infoPath("settings.discovery.zen.minimum_master_nodes"),
                value + ", the majority is " + majority)
            .weigh(85);
      }
    }
    return diagnosis.saying(
        "The cluster can split.",
        SettingsChange.cluster(
                snapshot, Map.of("discovery.zen.minimum_master_nodes", String.valueOf(majority)))
            .and("Write it into elasticsearch.yml as well."));
  }
}
