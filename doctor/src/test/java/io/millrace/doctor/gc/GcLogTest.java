package io.millrace.doctor.gc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GcLogTest {
  @TempDir Path folder;

  private GcSummary read(String text) throws IOException {
    return GcLog.read(Files.writeString(folder.resolve("gc.log"), text));
  }

  private GcSummary real(String name) throws IOException {
    try (InputStream in = GcLogTest.class.getResourceAsStream(name)) {
      assertNotNull(in, name);
      Path file = folder.resolve(name);
      Files.copy(in, file);
      return GcLog.read(file);
    }
  }

  /** The JVM's own counters of the same runs: sun.gc.collector.*.invocations and .time. */
  private void sameAsTheJvm(
      String name, String collector, int pauses, double millis, double tolerance)
      throws IOException {
    GcSummary log = real(name);
    assertEquals(collector, log.collector(), name);
    assertEquals(pauses, log.pauses().stream().filter(e -> e.millis() > 0).count(), name);
    assertEquals(millis, log.pausedMillis(), millis * tolerance, name);
  }

  @Test
  void pausesOfRealLogsAreThoseOfTheJvm() throws IOException {
    sameAsTheJvm("g1hum-25.log.gz", "G1", 35, 660.733, 0.01);
    sameAsTheJvm("g1full-25.log.gz", "G1", 24, 681.762, 0.01);
    sameAsTheJvm("g1-25.log.gz", "G1", 77, 885.522, 0.01);
    sameAsTheJvm("par-25.log.gz", "Parallel", 135, 1_074.640, 0.01);
    sameAsTheJvm("serial-17.log.gz", "Serial", 95, 492.248, 0.03);
    sameAsTheJvm("g1hum-17.log.gz", "G1", 142, 925.547, 0.01);
  }

  @Test
  void stallsHumongousAndFullCollectionsOfRealLogsAreSeen() throws IOException {
    assertEquals("ZGC", real("zgcstall-25.log.gz").collector());
    assertTrue(
        GcAdvice.of(GcLog.read(folder.resolve("zgcstall-25.log.gz"))).stream()
            .anyMatch(a -> a.what().contains("allocation stalls")));
    assertTrue(
        GcAdvice.of(real("g1hum-17.log.gz")).stream()
            .anyMatch(a -> a.what().contains("humongous")));
    assertEquals("Shenandoah", real("shengen-25.log.gz").collector());
    String page = GcPage.of(List.of(GcLog.read(folder.resolve("g1hum-17.log.gz"))));
    assertTrue(page.contains("<svg") && page.contains("prefers-color-scheme"), "a page with plots");
  }

  /**
   * As JDK 8 writes CMS with PrintGCDetails and both stamps; the sizes are those of a field report.
   */
  @Test
  void youngGenerationOfOneToNineteenUnderCms() throws IOException {
    StringBuilder log = new StringBuilder();
    for (int i = 0; i < 100; i++) {
      double at = 10 + i * 0.54;
      String clock = String.format(Locale.ROOT, "%02d:%02d", 15 + (int) at / 60, (int) at % 60);
      log.append(
          String.format(
              Locale.ROOT,
              "2020-12-12T10:%s.100+0800: %.3f: [GC (Allocation Failure) 2020-12-12T10:%s.100+0800: %.3f: [ParNew: 996800K->110720K(996800K), 0.0510000 secs] 10996800K->10180350K(20860800K), 0.0520000 secs] [Times: user=0.52 sys=0.01, real=0.05 secs]%n",
              clock,
              at,
              clock,
              at));
    }
    log.append(
        "2020-12-12T10:16:20.100+0800: 70.000: [GC (CMS Initial Mark) [1 CMS-initial-mark: 10812086K(19864000K)] 10887844K(20860800K), 0.0020000 secs] [Times: user=0.01 sys=0.00, real=0.00 secs]\n");
    log.append(
        "2020-12-12T10:16:21.100+0800: 71.000: [Full GC (Allocation Failure) 2020-12-12T10:16:21.100+0800: 71.000: [CMS: 19864000K->15000000K(19864000K), 12.3000000 secs] 20860000K->15000000K(20860800K), [Metaspace: 80000K->80000K(1120000K)], 12.3400000 secs] [Times: user=12.0 sys=0.1, real=12.34 secs]\n");
    GcSummary summary = read(log.toString());
    assertEquals("CMS", summary.collector());
    assertEquals(100, summary.of(GcEvent.Kind.YOUNG).size());
    assertEquals(1, summary.of(GcEvent.Kind.FULL).size());
    assertEquals(100 * 52 + 2 + 12_340, summary.pausedMillis(), 0.01);
    assertEquals(19_864_000L << 10, summary.oldBytes());
    assertEquals(
        100L * ((996_800L - 110_720L) - (10_996_800L - 10_180_350L)) << 10,
        summary.promotedBytes());
    List<GcAdvice> advice = GcAdvice.of(summary);
    assertTrue(
        advice.stream()
            .anyMatch(a -> a.what().contains("1 to 20") && a.cure().contains("-XX:NewSize=9g")),
        advice::toString);
  }

  /**
   * Recorded logs of JDK 8u252, with {@code PrintGCApplicationStoppedTime}: the JVM's own count of
   * stops and their time, which is somewhat longer than the pause in each.
   */
  @Test
  void eachPauseOfRealLogsOfJdk8IsCountedOnce() throws IOException {
    inTheStopsOfJdk8("cms-8.log.gz", "CMS", 37, 0.05);
    inTheStopsOfJdk8("cmsdates-8.log.gz", "CMS", 70, 0.05);
    inTheStopsOfJdk8("g1-8.log.gz", "G1", 93, 0.06);
    inTheStopsOfJdk8("g1dates-8.log.gz", "G1", 173, 0.05);
    inTheStopsOfJdk8("par-8.log.gz", "Parallel", 139, 0.05);
    inTheStopsOfJdk8("serial-8.log.gz", "Serial", 47, 0.12);
  }

  private void inTheStopsOfJdk8(String name, String collector, int pauses, double beside)
      throws IOException {
    GcSummary log = real(name);
    assertEquals(collector, log.collector(), name);
    assertEquals(pauses, log.pauses().size(), name);
    Path plain = folder.resolve(name + ".txt");
    try (InputStream in = new GZIPInputStream(Files.newInputStream(folder.resolve(name)))) {
      Files.copy(in, plain);
    }
    JvmClock stops = JvmClock.readStops(plain);
    assertEquals(pauses, stops.pauses(), name);
    assertTrue(log.pausedMillis() <= stops.stopped(), name);
    assertEquals(stops.stopped(), log.pausedMillis(), stops.stopped() * beside, name);
    assertTrue(log.promotedBytes() > 0 || collector.equals("G1"), name);
    assertTrue(log.youngBytes() > 0 && log.liveBytes() > 0, name);
  }

  /** Its threads write without a lock: lines as they stand in logs of JDK 8u252. */
  @Test
  void whatRunsBesideTheApplicationIsNoPause() throws IOException {
    GcSummary g1 =
        read(
            "0.256: [GC concurrent-root-region-scan-start]\n"
                + "0.256: [GC concurrent-root-region-scan-end, 0.0001198 secs]\n"
                + "0.256: [GC concurrent-mark-start]\n"
                + "0.562: [GC pause (G1 Evacuation Pause) (young)0.566: [GC concurrent-mark-end, 0.3075418 secs]\n"
                + ", 0.0070000 secs]\n"
                + "1.4161.416: : [GC pause (G1 Evacuation Pause) (young)[GC concurrent-root-region-scan-end, 0.0008250 secs]\n"
                + ", 0.0030000 secs]\n"
                + "1.6: [GC cleanup 24M->22M(256M), 0.0010000 secs]\n");
    assertEquals(11, g1.pausedMillis(), 1e-6);
    assertEquals(3, g1.pauses().size());
    GcSummary cms =
        read(
            "0.397: [CMS-concurrent-sweep-start]\n"
                + "0.400: [CMS-concurrent-sweep: 0.003/0.903 secs]0.401: [GC (Allocation Failure) 0.401: [ParNew [Times: user=0.01 sys=0.00, real=0.00 secs] \n"
                + "Desired survivor size 1114112 bytes, new threshold 1 (max 6)\n"
                + "- age   1:    2211160 bytes,    2211160 total\n"
                + ": 29504K->3264K(29504K), 0.0077138 secs] 49324K->28063K(95040K), 0.0078115 secs] [Times: user=0.01 sys=0.00, real=0.01 secs] \n"
                + "0.527: [GC (Allocation Failure) 0.527: [ParNew (promotion failed): 29504K->29504K(29504K), 0.0111411 secs]0.538: [CMS0.538: [CMS-concurrent-abortable-preclean: 0.002/0.039 secs] [Times: user=0.04 sys=0.00, real=0.04 secs] \n"
                + " (concurrent mode failure): 63254K->8793K(65536K), 0.0108148 secs] 89458K->8793K(95040K), [Metaspace: 2800K->2800K(1056768K)], 0.0220620 secs] [Times: user=0.01 sys=0.00, real=0.02 secs] \n");
    assertEquals("CMS", cms.collector());
    assertEquals(7.8115 + 22.062, cms.pausedMillis(), 1e-6);
    assertEquals(1, cms.of(GcEvent.Kind.YOUNG).size());
    assertEquals(1, cms.of(GcEvent.Kind.FULL).size());
    assertEquals(8_793L << 10, cms.liveBytes());
    assertEquals((29_504L - 3_264 - (49_324 - 28_063)) << 10, cms.promotedBytes());
  }

  /** {@code -Xloggc} alone: the collector stands in the line of flags. */
  @Test
  void shortLogsOfJdk8() throws IOException {
    GcSummary cms =
        read(
            "CommandLine flags: -XX:MaxHeapSize=67108864 -XX:+PrintGC -XX:+UseConcMarkSweepGC -XX:+UseParNewGC \n"
                + "0.1: [GC (Allocation Failure)  17472K->12000K(63360K), 0.0100000 secs]\n"
                + "0.2: [GC (CMS Initial Mark)  25000K(63360K), 0.0020000 secs]\n"
                + "0.3: [GC (CMS Final Remark)  27000K(63360K), 0.0030000 secs]\n");
    assertEquals("CMS", cms.collector());
    assertEquals(1, cms.of(GcEvent.Kind.YOUNG).size());
    assertEquals(15, cms.pausedMillis(), 1e-6);
    GcSummary g1 =
        read(
            "CommandLine flags: -XX:MaxHeapSize=67108864 -XX:+PrintGC -XX:+UseG1GC \n"
                + "0.1: [GC pause (G1 Evacuation Pause) (young) 24M->20M(64M), 0.0123000 secs]\n");
    assertEquals("G1", g1.collector());
    assertEquals(20L << 20, g1.liveBytes());
  }

  @Test
  void g1OfJdk8AndParallelOfJdk8() throws IOException {
    GcSummary g1 =
        read(
            "0.500: [GC pause (G1 Evacuation Pause) (young), 0.0123000 secs]\n   [Parallel Time: 10.0 ms, GC Workers: 4]\n"
                + "   [Eden: 24.0M(24.0M)->0.0B(13.0M) Survivors: 0.0B->3072.0K Heap: 24.0M(256.0M)->21.9M(256.0M)]\n"
                + "1.500: [GC pause (G1 Humongous Allocation) (young) (to-space exhausted), 0.1000000 secs]\n"
                + "2.500: [Full GC (Allocation Failure)  1024M->512M(1024M), 1.2300000 secs]\n");
    assertEquals("G1", g1.collector());
    assertEquals(12.3 + 100 + 1_230, g1.pausedMillis(), 0.01);
    assertEquals(1, g1.toSpaceExhausted());
    assertEquals(512L << 20, g1.events().getLast().after());
    GcSummary parallel =
        read(
            "1.0: [GC (Allocation Failure) [PSYoungGen: 524800K->87032K(611840K)] 524800K->87048K(2010112K), 0.0420000 secs] [Times: user=0.1 sys=0.0, real=0.04 secs]\n");
    assertEquals("Parallel", parallel.collector());
    assertEquals(42, parallel.pausedMillis(), 0.01);
  }

  /** Written by Serial of JDK 11: the second line holds the time of the first. */
  @Test
  void aYoungCollectionThatTurnedIntoAFullOneIsOnePause() throws IOException {
    GcSummary log =
        read(
            "[0.288s][info][gc] GC(12) Pause Young (Allocation Failure) 40M->20M(92M) 2.000ms\n"
                + "[0.298s][info][gc] GC(14) Pause Full (Allocation Failure) 91M->8M(92M) 5.824ms\n"
                + "[0.298s][info][gc] GC(13) Pause Young (Allocation Failure) 91M->8M(92M) 5.873ms\n"
                + "[0.309s][info][gc] GC(15) Pause Young (Allocation Failure) 34M->16M(92M) 1.896ms\n");
    assertEquals(2 + 5.873 + 1.896, log.pausedMillis(), 1e-6);
    assertEquals(1, log.of(GcEvent.Kind.FULL).size());
    double allocated = (91 - 20 + 34 - 8) * 1024.0 * 1024 / log.seconds();
    assertEquals(allocated, log.allocatedPerSecond(), allocated / 1_000);
  }

  /** A later pause of a concurrent cycle has a lower number and holds nobody else's time. */
  @Test
  void aPauseOfAnOlderCycleIsOneOfItsOwn() throws IOException {
    GcSummary log =
        read(
            "[0.298s][info][gc] GC(14) Pause Full (System.gc()) 91M->8M(92M) 5.000ms\n"
                + "[0.299s][info][gc] GC(13) Pause Remark 8M->8M(92M) 6.000ms\n");
    assertEquals(11, log.pausedMillis(), 1e-6);
  }

  @Test
  void aLogWithoutThePausesOfZgcSaysSo() throws IOException {
    GcSummary log =
        read(
            "[0.210s][info][gc] Using The Z Garbage Collector\n"
                + "[0.710s][info][gc] GC(0) Major Collection (Warmup) 20M(10%)->10M(5%) 0.012s\n");
    assertEquals("ZGC", log.collector());
    assertTrue(log.notes().getFirst().contains("-Xlog:gc*"), log.notes()::toString);
    assertEquals(List.of(), log.pauses(), "a cycle beside the application is no pause");
    assertEquals(10L << 20, log.liveBytes());
  }

  @Test
  void aLineWithAnImpossibleTimeIsStillRead() throws IOException {
    GcSummary log =
        read(
            "2020-12-12T10:15:60.100+0800: 1.0: [GC (Allocation Failure) [PSYoungGen: 524800K->87032K(611840K)] 524800K->87048K(2010112K), 0.0420000 secs]\n");
    assertEquals(42, log.pausedMillis(), 0.01);
  }

  /** The JVM's standard output as kubelet and Compose keep it, other lines between. */
  @Test
  void logsOfContainersAreRead() throws IOException {
    String pause = "Pause Young (Normal) (G1 Evacuation Pause) 18M->4M(192M) ";
    GcSummary kubelet =
        read(
            "2026-11-21T10:00:00.123456789Z stdout F [9.000s][info][gc] GC(0) "
                + pause
                + "20.0ms\n2026-11-21T10:00:01.123456789+01:00 stdout F [2026-11-21T10:00:01,123][INFO ][o.o.n.Node] [n1] started\n"
                + "2026-11-21T10:00:01.123456789+01:00 stderr F [10.000s][info][gc] GC(1) "
                + pause
                + "10.0ms\n");
    assertEquals(30, kubelet.pausedMillis(), 0.01);
    GcSummary compose = read("opensearch-1  | [9.000s][info][gc] GC(0) " + pause + "20.0ms\n");
    assertEquals(20, compose.pausedMillis(), 0.01);
    assertEquals("G1", compose.collector());
  }

  @Test
  void cutMixedAndForeignFilesAreNamed() throws IOException {
    GcSummary twice =
        read(
            "[9.000s][info][gc] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 18M->4M(192M) 20.0ms\n[0.100s][info][gc] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 18M->4M(192M) 10.0ms\n[0.2");
    assertEquals(30, twice.pausedMillis(), 0.01);
    assertTrue(twice.notes().getFirst().contains("started 2 times"), twice.notes()::toString);
    ExpectedFailure failure =
        assertThrows(ExpectedFailure.class, () -> read("<html>no log</html>\n"));
    assertEquals(ExitCode.INPUT, failure.exitCode());
    assertThrows(ExpectedFailure.class, () -> GcLog.read(folder.resolve("missing.log")));
    assertThrows(ExpectedFailure.class, () -> read(""));
    for (String odd : List.of("[]", "[", "1", "[GC ", "0.1: [GC pause", "(", "->")) {
      String line = odd.repeat(40_000 / odd.length());
      assertThrows(ExpectedFailure.class, () -> read(line + "\n" + line + line + "\n"), odd);
    }
  }
}
