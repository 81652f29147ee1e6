package io.millrace.guard.bodies;

import io.millrace.kernel.text.LittleEndian;
import io.millrace.kernel.text.Swar;
import java.io.IOException;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.BytesRefIterator;
import org.opensearch.core.common.bytes.BytesReference;

/**
 * What a bulk of JSON lines takes as maps before its first item is written: the parameters of the
 * scripts of its updates, which stock keeps for all items (UpdateRequest#fromXContent at 3.8.0),
 * and the largest of its other updates, whose maps are made one after the other. Documents that are
 * indexed or created stay bytes; of their lines only the end is looked for.
 */
final class BulkUpdates {
  private static final long LINE = '\n' * Swar.ONES;

  /** What the present line is. */
  private enum Line {
    ACTION,
    UPDATE,
    DOCUMENT
  }

  private Line line = Line.ACTION;
  private int quotes; // in an action's line, until the name of the action was seen
  private Line next = Line.ACTION;
  private ParsedForm form = new ParsedForm();
  private long kept;
  private long largest;

  /** What the updates of a bulk take, bytes. */
  static long of(BytesReference body) {
    BulkUpdates updates = new BulkUpdates();
    BytesRefIterator parts = body.iterator();
    try {
      for (BytesRef part = parts.next(); part != null; part = parts.next()) {
        updates.add(part.bytes, part.offset, part.offset + part.length);
      }
    } catch (IOException e) {
      throw new AssertionError("bytes in memory have nothing to fail at", e);
    }
    updates.ended();
    return updates.kept + updates.largest;
  }

  private void add(byte[] text, int from, int to) {
    int at = from;
    while (at < to) {
      int end = end(text, at, to);
      if (line == Line.UPDATE) {
        form.add(text, at, end);
      } else if (line == Line.ACTION) {
        action(text, at, end);
      }
      if (end < to) {
        ended();
      }
      at = end + 1;
    }
  }

  /** The first byte behind the first quote tells which action it is. */
  private void action(byte[] text, int from, int to) {
    for (int i = from; i < to && quotes < 2; i++) {
      if (quotes == 1) {
        quotes = 2;
        next =
            switch (text[i]) {
              case 'd' -> Line.ACTION; // a delete has no second line
              case 'i', 'c' -> Line.DOCUMENT;
              default -> Line.UPDATE; // or a name that is escaped
            };
      } else if (text[i] == '"') {
        quotes = 1;
      }
    }
  }

  private void ended() {
    if (line == Line.UPDATE) {
      if (form.scripted()) {
        kept += form.bytes();
      } else {
        largest = Math.max(largest, form.bytes());
      }
      form = new ParsedForm();
    }
    line = line == Line.ACTION ? next : Line.ACTION;
    next = Line.ACTION;
    quotes = 0;
  }

  /** The end of the line, eight bytes at a time. */
  private static int end(byte[] text, int from, int to) {
    int at = from;
    for (; at + Long.BYTES <= to; at += Long.BYTES) {
      long found = Swar.zeros(LittleEndian.getLong(text, at) ^ LINE);
      if (found != 0) {
        return at + (Long.numberOfTrailingZeros(found) >>> 3);
      }
    }
    while (at < to && text[at] != '\n') {
      at++;
    }
    return at;
  }
}
