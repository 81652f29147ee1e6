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
import java.util.Optional;

/** The same server on a newer JDK collects and vectorises better. */
public final class JavaOld extends Rule {
  private static final int GOOD = 17;

  public JavaOld() {
    super(
        new About(
            "java-old",
            Area.JVM,
            "An old Java runs the node",
            "a node's Java is older than 17 (info)",
            "Collectors, vector code and strings became faster with every version, and versions between the long-term ones"
                + " get no fixes. ZGC is made for production since 15.",
            "a field report on Elasticsearch 7.6: JDK 17 instead of 11 took 8 to 20 % CPU away and a third of the rejections",
            "less CPU for the same load"),
        Probe.NODES);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    for (Node node : snapshot.nodes()) {
      if (node.java() > 0 && node.java() < GOOD) {
        diagnosis
            .found(Severity.INFO, node.name())
            .seen(node.infoPath("jvm.version"), node.text("jvm.version"))
            .weigh(25);
      }
    }
    return diagnosis.saying(
        diagnosis.names() + " runs on an old Java.",
        Fix.advice(
            "OpenSearch since 1.3 and Elasticsearch since 7.16 run on JDK 17: set OPENSEARCH_JAVA_HOME or ES_JAVA_HOME, take flags of"
                + " removed collectors out of jvm.options, and restart the nodes one after the other. Older servers have to be"
                + " upgraded first. To go back, set the old one again."));
  }
}
