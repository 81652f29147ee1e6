package io.millrace.doctor.gc;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a JVM measured of its pauses, from {@code -Xlog:gc*,safepoint} with {@code uptimenanos}.
 *
 * @param pauses lines of a pause's end
 * @param paused milliseconds from the line of a pause's beginning to that of its end; one that lies
 *     in another one is not added
 * @param stopped milliseconds at the safepoints that held a pause
 */
record JvmClock(int pauses, double paused, double stopped) {
  private static final Pattern BEGINNING =
      Pattern.compile("\\[(\\d+)ns]\\[gc(?:,[a-z]+)*,start *] GC\\((\\d+)\\) Pause .*");
  private static final Pattern END =
      Pattern.compile(
          "\\[(\\d+)ns]\\[gc(?:,[a-z]+)* *] GC\\((\\d+)\\) (?:[yYO]: )?Pause .* \\d+[.,]\\d+ms");
  private static final Pattern STOPPED = Pattern.compile(".* At safepoint: (\\d+) ns.*");
  private static final Pattern STOPPED_11 =
      Pattern.compile(
          ".*were stopped: ([\\d.]+) seconds, Stopping threads took: ([\\d.]+) seconds.*");

  private static final Pattern COLLECTION =
      Pattern.compile("\\[(?:Full )?GC(?: \\(| pause| remark| cleanup|--)");

  private record Open(String id, long nanos) {}

  static JvmClock read(Path log) throws IOException {
    Deque<Open> open = new ArrayDeque<>();
    int pauses = 0;
    double paused = 0;
    double stopped = 0;
    boolean held = false;
    for (String line : Files.readAllLines(log)) {
      Matcher beginning = BEGINNING.matcher(line);
      Matcher end = END.matcher(line);
      Matcher safepoint = STOPPED.matcher(line);
      Matcher older = STOPPED_11.matcher(line);
      if (beginning.matches()) {
        open.push(new Open(beginning.group(2), Long.parseLong(beginning.group(1))));
      } else if (end.matches()) {
        held = true;
        pauses++;
        if (!open.isEmpty() && open.peek().id().equals(end.group(2))) {
          Open began = open.pop();
          paused += open.isEmpty() ? (Long.parseLong(end.group(1)) - began.nanos()) / 1e6 : 0;
        }
      } else if (safepoint.matches() || older.matches()) {
        double millis =
            safepoint.matches()
                ? Long.parseLong(safepoint.group(1)) / 1e6
                : 1e3 * (Double.parseDouble(older.group(1)) - Double.parseDouble(older.group(2)));
        stopped += held ? millis : 0;
        held = false;
      }
    }
    return new JvmClock(pauses, paused, stopped);
  }

  /** Collections of a log of JDK 8, and the stops that held them; the pauses are not added. */
  static JvmClock readStops(Path log) throws IOException {
    int pauses = 0;
    double stopped = 0;
    boolean held = false;
    for (String line : Files.readAllLines(log)) {
      Matcher stop = STOPPED_11.matcher(line);
      if (stop.matches()) {
        double millis =
            1e3 * (Double.parseDouble(stop.group(1)) - Double.parseDouble(stop.group(2)));
        stopped += held ? millis : 0;
        held = false;
      } else {
        long begun = COLLECTION.matcher(line).results().count();
        pauses += (int) begun;
        held |= begun > 0;
      }
    }
    return new JvmClock(pauses, 0, stopped);
  }
}
