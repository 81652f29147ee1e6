package io.millrace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The two things the shell part does by itself: find a JDK, tell what is stale. */
class LauncherScriptTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  @TempDir private Path dir;

  private Path jdk(String name, String release) throws IOException {
    Path java = dir.resolve(name).resolve("bin/java");
    Files.createDirectories(java.getParent());
    Files.writeString(java, "#!/bin/sh\necho \"    java.version = 23.0.1\" >&2\n");
    assertTrue(java.toFile().setExecutable(true));
    if (!release.isEmpty()) {
      Files.writeString(dir.resolve(name).resolve("release"), release);
    }
    return dir.resolve(name);
  }

  private String find(Map<String, String> env) throws Exception {
    return bash(
        ". '"
            + ROOT.resolve("distribution/src/main/dist/bin/jdk-env")
            + "'; find_jdk || no_jdk; echo \"$JAVA_HOME_FOUND|$JDK_SKIPPED\"",
        env);
  }

  private String bash(String script, Map<String, String> env) throws Exception {
    ProcessBuilder builder = new ProcessBuilder("bash", "-c", script).redirectErrorStream(true);
    builder.environment().keySet().removeIf(k -> k.contains("JAVA"));
    builder.environment().put("JDK_PLACES", dir.toString());
    builder.environment().putAll(env);
    Process process = builder.start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertTrue(process.waitFor(300, TimeUnit.SECONDS));
    return said.strip();
  }

  @Test
  void takesTheNewestThatIsNewEnough() throws Exception {
    jdk("a-17", "JAVA_VERSION=\"17.0.15\"\n");
    jdk("b-25", "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"25.0.1\"\n");
    jdk("c-21", "JAVA_VERSION=\"21.0.2\"\r\n");
    jdk("d-8", "JAVA_VERSION=\"1.8.0_412\"\n");
    assertEquals(dir.resolve("b-25") + "|", find(Map.of()));
  }

  @Test
  void whatTheUserNamedComesFirst() throws Exception {
    jdk("b-25", "JAVA_VERSION=\"25.0.1\"\n");
    Path named = jdk("c-21", "JAVA_VERSION=\"21.0.2\"\n");
    assertEquals(named + "|", find(Map.of("OPENSEARCH_JAVA_HOME", named.toString())));
    assertEquals(named + "|", find(Map.of("JAVA_HOME", named.toString())));
  }

  @Test
  void aNamedOneThatIsTooOldIsSkippedAndSaid() throws Exception {
    Path old = jdk("a-17", "JAVA_VERSION=\"17.0.15\"\n");
    Path good = jdk("b-25", "JAVA_VERSION=\"25\"\n");
    assertEquals(good + "|" + old + " is Java 17", find(Map.of("JAVA_HOME", old.toString())));
    assertEquals(good + "|/nowhere is no JDK", find(Map.of("JAVA_HOME", "/nowhere")));
  }

  @Test
  void asksTheProgramWhenThereIsNoReleaseFile() throws Exception {
    Path bare = jdk("bare", "");
    assertEquals(bare + "|", find(Map.of()));
  }

  /**
   * A clone of somebody else's that is stale: one sentence and the code of a machine that lacks.
   */
  @Test
  void aCheckoutThatCannotBeWrittenIsNotBuilt() throws Exception {
    Path checkout = Files.createDirectories(dir.resolve("clone"));
    Path env = Files.createDirectories(checkout.resolve("distribution/src/main/dist/bin"));
    Files.copy(ROOT.resolve("distribution/src/main/dist/bin/jdk-env"), env.resolve("jdk-env"));
    Files.copy(ROOT.resolve("millrace"), checkout.resolve("millrace"));
    Files.writeString(checkout.resolve("pom.xml"), "<version>1</version>\n");
    jdk("b-25", "JAVA_VERSION=\"25.0.1\"\n");
    Files.createDirectories(checkout.resolve(".millrace/build.lock")); // root may write anywhere
    String said = bash("bash '" + checkout + "/millrace' status; echo $?", Map.of());
    assertTrue(said.contains("error: this checkout has to be built, and "), said);
    assertTrue(said.endsWith("take a checkout of your own.\n4"), said);
    assertEquals(3, said.lines().count(), said);
  }

  @Test
  void noneAtAllSaysHowToGetOne() throws Exception {
    jdk("a-17", "JAVA_VERSION=\"17.0.15\"\n");
    String said = find(Map.of("JAVA_HOME", dir.resolve("a-17").toString()));
    assertTrue(said.startsWith("error: no JDK 21 or newer found ("), said);
    assertTrue(said.contains("a-17 is Java 17"), said);
    assertTrue(said.contains("OPENSEARCH_JAVA_HOME"), said);
  }

  @Test
  void theFingerprintFollowsContentsNotTimes() throws Exception {
    Path checkout = Files.createDirectories(dir.resolve("checkout"));
    Path source = checkout.resolve("write/src/main/java/A.java");
    Path test = checkout.resolve("write/src/test/java/ATest.java");
    Path built = checkout.resolve("write/target/classes/src/main/A.class");
    for (Path p : new Path[] {source, test, built}) {
      Files.createDirectories(p.getParent());
      Files.writeString(p, "1");
    }
    Files.writeString(checkout.resolve("pom.xml"), "<project/>");
    String first = fingerprint(checkout);
    assertEquals(1, first.lines().count(), first);
    Files.setLastModifiedTime(source, java.nio.file.attribute.FileTime.fromMillis(1));
    Files.writeString(test, "2");
    Files.writeString(built, "2");
    assertEquals(first, fingerprint(checkout), "times, tests and outputs do not count");
    Files.writeString(source, "2");
    String second = fingerprint(checkout);
    assertTrue(!second.equals(first), "a changed source counts");
    Files.move(source, source.resolveSibling("B.java"));
    assertTrue(!fingerprint(checkout).equals(second), "a renamed source counts");
  }

  private String fingerprint(Path checkout) throws Exception {
    String script = Files.readString(ROOT.resolve("millrace"));
    int from = script.indexOf("fingerprint() {");
    String function = script.substring(from, script.indexOf("\n}\n", from) + 3);
    return bash(
        "checkout='" + checkout + "' unused=./benchmarks\n" + function + "fingerprint", Map.of());
  }
}
