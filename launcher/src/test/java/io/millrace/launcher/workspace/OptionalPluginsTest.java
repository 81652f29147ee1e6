package io.millrace.launcher.workspace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OptionalPluginsTest {
  private static final String KAFKA = "ingestion-kafka";

  @TempDir private Path dir;
  private Path source;
  private Workspace copied;

  @BeforeEach
  void tree() throws IOException {
    source = Files.createDirectories(dir.resolve("source"));
    for (String plugin : List.of("optional/" + KAFKA, "optional/other", "plugins/millrace")) {
      Files.writeString(Files.createDirectories(source.resolve(plugin)).resolve("a.jar"), plugin);
    }
    copied = new Workspace(source, dir.resolve("base/dist"), dir.resolve("base"), dir);
  }

  private Path inCopy(String plugin) throws IOException {
    TreeCopy.sync(source, copied.tree(), new OptionalPlugins(copied).chosen());
    return copied.tree().resolve("plugins").resolve(plugin).resolve("a.jar");
  }

  @Test
  void aPluginIsLoadedOnlyWhereItWasAskedForAndStays() throws IOException {
    OptionalPlugins plugins = new OptionalPlugins(copied);
    assertFalse(Files.exists(inCopy(KAFKA)), "nobody asked");
    assertTrue(Files.exists(inCopy("millrace")));

    assertTrue(plugins.choose(List.of("kafka")));
    assertEquals("optional/" + KAFKA, Files.readString(inCopy(KAFKA)));
    assertFalse(Files.exists(inCopy("other")));
    assertFalse(plugins.choose(List.of(KAFKA)), "the same, by its whole name");

    assertEquals(Set.of(KAFKA), new OptionalPlugins(copied).chosen(), "a later start");
    assertTrue(plugins.choose(List.of("other")));
    assertEquals(Set.of(KAFKA, "other"), plugins.chosen());

    assertTrue(plugins.choose(List.of("none")));
    assertFalse(Files.exists(inCopy(KAFKA)));
    assertTrue(Files.exists(inCopy("millrace")));
  }

  @Test
  void aNameThatIsNotCarriedIsRefusedWithThoseThatAre() {
    for (String name : List.of("kinesis", "../plugins/millrace", "", "NONE")) {
      ExpectedFailure failure =
          assertThrows(
              ExpectedFailure.class, () -> new OptionalPlugins(copied).choose(List.of(name)), name);
      assertEquals(ExitCode.USAGE, failure.exitCode());
      assertTrue(String.valueOf(failure.remedy()).contains(KAFKA + ", other"), failure.remedy());
    }
  }

  @Test
  void whatIsNoLongerCarriedIsNotChosen() throws IOException {
    OptionalPlugins plugins = new OptionalPlugins(copied);
    plugins.choose(List.of("kafka"));
    Files.delete(source.resolve("optional/" + KAFKA + "/a.jar"));
    Files.delete(source.resolve("optional/" + KAFKA));
    assertEquals(Set.of(), plugins.chosen());
  }

  @Test
  void anInstalledDistributionIsChangedByItsOwner() throws IOException {
    OptionalPlugins plugins =
        new OptionalPlugins(new Workspace(source, source, dir.resolve("base"), null));
    ExpectedFailure failure =
        assertThrows(ExpectedFailure.class, () -> plugins.choose(List.of("kafka")));
    assertEquals(ExitCode.ENVIRONMENT, failure.exitCode());
    assertEquals(
        "cp -r " + source.resolve("optional/" + KAFKA) + " " + source.resolve("plugins/" + KAFKA),
        failure.remedy());
    Files.createDirectories(source.resolve("plugins/" + KAFKA));
    assertFalse(plugins.choose(List.of("kafka")), "it is there");
    failure = assertThrows(ExpectedFailure.class, () -> plugins.choose(List.of("none")));
    assertEquals("rm -r " + source.resolve("plugins/" + KAFKA), failure.remedy());
  }
}
