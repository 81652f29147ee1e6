package io.millrace.doctor.gc;

import io.millrace.client.failure.ExitCode;
import io.millrace.client.failure.ExpectedFailure;
import io.millrace.doctor.logfile.TextFile;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Reads a GC log of any collector of HotSpot, JDK 8 to 25, whatever its decorations.
 *
 * <p>Why an own reader: GCToolKit 3.5.0 was tried on logs of JDK 17 and 25. It saw 28 of the 73
 * pauses of a G1 log, a negative sum of pauses in another, none in logs of {@code -Xlog:gc} alone,
 * and did not come back from a ZGC log.
 *
 * <p>A log may be cut at both ends and may hold several runs of a JVM; what that means for the
 * figures is said in the summary's notes.
 */
public final class GcLog {
  private static final int KEPT = 3;

  /** Characters; the line of flags has some thousands. A longer one is of another file. */
  private static final int MOST_LINE = 50_000;

  private final Unified unified = new Unified();
  private final Legacy legacy = new Legacy();
  private final Tally tally;
  private double firstAt = Double.NaN;
  private double lastAt = Double.NaN;
  private double firstWall = Double.NaN;
  private double passed;
  private long lines;
  private long unifiedLines;
  private long legacyLines;
  private int restarts;

  private GcLog(String file) {
    tally = new Tally(file);
  }

  /**
   * @throws ExpectedFailure when the file cannot be read or holds no collection
   */
  public static GcSummary read(Path file) {
    GcLog log = new GcLog(file.toString());
    try (BufferedReader in = TextFile.open(file)) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        log.line(line);
      }
    } catch (java.io.EOFException e) {
      log.tally.note("the gzip file is cut; what came before was read");
    } catch (IOException e) {
      throw TextFile.unreadable(file, e);
    }
    return log.summary();
  }

  private void line(String raw) {
    lines++;
    if (raw.isBlank() || raw.length() > MOST_LINE) {
      return;
    }
    Line line = Line.of(raw);
    double at = time(line);
    boolean known =
        line.unified() ? unified.take(line.text(), at, tally) : legacy.take(line.text(), at, tally);
    if (known && line.unified()) {
      unifiedLines++;
    } else if (known) {
      legacyLines++;
    }
  }

  /** Seconds since the log's beginning, also across a restart of the JVM. */
  private double time(Line line) {
    double now = line.seconds();
    if (Double.isNaN(now) && !Double.isNaN(line.wall())) {
      firstWall = Double.isNaN(firstWall) ? line.wall() : firstWall;
      now = (line.wall() - firstWall) / 1_000;
    }
    if (Double.isNaN(now)) {
      return Double.isNaN(lastAt) ? 0 : passed + lastAt - firstAt;
    }
    if (Double.isNaN(firstAt)) {
      firstAt = now;
      lastAt = now;
    } else if (now < lastAt - 5) {
      passed += lastAt - firstAt;
      firstAt = now;
      lastAt = now;
      restarts++;
    } else {
      lastAt = Math.max(lastAt, now);
    }
    return passed + now - firstAt;
  }

  private GcSummary summary() {
    if (lines == 0 || tally.empty()) {
      throw new ExpectedFailure(
          ExitCode.INPUT,
          tally.file() + " holds no garbage collection that is understood (" + lines + " lines)",
          "A GC log is what -Xlog:gc*:file=F (JDK 9 and newer) or -Xloggc:F -XX:+PrintGCDetails (JDK 8) writes.");
    }
    if (restarts > 0) {
      tally.note(
          "the JVM was started "
              + (restarts + 1)
              + " times in this log, or files were put together");
    }
    if (unifiedLines > KEPT && legacyLines > KEPT) {
      tally.note("lines of JDK 8 and of newer JDKs stand in this log; all were counted");
    }
    double seconds = Double.isNaN(lastAt) ? 0 : passed + lastAt - firstAt;
    GcSummary summary = tally.summary(seconds, lines);
    if (summary.collector().equals("ZGC") && summary.pausedMillis() <= 0) {
      tally.note("-Xlog:gc alone leaves out the pauses of ZGC; -Xlog:gc* writes them");
      return tally.summary(seconds, lines);
    }
    return summary;
  }
}
