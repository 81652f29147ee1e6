package io.millrace.doctor.gc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Logs that JVMs write here and now, beside what the same JVMs measured themselves.
 *
 * <p>A JVM measures a pause in several places that begin and end at different points: the flight
 * recorder ({@code jdk.GCPhasePause}), the beans of {@code java.lang.management}, the line of the
 * log, and the safepoint around all of them. What lies between two of them takes some 20 to 100 us
 * per pause, however long the pause is. So sums are compared with the clock that has the log line's
 * own ends: the nanoseconds at which the JVM wrote the line of the beginning and that of the end.
 * ZGC writes no line at a beginning; its line and its recorded event have the same ends.
 *
 * <p>On a machine at rest they are a thousandth apart or less; that is printed. The test asserts a
 * fiftieth, since a thread that loses its processor between the clock and the line tells nothing of
 * the reader.
 *
 * <p>No pause is longer than the safepoints that hold it, so none is counted twice.
 *
 * <p>Started with {@code -Dmillrace.gc.all=true}: every collector of every JDK below {@code
 * /usr/lib/jvm} and in {@code -Dmillrace.gc.jdks} (homes, separated by colons). {@code
 * -Dmillrace.gc.only=REGEX} takes some of the runs.
 */
@EnabledIfSystemProperty(named = "millrace.gc.all", matches = "true")
class RealLogsTest {
  /** Collections while the recording begins and after it has ended are in the log only. */
  private static final int MOST_OUTSIDE = 60;

  /** Milliseconds: a line has three decimals. */
  private static final double ROUNDED = 0.0005;

  /** Milliseconds per pause that beans of JDK 8 leave out, at most. */
  private static final double BESIDE_BEANS = 0.3;

  /** For every JDK from 8 on, so it is compiled for that one. */
  private static final String CHURN =
      """
      public class Churn {
        public static void main(String[] args) {
          boolean humongous = args[0].equals("humongous");
          boolean full = args[0].equals("full");
          if (args[0].equals("long")) {
            Object[][] graph = new Object[600000][];
            java.util.Random random = new java.util.Random(7);
            for (long left = Long.parseLong(args[1]) << 20; left > 0; left -= 160) {
              Object[] next = new Object[6];
              next[0] = new byte[100];
              graph[random.nextInt(graph.length)] = next;
            }
            beans();
            return;
          }
          byte[][] kept = new byte[args[0].equals("tight") ? 3000 : 1000][];
          byte[][] large = new byte[3][];
          java.util.Random random = new java.util.Random(7);
          long left = Long.parseLong(args[1]) << 20;
          for (int n = 1; left > 0; n++) {
            byte[] next = new byte[humongous && n % 400 == 0 ? 3 << 20 : 500 + random.nextInt(16000)];
            left -= next.length;
            if (next.length > 1 << 20) {
              large[random.nextInt(large.length)] = next;
            } else {
              kept[random.nextInt(kept.length)] = next;
            }
            if (full && n % 20000 == 0) {
              System.gc();
            }
          }
          beans();
        }

        static void beans() {
          long count = 0;
          long millis = 0;
          for (java.lang.management.GarbageCollectorMXBean bean :
              java.lang.management.ManagementFactory.getGarbageCollectorMXBeans()) {
            boolean cycles = bean.getName().contains("Cycles");
            count += cycles ? 0 : bean.getCollectionCount();
            millis += cycles ? 0 : bean.getCollectionTime();
          }
          System.out.println("beans " + count + " " + millis);
        }
      }
      """;

  private static final String SETTINGS =
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <configuration version="2.0">
        <event name="jdk.GCPhasePause">
          <setting name="enabled">true</setting>
          <setting name="threshold">0 ms</setting>
        </event>
        <event name="jdk.ZAllocationStall">
          <setting name="enabled">true</setting>
          <setting name="threshold">0 ms</setting>
        </event>
      </configuration>
      """;

  private static final AtomicInteger COMPARED = new AtomicInteger();
  private static final AtomicInteger ALIKE = new AtomicInteger();

  @TempDir static Path folder;

  /**
   * One log.
   *
   * @param jdk its home
   * @param collector what the reader must call it
   * @param how what is allocated: churn, humongous, full, tight
   * @param log what of the log is asked for, with its decorations
   * @param flags that choose the collector
   */
  private record Run(Path jdk, String collector, String how, String log, List<String> flags) {
    /** Whether it is JDK 8, with flags and a log of its own. */
    boolean eight() {
      return Files.exists(jdk.resolve("lib/rt.jar")) || Files.exists(jdk.resolve("jre/lib/rt.jar"));
    }

    @Override
    public String toString() {
      return jdk.getFileName() + " " + collector + " " + how + " " + log + " " + flags;
    }
  }

  @BeforeAll
  static void compile() throws IOException {
    Path source = Files.writeString(folder.resolve("Churn.java"), CHURN);
    assertEquals(
        0,
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                OutputStream.nullOutputStream(),
                null,
                "--release",
                "8",
                "-Xlint:-options",
                "-d",
                folder.toString(),
                source.toString()));
    Files.writeString(folder.resolve("pauses.jfc"), SETTINGS);
  }

  @AfterAll
  static void say() {
    System.out.println(ALIKE + " of " + COMPARED + " logs are 0.1 % apart or less");
  }

  @TestFactory
  Stream<DynamicTest> pausesAreThoseThatTheJvmMeasured() throws IOException {
    Path own = Path.of(System.getProperty("java.home"));
    List<Run> runs = new ArrayList<>();
    for (Path jdk : jdks(own)) {
      for (String how : List.of("churn", "humongous", "full", "tight")) {
        runs.add(new Run(jdk, "G1", how, "gc*", List.of("-XX:+UseG1GC")));
        runs.add(new Run(jdk, "Parallel", how, "gc*", List.of("-XX:+UseParallelGC")));
        runs.add(new Run(jdk, "Serial", how, "gc*", List.of("-XX:+UseSerialGC")));
        runs.add(new Run(jdk, "ZGC", how, "gc*", List.of("-XX:+UseZGC")));
        runs.add(new Run(jdk, "Shenandoah", how, "gc*", List.of("-XX:+UseShenandoahGC")));
      }
      runs.add(new Run(jdk, "G1", "long", "gc*", List.of("-XX:+UseG1GC")));
      runs.add(new Run(jdk, "Parallel", "long", "gc*", List.of("-XX:+UseParallelGC")));
      runs.add(new Run(jdk, "Serial", "long", "gc*", List.of("-XX:+UseSerialGC")));
      runs.add(new Run(jdk, "CMS", "churn", "gc*", List.of("-XX:+UseConcMarkSweepGC")));
      runs.add(new Run(jdk, "CMS", "long", "gc*", List.of("-XX:+UseConcMarkSweepGC")));
      runs.add(new Run(jdk, "CMS", "tight", "gc", List.of("-XX:+UseConcMarkSweepGC")));
      runs.add(new Run(jdk, "Serial", "tight", "gc", List.of("-XX:+UseSerialGC")));
      runs.add(new Run(jdk, "G1", "churn", "gc", List.of("-XX:+UseG1GC")));
      runs.add(new Run(jdk, "Parallel", "churn", "gc", List.of("-XX:+UseParallelGC")));
      runs.add(new Run(jdk, "Shenandoah", "churn", "gc", List.of("-XX:+UseShenandoahGC")));
      runs.add(
          new Run(
              jdk,
              "Shenandoah",
              "churn",
              "gc*",
              List.of(
                  "-XX:+UnlockExperimentalVMOptions",
                  "-XX:+UseShenandoahGC",
                  "-XX:ShenandoahGCMode=generational")));
      runs.add(
          new Run(jdk, "G1", "tight", "gc*,safepoint*:time,pid,tags", List.of("-XX:+UseG1GC")));
      runs.add(
          new Run(jdk, "Serial", "full", "gc*=debug:uptimemillis", List.of("-XX:+UseSerialGC")));
    }
    return tests(runs);
  }

  private static List<Path> jdks(Path own) throws IOException {
    List<Path> homes = new ArrayList<>(List.of(own.toRealPath()));
    List<Path> more = new ArrayList<>();
    for (String home : System.getProperty("millrace.gc.jdks", "").split(":")) {
      if (!home.isBlank()) {
        more.add(Path.of(home));
      }
    }
    Path debian = Path.of("/usr/lib/jvm");
    if (Files.isDirectory(debian)) {
      try (DirectoryStream<Path> there = Files.newDirectoryStream(debian)) {
        there.forEach(more::add);
      }
    }
    for (Path home : more) {
      if (Files.isExecutable(home.resolve("bin/java")) && !homes.contains(home.toRealPath())) {
        homes.add(home.toRealPath());
      }
    }
    return homes;
  }

  private static Stream<DynamicTest> tests(List<Run> runs) {
    String only = System.getProperty("millrace.gc.only", "");
    return runs.stream()
        .filter(run -> run.toString().matches(".*(" + only + ").*"))
        .map(run -> DynamicTest.dynamicTest(run.toString(), () -> compare(run)));
  }

  private static void compare(Run run) throws IOException, InterruptedException {
    Path work = Files.createTempDirectory(folder, "run");
    if (!started(run, work)) {
      System.out.println("this JDK does not have it: " + run);
      return;
    }
    GcSummary log = GcLog.read(work.resolve("gc.log"));
    assertEquals(run.collector(), log.collector(), run::toString);
    if (run.eight()) {
      compareWithBeans(run, log, work);
      return;
    }
    List<RecordedEvent> events =
        Files.exists(work.resolve("r.jfr"))
            ? RecordingFile.readAllEvents(work.resolve("r.jfr"))
            : List.of();
    JvmClock jvm = JvmClock.read(work.resolve("jvm.log"));
    double told = log.pausedMillis();
    double own = jvm.paused();
    List<Double> pauses =
        log.pauses().stream().map(GcEvent::millis).filter(millis -> millis > 0).toList();
    List<Double> recorded = measured(events, "jdk.GCPhasePause");
    if (run.collector().equals("ZGC")) {
      if (recorded.isEmpty()) { // before JDK 15
        System.out.println("its recorder knows no pauses of ZGC: " + run);
        return;
      }
      told = nearest(run, pauses, recorded);
      own = recorded.stream().mapToDouble(Double::doubleValue).sum();
    } else {
      assertEquals(jvm.pauses(), pauses.size(), run::toString);
    }
    assertTrue(pauses.size() > 5, () -> run + ": too few pauses to compare: " + pauses);
    System.out.printf(
        Locale.ROOT,
        "%s: %d pauses, log %.3f ms, JVM's own %.3f ms, %.4f %% apart; beans %s ms, recorder %.3f ms, safepoints %.3f ms%n",
        run,
        pauses.size(),
        told,
        own,
        100 * Math.abs(told - own) / own,
        beans(work),
        recorded.stream().mapToDouble(Double::doubleValue).sum(),
        jvm.stopped());
    COMPARED.incrementAndGet();
    if (Math.abs(told - own) <= own / 1_000) {
      ALIKE.incrementAndGet();
    }
    assertEquals(own, told, own / 50 + ROUNDED * pauses.size(), run::toString);
    assertTrue(log.pausedMillis() <= jvm.stopped() + ROUNDED * pauses.size(), run::toString);
    List<Double> stalls = measured(events, "jdk.ZAllocationStall");
    assertEquals(stalls.isEmpty(), log.of(GcEvent.Kind.STALL).isEmpty(), run::toString);
  }

  /** JDK 8 has one clock of its own with fractions of a second: what its beans add up. */
  private static void compareWithBeans(Run run, GcSummary log, Path work) throws IOException {
    // remark and cleanup of G1 are not in its beans
    double told =
        log.pauses().stream()
            .filter(e -> !run.collector().equals("G1") || e.kind() != GcEvent.Kind.PHASE)
            .mapToDouble(GcEvent::millis)
            .sum();
    double own = Double.parseDouble(beans(work));
    JvmClock stops = JvmClock.readStops(work.resolve("gc.log"));
    System.out.printf(
        Locale.ROOT,
        "%s: %d pauses, log %.3f ms, beans %.0f ms, %.4f %% apart; all pauses %.3f ms, safepoints %.3f ms%n",
        run,
        log.pauses().size(),
        told,
        own,
        100 * Math.abs(told - own) / own,
        log.pausedMillis(),
        stops.stopped());
    COMPARED.incrementAndGet();
    if (Math.abs(told - own) <= own / 1_000) {
      ALIKE.incrementAndGet();
    }
    assertEquals(stops.pauses(), log.pauses().size(), run::toString);
    assertEquals(own, told, own / 50 + BESIDE_BEANS * log.pauses().size() + 1, run::toString);
    assertTrue(log.pausedMillis() <= stops.stopped() + 0.001, run::toString);
  }

  private static String beans(Path work) throws IOException {
    return Files.readAllLines(work.resolve("said")).stream()
        .filter(line -> line.startsWith("beans "))
        .map(line -> line.split(" ")[2])
        .findFirst()
        .orElse("?");
  }

  /**
   * Runs it.
   *
   * @return false when the JDK does not know a flag
   */
  private static boolean started(Run run, Path work) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(run.jdk().resolve("bin/java").toString());
    command.addAll(run.flags());
    command.add(
        switch (run.how()) {
          case "tight" -> "-Xmx64m";
          case "long" -> "-Xmx500m";
          default -> "-Xmx96m";
        });
    command.add("-XX:TieredStopAtLevel=1");
    command.addAll(run.eight() ? logOfEight(run, work) : logs(run, work));
    command.addAll(List.of("-cp", folder.toString(), "Churn", run.how(), "1500"));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    Path said = work.resolve("said");
    Process process = builder.redirectOutput(said.toFile()).start();
    if (!process.waitFor(180, TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor();
      throw new AssertionError(run + " did not end: " + Files.readString(said));
    }
    String text = Files.readString(said);
    if (process.exitValue() != 0
        && text.matches(
            "(?s).*(Could not create the Java Virtual Machine|Error occurred during initialization of VM).*")) {
      return false;
    }
    assertEquals(0, process.exitValue(), run + ": " + text);
    return true;
  }

  private static List<String> logs(Run run, Path work) {
    String what = run.log().replaceFirst(":.*", "");
    String decorations = run.log().contains(":") ? run.log().replaceFirst("^[^:]*", "") : "";
    return List.of(
        "-Xlog:" + what + ":file=" + work.resolve("gc.log") + decorations,
        "-Xlog:gc*,safepoint:file=" + work.resolve("jvm.log") + ":uptimenanos,tags",
        "-XX:StartFlightRecording=filename="
            + work.resolve("r.jfr")
            + ",settings="
            + folder.resolve("pauses.jfc"));
  }

  /** With decorations, everything that prints in the middle of a collection. */
  private static List<String> logOfEight(Run run, Path work) {
    List<String> flags = new ArrayList<>();
    flags.add("-Xloggc:" + work.resolve("gc.log"));
    flags.add("-XX:+PrintGCApplicationStoppedTime");
    if (run.log().contains("*")) {
      flags.add("-XX:+PrintGCDetails");
    }
    if (run.log().contains(":")) {
      flags.addAll(
          List.of(
              "-XX:+PrintGCDateStamps",
              "-XX:+PrintTenuringDistribution",
              "-XX:+PrintAdaptiveSizePolicy"));
    }
    return flags;
  }

  private static List<Double> measured(List<RecordedEvent> events, String name) {
    return events.stream()
        .filter(event -> event.getEventType().getName().equals(name))
        .sorted(Comparator.comparing(RecordedEvent::getStartTime))
        .map(event -> event.getDuration().toNanos() / 1e6)
        .toList();
  }

  /** The sum of as many pauses in a row as were recorded, whose sum is nearest. */
  private static double nearest(Run run, List<Double> log, List<Double> recorded) {
    int outside = log.size() - recorded.size();
    assertTrue(
        outside >= 0 && outside <= MOST_OUTSIDE,
        () -> run + ": " + log.size() + " pauses in the log, " + recorded.size() + " recorded");
    double measured = sum(recorded);
    double nearest = Double.MAX_VALUE;
    for (int before = 0; before <= outside; before++) {
      double told = sum(log.subList(before, before + recorded.size()));
      nearest = Math.abs(told - measured) < Math.abs(nearest - measured) ? told : nearest;
    }
    return nearest;
  }

  private static double sum(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).sum();
  }
}
