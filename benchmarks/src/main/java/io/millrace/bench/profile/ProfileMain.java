package io.millrace.bench.profile;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordingFile;

/**
 * Prints where the CPU time of Java threads went, by {@link Subsystem}: reads {@code
 * jdk.CPUTimeSample} of a flight recording (JDK 25 on Linux, JEP 509), which samples by CPU time,
 * native code included, and not by wall time. The JVM's own threads (compilers, collector) are not
 * in it; the bench reports the compilers apart.
 *
 * <p>Arguments: the file; milliseconds of CPU time between two samples; documents that were loaded;
 * optionally the first and the last instant (ISO-8601) to count. Searches are left out: the bench
 * asks them after the load.
 */
public final class ProfileMain {
  private ProfileMain() {}

  public static void main(String[] args) throws IOException {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    if (args.length != 3 && args.length != 5) {
      out.println("usage: FILE.jfr MILLIS_PER_SAMPLE DOCUMENTS [FROM TO]");
      return;
    }
    Instant from = args.length == 5 ? Instant.parse(args[3]) : Instant.MIN;
    Instant to = args.length == 5 ? Instant.parse(args[4]) : Instant.MAX;
    Map<Subsystem, Integer> samples = new EnumMap<>(Subsystem.class);
    try (RecordingFile file = new RecordingFile(Path.of(args[0]))) {
      while (file.hasMoreEvents()) {
        RecordedEvent event = file.readEvent();
        Instant at = event.getStartTime();
        if (event.getEventType().getName().equals("jdk.CPUTimeSample")
            && !at.isBefore(from)
            && !at.isAfter(to)) {
          samples.merge(Subsystem.of(frames(event)), 1, Integer::sum);
        }
      }
    }
    samples.remove(Subsystem.SEARCH);
    print(out, samples, Double.parseDouble(args[1]) * 1000 / Double.parseDouble(args[2]));
  }

  private static List<String> frames(RecordedEvent event) {
    List<String> frames = new ArrayList<>();
    if (event.getStackTrace() != null) {
      for (RecordedFrame frame : event.getStackTrace().getFrames()) {
        frames.add(frame.getMethod().getType().getName() + "." + frame.getMethod().getName());
      }
    }
    return frames;
  }

  private static void print(
      PrintStream out, Map<Subsystem, Integer> samples, double microsPerSample) {
    int all = samples.values().stream().mapToInt(Integer::intValue).sum();
    out.printf(Locale.ROOT, "| %d samples | share | us/document |%n|---|---|---|%n", all);
    samples.forEach((subsystem, count) ->
        out.printf(
            Locale.ROOT,
            "| %s | %.1f %% | %.2f |%n",
            subsystem.title(),
            100.0 * count / all,
            count * microsPerSample));
    out.printf(Locale.ROOT, "| all Java threads | 100 %% | %.1f |%n", all * microsPerSample);
  }
}
