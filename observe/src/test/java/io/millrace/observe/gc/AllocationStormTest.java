package io.millrace.observe.gc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The observation against the JVM's own recording, under each collector, in child JVMs. */
class AllocationStormTest {
  @TempDir Path temp;

  private Map<String, Long> run(String collector, boolean events)
      throws IOException, InterruptedException {
    return run(
        "-XX:+Use" + collector,
        "-Xmx96m",
        "-Xms96m",
        "-cp",
        System.getProperty("java.class.path"),
        AllocationStorm.class.getName(),
        "3",
        "48",
        String.valueOf(events));
  }

  private Map<String, Long> run(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Djava.io.tmpdir=" + temp);
    command.addAll(List.of(arguments));
    Path out = temp.resolve("out");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile()).start();
    try {
      assertTrue(process.waitFor(5, TimeUnit.MINUTES), "the storm does not end");
    } finally {
      process.destroyForcibly();
    }
    String text = java.nio.file.Files.readString(out, StandardCharsets.UTF_8);
    assertEquals(0, process.exitValue(), text);
    Map<String, Long> results = new HashMap<>();
    text.lines()
        .filter(line -> line.startsWith("RESULT "))
        .map(line -> line.substring(7).split("="))
        .forEach(pair -> results.put(pair[0], Long.parseLong(pair[1])));
    return results;
  }

  private static long of(Map<String, Long> results, String name) {
    return results.getOrDefault(name, -1L);
  }

  @Test
  void zgcStallsAreThoseOfTheRecording() throws Exception {
    Map<String, Long> zgc = run("ZGC", true);
    System.out.println("ZGC, events: " + zgc);
    assertEquals(1, of(zgc, "fromEvents"));
    assertTrue(of(zgc, "stallsRecorded") > 0, "no storm: " + zgc);
    assertEquals(
        of(zgc, "stallsRecorded"), of(zgc, "stalls"), 0.01 * of(zgc, "stallsRecorded"), "" + zgc);
    // pauses before the observation started are the recording's alone
    assertEquals(
        of(zgc, "pausesRecorded"),
        of(zgc, "pauses"),
        0.01 * of(zgc, "pausesRecorded") + 6,
        "" + zgc);
    assertTrue(of(zgc, "stallNanos") > 0);
    for (String name : List.of("ZGC Cycles", "ZGC Pauses", "ZGC AllocationStallCount")) {
      assertEquals(1, of(zgc, "collector " + name), "" + zgc);
    }
  }

  @Test
  void zgcWithoutEventsCountsCycles() throws Exception {
    Map<String, Long> zgc = run("ZGC", false);
    System.out.println("ZGC, beans: " + zgc);
    assertEquals(0, of(zgc, "fromEvents"));
    assertEquals(0, of(zgc, "stallNanos"));
    assertEquals(of(zgc, "cycles"), of(zgc, "stalls"));
    assertTrue(of(zgc, "cycles") <= of(zgc, "stallsRecorded"), "" + zgc);
  }

  @Test
  void otherCollectorsPauseAndPromote() throws Exception {
    for (String collector : List.of("G1GC", "ParallelGC", "SerialGC")) {
      Map<String, Long> seen = run(collector, true);
      System.out.println(collector + ": " + seen);
      assertTrue(of(seen, "pauses") > 0, collector + seen);
      assertEquals(
          of(seen, "pausesRecorded"), of(seen, "pauses"), 0.01 * of(seen, "pausesRecorded") + 6);
      assertEquals(0, of(seen, "stalls"), collector + seen);
      assertTrue(of(seen, "promoted") > 0, collector + seen);
      assertTrue(of(seen, "heapAfter") > 0, collector + seen);
      assertTrue(of(seen, "allocated") > 48L << 20, collector + seen);
      assertEquals(-1, of(seen, "collector ZGC AllocationStallCount"));
    }
  }

  @Test
  void withoutTheRecorderTheBeansDo() throws Exception {
    Map<String, Long> seen =
        run(
            "--limit-modules=java.base,java.logging,java.management,jdk.management,java.desktop,"
                + "jdk.unsupported,java.sql,java.naming,java.scripting",
            "-Xmx64m",
            "-cp",
            System.getProperty("java.class.path"),
            WithoutRecorder.class.getName());
    assertEquals(
        Map.of("failure", 1L, "fromEvents", 0L),
        Map.of("failure", of(seen, "failure"), "fromEvents", of(seen, "fromEvents")));
    assertTrue(of(seen, "pauses") > 0, "" + seen);
  }
}
