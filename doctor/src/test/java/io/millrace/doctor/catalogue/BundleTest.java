package io.millrace.doctor.catalogue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import io.millrace.doctor.check.Sick;
import io.millrace.doctor.snapshot.Anonymiser;
import io.millrace.doctor.snapshot.Bundle;
import io.millrace.doctor.snapshot.Probe;
import io.millrace.doctor.snapshot.Snapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BundleTest {
  @TempDir Path folder;

  @Test
  void whatIsSavedIsReadAgain() {
    Snapshot before = Sick.cluster().logs("index.refresh_interval", "1s").snapshot();
    for (String name : List.of("b.json", "b.json.gz")) {
      Path file = folder.resolve(name);
      Bundle.save(before, file);
      Snapshot after = Bundle.read(file);
      assertEquals(before.indices(), after.indices());
      assertEquals(before.nodes(), after.nodes());
      assertEquals(before.taken(), after.taken());
    }
  }

  @Test
  void whatIsNoBundleIsNamed() throws IOException {
    Path file = Files.writeString(folder.resolve("x.json"), "{\"a\":1}");
    assertTrue(
        assertThrows(ExpectedFailure.class, () -> Bundle.read(file))
            .getMessage()
            .contains("x.json is no bundle"));
    Path text = Files.writeString(folder.resolve("y.json"), "<html>");
    assertEquals(
        ExitCode.INPUT, assertThrows(ExpectedFailure.class, () -> Bundle.read(text)).exitCode());
    assertEquals(
        ExitCode.INPUT,
        assertThrows(ExpectedFailure.class, () -> Bundle.read(folder.resolve("none"))).exitCode());
  }

  @Test
  void aBundleThatSomebodyEditedIsNamedOrExamined() throws IOException {
    Path late = Files.writeString(folder.resolve("t.json"), "{\"format\":1,\"taken\":\"today\"}");
    assertTrue(
        assertThrows(ExpectedFailure.class, () -> Bundle.read(late))
            .getMessage()
            .contains("[today]"));
    for (Probe probe : Probe.values()) {
      for (String odd : List.of("1", "\"x\"", "[]", "{}", "[1]", "[{}]", "{\"nodes\":{\"a\":1}}")) {
        Path file =
            Files.writeString(
                folder.resolve("odd.json"),
                "{\"format\":1,\"taken\":\"2026-11-21T10:00:00Z\",\"first\":{\""
                    + probe.key()
                    + "\":"
                    + odd
                    + "},\"answers\":{\""
                    + probe.key()
                    + "\":"
                    + odd
                    + "}}");
        Examination examination = Examination.of(Bundle.read(file), Catalogue.all());
        assertFalse(
            examination.blind().values().stream().anyMatch(why -> why.startsWith("broke")),
            () -> probe + " " + odd + ": " + examination.blind());
        Anonymiser.of(Bundle.read(file));
      }
    }
  }

  @Test
  void anonymisedBundlesHoldNoNamesAndGiveTheSameFindings() throws IOException {
    Snapshot sick = Sick.cluster().cms().logs("index.refresh_interval", "1s").snapshot();
    Snapshot hidden = Anonymiser.of(sick);
    Path file = folder.resolve("h.json");
    Bundle.save(hidden, file);
    String text = Files.readString(file);
    for (String name :
        List.of("products", "app-logs", "10.0.0.", "\"n1\"", "\"level\"", "healthy")) {
      assertFalse(text.contains(name), name);
    }
    List<String> ids = ids(Examination.of(sick, Catalogue.all()));
    assertEquals(ids, ids(Examination.of(Bundle.read(file), Catalogue.all())));
    assertTrue(ids.contains("refresh-interval"));
  }

  private static List<String> ids(Examination examination) {
    return examination.findings().stream().map(f -> f.check().id()).toList();
  }
}
