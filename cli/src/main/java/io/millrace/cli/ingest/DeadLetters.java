package io.millrace.cli.ingest;

import io.millrace.corpus.JsonBuffer;
import io.millrace.doctor.unit.Units;
import java.io.BufferedOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Where refused documents go: one JSON line each with file, line, reason and the document as it was
 * sent, so that it can be repaired and ingested again. The file appears with the first refusal; the
 * first reasons are also printed. Thread-safe.
 */
final class DeadLetters implements AutoCloseable {
  private static final int SHOWN = 5;
  private final Path file;
  private final PrintWriter err;
  private final JsonBuffer line = new JsonBuffer();
  private @Nullable OutputStream out;
  private long written;
  private int shown;
  private @Nullable String broken;

  DeadLetters(Path file, PrintWriter err) {
    this.file = file;
    this.err = err;
  }

  Path file() {
    return file;
  }

  /** Documents in the file. */
  synchronized long written() {
    return written;
  }

  /** Why the file could not be written, or null. */
  synchronized @Nullable String broken() {
    return broken;
  }

  synchronized void add(String origin, long number, String type, String reason, String document) {
    if (shown < SHOWN) {
      shown++;
      err.println(
          "refused: "
              + origin
              + " line "
              + number
              + ": "
              + type
              + ": "
              + Units.plain(reason.replaceAll("\\s+", " ")));
      err.flush();
    }
    keep(origin, number, type, reason, document);
  }

  /** Keeps a document without a word: the run's failure is told once, not per document. */
  synchronized void keep(String origin, long number, String type, String reason, String document) {
    line.clear().raw("{\"file\":").quoted(origin).raw(",\"line\":").number(number);
    line.raw(",\"type\":").quoted(type).raw(",\"reason\":").quoted(reason);
    line.raw(",\"document\":").quoted(document).raw("}\n");
    try {
      if (out == null && broken == null) {
        // no channel: those close when the writing thread is interrupted
        out = new BufferedOutputStream(new FileOutputStream(file.toFile(), true));
      }
      if (out != null) {
        line.writeTo(out);
        written++;
      }
    } catch (IOException e) {
      broken = String.valueOf(e.getMessage());
      err.println("error: cannot write the dead-letter file " + file + ": " + broken);
    }
  }

  @Override
  public synchronized void close() {
    if (out != null) {
      try {
        out.close();
      } catch (IOException e) {
        broken = String.valueOf(e.getMessage());
        err.println("error: cannot write the dead-letter file " + file + ": " + broken);
      }
    }
  }
}
