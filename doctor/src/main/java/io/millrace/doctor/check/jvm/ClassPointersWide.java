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
import java.util.List;
import java.util.Optional;

/** Class pointers may be short even where references cannot. */
public final class ClassPointersWide extends Rule {
  private static final String WIDE = "-XX:-UseCompressedClassPointers";
  private static final String SHORT = "-XX:+UseCompressedClassPointers";

  public ClassPointersWide() {
    super(
        new About(
            "class-pointers",
            Area.JVM,
            "Every object has a wider header than it needs",
            "the JVM runs with -XX:-UseCompressedClassPointers",
            "The header of every object is four bytes longer. Most objects of a search or a bulk are small, so the heap holds"
                + " fewer of them and is collected more often.",
            "JDK documentation: since 15 the flag does not depend on compressed references; a field report set it for ZGC",
            "a smaller live set; fewer collections"),
        Probe.NODES);
  }

  @Override
  public Optional<Finding> examine(Snapshot snapshot) {
    Diagnosis diagnosis = diagnosis();
    for (Node node : snapshot.nodes()) {
      List<String> flags =
          node.jvmArguments().stream().filter(f -> f.equals(WIDE) || f.equals(SHORT)).toList();
      if (!flags.isEmpty() && flags.getLast().equals(WIDE)) {
        diagnosis
            .found(Severity.WARN, node.name())
            .seen(node.infoPath("jvm.input_arguments"), WIDE)
            .weigh(20);
      }
    }
    return diagnosis.saying(
        "Class pointers are not compressed on " + diagnosis.names() + ".",
        Fix.config("jvm.options", List.of(WIDE), List.of()));
  }
}
