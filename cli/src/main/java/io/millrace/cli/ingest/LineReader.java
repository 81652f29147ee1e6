package io.millrace.cli.ingest;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.function.Supplier;

/**
 * Splits a stream into lines with bounded memory: a line longer than the limit is skipped to its
 * end and reported with its length and beginning, not held.
 *
 * <p>The current line is {@code array()[0 .. length())}, without line feed and carriage return. A
 * stream that returns 0 from a read (see {@link FollowedFile}) has nothing at the moment: the
 * reader says {@link Kind#IDLE} and keeps what it has of the line. A line does not reach from one
 * {@link Generation} of a followed file into the next.
 */
final class LineReader {
  /** What {@link #next} found. */
  enum Kind {
    LINE,
    /** The line is longer than the limit; {@link #array()} holds its beginning. */
    TOO_LONG,
    /** Nothing to read right now; ask again. */
    IDLE,
    END
  }

  private final InputStream in;
  private final int maxLine;
  private final Supplier<Generation> generations;
  private final byte[] buffer = new byte[1 << 16];
  private int position;
  private int limit;
  private byte[] line = new byte[1 << 12];
  private int length;
  private long skipped;
  private boolean open;
  private long number;
  private Generation generation;
  private long consumed;
  private Generation lineGeneration;
  private long lineStart;

  /**
   * @param maxLine longest line that is delivered, bytes, at least 1
   */
  LineReader(InputStream in, int maxLine) {
    this.in = in;
    this.maxLine = maxLine;
    generations = in instanceof FollowedFile file ? file::generation : () -> Generation.ONLY;
    generation = generations.get();
    lineGeneration = generation;
    consumed = generation.start();
  }

  byte[] array() {
    return line;
  }

  int length() {
    return length;
  }

  /** Length of a line that was too long, bytes. */
  long fullLength() {
    return length + skipped;
  }

  /** Number of the current line, from 1. */
  long number() {
    return number;
  }

  /** Byte of the {@link #generation} (decompressed) at which the current line starts. */
  long offset() {
    return lineStart;
  }

  /** The content of a followed file that the current line belongs to. */
  Generation generation() {
    return lineGeneration;
  }

  Kind next() throws IOException {
    if (!open) {
      length = 0;
      skipped = 0;
    }
    while (true) {
      if (position == limit) {
        int got = in.read(buffer, 0, buffer.length);
        if (got > 0) {
          position = 0;
          limit = got;
        }
        if (!generations.get().equals(generation)) {
          generation = generations.get();
          consumed = generation.start();
          if (open) {
            return finish(); // the content before ended without a line feed
          }
        }
        if (got == 0) {
          return Kind.IDLE;
        }
        if (got < 0) {
          return open ? finish() : Kind.END;
        }
      }
      if (!open) {
        open = true;
        lineGeneration = generation;
        lineStart = consumed;
      }
      int end = position;
      while (end < limit && buffer[end] != '\n') {
        end++;
      }
      take(end - position);
      consumed += end - position;
      position = end;
      if (end < limit) {
        position++;
        consumed++;
        return finish();
      }
    }
  }

  private void take(int count) {
    int room = Math.min(count, maxLine - length);
    if (skipped == 0 && room > 0) {
      if (line.length - length < room) {
        line = Arrays.copyOf(line, Math.max(length + room, Math.min(maxLine, line.length * 2)));
      }
      System.arraycopy(buffer, position, line, length, room);
      length += room;
    } else {
      room = 0;
    }
    skipped += count - room;
  }

  private Kind finish() {
    open = false;
    number++;
    if (skipped > 0) {
      return Kind.TOO_LONG;
    }
    if (length > 0 && line[length - 1] == '\r') {
      length--;
    }
    return Kind.LINE;
  }
}
