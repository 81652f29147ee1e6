package io.millrace.doctor.catalogue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.doctor.check.Check;
import io.millrace.doctor.check.Recorded;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.finding.About;
import io.millrace.doctor.finding.Area;
import io.millrace.doctor.finding.Finding;
import io.millrace.doctor.finding.Severity;
import io.millrace.doctor.snapshot.Probe;
import io.millrace.doctor.snapshot.Snapshot;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ExaminationTest {
  @Test
  void aHealthyClusterHasNoFinding() {
    Recorded.all()
        .forEach((name, snapshot) -> {
          Examination examination = Examination.of(snapshot, Catalogue.all());
          assertFalse(examination.has(Severity.WARN), () -> name + ": " + examination.findings());
          examination
              .blind()
              .forEach((id, why) ->
                  assertFalse(why.startsWith("broke"), () -> name + ": " + id + " " + why));
        });
  }

  @Test
  void errorsComeFirstAndThenWhatWeighsMost() {
    Snapshot sick =
        Sick.cluster()
            .cms()
            .logs("index.refresh_interval", "1s")
            .stat("thread_pool/write/rejected", 9)
            .stat("os/swap/total_in_bytes", 1L << 30)
            .snapshot();
    List<Finding> findings = Examination.of(sick, Catalogue.all()).findings();
    assertEquals("write-rejections", findings.get(0).check().id());
    assertEquals("young-generation-tiny", findings.get(1).check().id());
    for (int i = 1; i < findings.size(); i++) {
      assertTrue(findings.get(i - 1).severity().compareTo(findings.get(i).severity()) >= 0);
    }
  }

  @Test
  void aCheckThatBreaksIsNamedAndTheOthersGoOn() {
    Check broken =
        new Check() {
          @Override
          public About about() {
            return new About("broken", Area.JVM, "t", "f", "w", "s", "e");
          }

          @Override
          public Optional<Finding> examine(Snapshot snapshot) {
            throw new IllegalStateException("no");
          }
        };
    Examination examination =
        Examination.of(Recorded.healthy(), List.of(broken, Catalogue.byId("swap")));
    assertEquals(1, examination.looked());
    assertTrue(examination.blind().get("broken").contains("no"));
  }

  @Test
  void withoutAnAnswerItsChecksAreBlind() {
    Examination examination =
        Examination.of(Sick.cluster().without(Probe.NODES).snapshot(), Catalogue.all());
    assertTrue(examination.blind().containsKey("heap-unequal"));
    assertFalse(examination.blind().containsKey("file-descriptors"));
  }
}
