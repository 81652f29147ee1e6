package io.millrace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The script that keeps archives of classes, as it is, in a tree of its own with a {@code java}
 * that only writes down what it was asked. {@code StartCostIT} starts real nodes with it.
 */
@Timeout(100)
class ArchiveScriptTest {
  private static final Path SCRIPT =
      Path.of("../distribution/src/main/dist/bin/opensearch-archive").toAbsolutePath().normalize();
  private static final String OPTIONS =
      "-javaagent:agent/millrace-agent.jar -Xms1g -Xmx1g -XX:+UseG1GC -Xlog:gc:file=x -Da=b";
  private static final String USES = "-XX:SharedArchiveFile=";
  private static final String LISTS = "-XX:DumpLoadedClassList=";

  @TempDir private Path dir = Path.of("");
  private Path java = Path.of("");
  private Path archives = Path.of("");

  private record Result(int exit, String out) {}

  @BeforeEach
  void aTree() throws IOException {
    for (String folder : List.of("bin", "lib", "modules", "plugins", "agent")) {
      Files.createDirectories(dir.resolve("tree").resolve(folder));
    }
    Files.copy(SCRIPT, dir.resolve("tree/bin/opensearch-archive"));
    for (String jar :
        List.of("lib/a.jar", "agent/opensearch-agent-bootstrap-1.jar", "agent/byte-buddy-2.jar")) {
      Files.writeString(dir.resolve("tree").resolve(jar), jar);
    }
    archives = Files.createDirectories(dir.resolve("of classes"));
    java = Files.createDirectories(dir.resolve("jdk/bin")).resolve("java");
    Files.writeString(dir.resolve("jdk/release"), "JAVA_VERSION=\"25\"");
    java(
        """
        for flag in "$@"; do
          echo "$flag" >> '%s'
          case $flag in -XX:SharedArchiveFile=*) echo archive > "${flag#*=}" ;; esac
        done
        """
            .formatted(asked()));
  }

  private void java(String script) throws IOException {
    Files.writeString(java, "#!/usr/bin/env bash\n" + script);
    assertTrue(java.toFile().setExecutable(true));
  }

  private Path asked() {
    return dir.resolve("asked");
  }

  private Result run(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add("bash");
    command.add(dir.resolve("tree/bin/opensearch-archive").toString());
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("OPENSEARCH_ARCHIVES", archives.toString());
    Process process = builder.start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertTrue(process.waitFor(60, TimeUnit.SECONDS));
    return new Result(process.exitValue(), out.strip());
  }

  private String flag(String options) throws Exception {
    Result result = run("flag", java.toString(), "17", options);
    assertEquals(0, result.exit(), result.out());
    return result.out();
  }

  /** A start that lists its classes; the last line is cut. */
  private void listed(String flag) throws IOException {
    assertTrue(flag.startsWith(LISTS), flag);
    Files.writeString(Path.of(flag.substring(LISTS.length())), "java/lang/Object id: 1\njava/la");
  }

  private List<String> left() throws IOException {
    try (Stream<Path> files = Files.list(archives)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> !name.equals("lock"))
          .toList();
    }
  }

  @Test
  void aStartListsTheNextOneUses() throws Exception {
    listed(flag(OPTIONS));
    Result made = run("make");
    assertEquals(0, made.exit(), made.out());
    String uses = flag(OPTIONS);
    assertTrue(uses.startsWith(USES), uses);
    assertEquals("archive\n", Files.readString(Path.of(uses.substring(USES.length()))));
    assertEquals(1, left().size(), left().toString());

    List<String> asked = Files.readAllLines(asked());
    assertTrue(asked.contains("-Xshare:dump"), asked.toString());
    assertTrue(asked.contains("-XX:+UseG1GC") && asked.contains("-Da=b"), asked.toString());
    assertTrue(asked.contains("--add-modules=java.instrument"), asked.toString());
    assertTrue(
        asked.contains(
            "-Xbootclasspath/a:agent/opensearch-agent-bootstrap-1.jar:agent/byte-buddy-2.jar:agent/millrace-agent.jar"),
        asked.toString());
    assertTrue(
        asked.stream()
            .noneMatch(flag ->
                flag.startsWith("-javaagent") || flag.startsWith("-Xlog") || flag.equals("-Xmx1g")),
        asked.toString());
  }

  @Test
  void anotherJarJdkOrCollectorHasItsOwn() throws Exception {
    listed(flag(OPTIONS));
    run("make");
    String uses = flag(OPTIONS);
    assertEquals(uses, flag(OPTIONS.replace("1g", "2g")), "a heap's size is no matter");
    assertTrue(flag(OPTIONS.replace("G1", "Z")).startsWith(LISTS));

    Path jar = dir.resolve("tree/lib/a.jar");
    Files.setLastModifiedTime(jar, FileTime.fromMillis(1_000_000_000_000L));
    assertTrue(flag(OPTIONS).startsWith(LISTS), "a jar of another time");
    Files.writeString(dir.resolve("jdk/release"), "JAVA_VERSION=\"26\"");
    assertNotEquals(uses, flag(OPTIONS));
  }

  @Test
  void whoHasAChoiceOfTheirOwnIsLeftAlone() throws Exception {
    for (String own :
        List.of(
            "-Xshare:off", "-XX:SharedArchiveFile=x", "-XX:AOTCache=x", "-Xmx32g", "-Xmx40000m")) {
      assertEquals("", flag(OPTIONS + " " + own), own);
    }
    assertTrue(flag(OPTIONS + " -Xmx31g").startsWith(LISTS));
  }

  @Test
  void whatCannotBeMadeIsSaidAndNotTriedAgain() throws Exception {
    java("echo no such class; exit 1\n");
    listed(flag(OPTIONS));
    Result made = run("make");
    assertEquals(1, made.exit());
    assertTrue(made.out().contains(".failed"), made.out());
    assertEquals(1, left().size(), left().toString());
    assertEquals("no such class\n", Files.readString(archives.resolve(left().getFirst())));
    assertEquals("", flag(OPTIONS), "starts go on without");
    assertEquals(0, run("make").exit());
  }

  @Test
  void whatTookTooLongIsTriedAgain() throws Exception {
    java("exit 124 # as timeout ends\n");
    listed(flag(OPTIONS));
    Result made = run("make");
    assertEquals(1, made.exit());
    assertTrue(made.out().contains("half an hour"), made.out());
    assertEquals(List.of(), left());
    assertTrue(flag(OPTIONS).startsWith(LISTS));
  }

  @Test
  void besideANodeThatEndedNothingIsMade() throws Exception {
    listed(flag(OPTIONS));
    Process ended = new ProcessBuilder("true").start();
    assertTrue(ended.waitFor(60, TimeUnit.SECONDS));
    assertEquals(0, run("beside", Long.toString(ended.pid()), "5").exit());
    assertFalse(Files.exists(asked()));
    assertTrue(flag(OPTIONS).startsWith(LISTS));
  }

  @Test
  void whatIsMadeBesideANodeEndsWithIt() throws Exception {
    java("trap '' TERM; touch '%s'; while :; do sleep 1; done\n".formatted(asked()));
    listed(flag(OPTIONS));
    Process node = new ProcessBuilder("sleep", "90").start();
    Thread ends =
        Thread.ofVirtual()
            .start(() -> {
              while (!Files.exists(asked())) {
                LockSupport.parkNanos(100_000_000);
              }
              node.destroy();
            });
    assertEquals(0, run("beside", Long.toString(node.pid()), "5").exit());
    assertTrue(ends.join(Duration.ofSeconds(10)));
    assertTrue(flag(OPTIONS).startsWith(LISTS), "the next start lists anew");
  }

  @Test
  void onlyTheNewestAreKept() throws Exception {
    for (int i = 0; i < 5; i++) {
      Path old = Files.writeString(archives.resolve("old-" + i + ".jsa"), "x");
      Files.setLastModifiedTime(old, FileTime.fromMillis(1_000_000_000_000L + i * 60_000L));
    }
    listed(flag(OPTIONS));
    assertEquals(0, run("make").exit());
    assertTrue(flag(OPTIONS).startsWith(USES));
    assertEquals(3, left().size(), left().toString());
    assertTrue(left().contains("old-4.jsa") && left().contains("old-3.jsa"), left().toString());
  }

  @Test
  void badInputIsSaid() throws Exception {
    assertEquals(4, run().exit());
    assertTrue(run("mkae").out().contains("'mkae'"));
    archives = dir.resolve("missing");
    Result missing = run("make");
    assertEquals(4, missing.exit());
    assertTrue(missing.out().contains("OPENSEARCH_ARCHIVES"), missing.out());
  }
}
